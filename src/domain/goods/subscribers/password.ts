import { createHash } from "node:crypto";
import type { Tx } from "../../../../db/open.ts";
import { services } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import type { Vault } from "../../../../db/vault.ts";

/** MD4 of UTF-16LE (RFC 2759 8.3). */
export function ntPasswordHash(password: string): Buffer {
  return createHash("md4").update(Buffer.from(password, "utf16le")).digest();
}

/** Clear and NT hash, sealed. */
export function sealPassword(
  vault: Vault,
  password: string,
): { passwordSealed: Buffer; ntHashSealed: Buffer } {
  return { passwordSealed: vault.seal(password), ntHashSealed: vault.seal(ntPasswordHash(password)) };
}

/** Stores the password of an activated subscriber where logins are decided. */
export function storeRadiusPassword(tx: Tx, subscriberId: number, password: string): void {
  update(tx, services, sealPassword(tx.vault, password), { subscriberId });
}
