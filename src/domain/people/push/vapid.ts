import { createECDH } from "node:crypto";
import type { Db } from "../../../../db/open.ts";

/** Keys by which push services know that a notification is of this box (RFC 8292), in base64url. */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** The order of P-256, less one. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550n;

/** Keys from that of the vault: the store has nothing of them, and a box that is brought back from a backup goes on with the same. */
export function vapidKeys({ vault }: Pick<Db, "vault">): VapidKeys {
  const scalar = (BigInt(`0x${vault.deriveKey("web push").toString("hex")}`) % ORDER) + 1n;
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(Buffer.from(scalar.toString(16).padStart(64, "0"), "hex"));
  return { publicKey: pair.getPublicKey("base64url"), privateKey: pair.getPrivateKey("base64url") };
}
