import type { Db } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import type { Seconds } from "../../core/time/time.ts";
import { nasById } from "../nas/find.ts";
import type { ConfigSource } from "./read.ts";

/** A copy without its text. */
export interface ConfigCopy {
  readonly id: number;
  readonly nasId: number;
  readonly keptAt: Seconds;
  readonly seenAt: Seconds;
  readonly source: ConfigSource;
  readonly version: string;
  readonly bytes: number;
  /** Incomplete. */
  readonly isPartial: boolean;
}

export interface ConfigTry {
  readonly triedAt: Seconds;
  readonly failure: string | null;
  /** A blemish. */
  readonly note: string | null;
}

type Row = Omit<ConfigCopy, "isPartial"> & { partial: number };

const columns = `id, nas_id AS nasId, kept_at AS keptAt, seen_at AS seenAt, source, version, bytes, is_partial AS partial`;

const shaped = ({ partial, ...row }: Row): ConfigCopy => ({ ...row, isPartial: partial === 1 });

/** Copies, the newest first, with the last try. Throws `not_found`. */
export function configCopies(
  db: Db,
  by: Actor,
  nasId: number,
): { readonly name: string; readonly copies: ConfigCopy[]; readonly last: ConfigTry | null } {
  permit(by, "configCopies");
  const { name } = nasById(db, by.scope, nasId);
  return { name, copies: listCopies(db, nasId), last: lastTry(db, nasId) };
}

export function listCopies({ $client }: Db, nasId: number): ConfigCopy[] {
  return $client
    .query<Row, [number]>(`SELECT ${columns} FROM router_configs WHERE nas_id = ? ORDER BY id DESC`)
    .all(nasId)
    .map(shaped);
}

function lastTry({ $client }: Db, nasId: number): ConfigTry | null {
  return $client
    .query<ConfigTry, [number]>(
      "SELECT tried_at AS triedAt, failure, note FROM router_config_tries WHERE nas_id = ?",
    )
    .get(nasId);
}

export function openCopy({ $client, vault }: Db, nasId: number, id: number): ConfigCopy & { text: string } {
  const row = $client
    .query<Row & { sealed: Uint8Array }, [number, number]>(
      `SELECT ${columns}, text_sealed AS sealed FROM router_configs WHERE nas_id = ? AND id = ?`,
    )
    .get(nasId, id);
  if (!row)
    throw new DomainError(
      "not_found",
      phrase`there is no copy ${id} of that router; see: gatehouse nas config list`,
    );
  const { sealed, ...copy } = row;
  const text = Buffer.from(Bun.gunzipSync(new Uint8Array(vault.open(sealed)))).toString();
  return { ...shaped(copy), text };
}
