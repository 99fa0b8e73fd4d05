import { eq } from "drizzle-orm";
import type { Tx } from "../../../db/open.ts";
import { packages, services } from "../../../db/schema.ts";
import { serviceTerms } from "../activation/service.ts";
import { sealPassword } from "../subscribers/password.ts";
import type { Seconds } from "../time.ts";
import { type Columns, RowWriter, sqlColumns } from "./row-writer.ts";

export type SealedPassword = ReturnType<typeof sealPassword>;
/** By subscriber id. */
export type SealedPasswords = ReadonlyMap<number, SealedPassword>;

interface Profile {
  package_id: number;
  password_sealed: Uint8Array;
}

/** Writes services as activation would, without money; what activation does one by one, for very many. */
export class ServiceWriter {
  readonly #tx: Tx;
  readonly #sealed: SealedPasswords;
  readonly #writer: RowWriter;
  readonly #packages = new Map<number, typeof packages.$inferSelect>();

  constructor(tx: Tx, sealed: SealedPasswords) {
    this.#tx = tx;
    this.#sealed = sealed;
    this.#writer = new RowWriter(tx, "services", "subscriber_id");
  }

  /** Opens the line of a written subscriber until then; a service that it has already is replaced. */
  write({ id, known }: { id: number; known: boolean }, expiresAt: Seconds): void {
    const profile = this.#tx.$client
      .query<Profile, [number]>("SELECT package_id, password_sealed FROM subscribers WHERE id = ?")
      .get(id);
    if (!profile) throw new Error(`subscriber ${id} was not written`);
    const terms = serviceTerms({
      package: this.#package(profile.package_id),
      expiresAt,
      activatedAt: null,
    });
    if (known) this.remove(id);
    this.#writer.insert({
      subscriber_id: id,
      ...sqlColumns(services, terms),
      ...this.#passwordColumns(id, profile),
    });
  }

  /** As reset_password does: RADIUS takes the new password of an active subscriber, others get it at activation. */
  changePassword(id: number, { passwordSealed, ntHashSealed }: SealedPassword, now: Seconds): void {
    this.#tx.$client
      .query(
        `UPDATE services SET password_sealed = ?, nt_hash_sealed = ? WHERE subscriber_id = ?
         AND expires_at > ? AND (SELECT status FROM subscribers WHERE id = subscriber_id) = 1`,
      )
      .run(passwordSealed, ntHashSealed, id, now);
  }

  remove(id: number): void {
    this.#tx.$client.query("DELETE FROM services WHERE subscriber_id = ?").run(id);
  }

  #passwordColumns(id: number, { password_sealed }: Profile): Columns {
    const { vault } = this.#tx;
    const sealed = this.#sealed.get(id) ?? sealPassword(vault, vault.openText(password_sealed));
    return { password_sealed: sealed.passwordSealed, nt_hash_sealed: sealed.ntHashSealed };
  }

  #package(id: number): typeof packages.$inferSelect {
    const found = this.#packages.get(id) ?? this.#tx.select().from(packages).where(eq(packages.id, id)).get();
    if (!found) throw new Error(`package ${id} was not written`);
    this.#packages.set(id, found);
    return found;
  }
}
