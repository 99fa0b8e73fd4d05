import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import type { Vault } from "../../../../db/vault.ts";
import { packHead, parseHead, SealError } from "./seal.ts";

/*
 * A primary proves its epoch by a head signed with Ed25519 (RFC 8032). Boxes pass it on and cannot forge it. The key derives
 * from the master key, so that a restored backup signs alike.
 */

/** DER prefix of an Ed25519 private key (RFC 8410). */
const PRIVATE = Buffer.from("302e020100300506032b657004220420", "hex");
/** Domain separation: no other signature can pass for one of a head. */
const PURPOSE = Buffer.from("gatehouse books head\0");
const SIGNATURE = 64;
/** Epochs rise by one. One this far above is forged: accepting it would soon leave none above. */
const MOST_ABOVE = 1000;

interface HasVault {
  readonly vault: Pick<Vault, "deriveKey">;
}

/** Base64 of its DER. */
export function readSigningKey(db: HasVault): string {
  return createPublicKey(privateKey(db)).export({ type: "spki", format: "der" }).toString("base64");
}

/** The head, signed with the primary's key. */
export function signHead(db: HasVault, epoch: number): Buffer {
  // 0 is no key number: older boxes skip it
  const head = packHead(0, { epoch, number: 0, isGone: false });
  return Buffer.concat([head, sign(null, Buffer.concat([PURPOSE, head]), privateKey(db))]);
}

/** The epoch of a head; undefined: that primary has not signed it. */
export function headEpoch(bytes: Uint8Array, publicKey: string): number | undefined {
  const epoch = claimedEpoch(bytes);
  if (epoch === undefined) return undefined;
  const key = createPublicKey({ key: Buffer.from(publicKey, "base64"), type: "spki", format: "der" });
  const [head, signature] = [bytes.subarray(0, -SIGNATURE), bytes.subarray(-SIGNATURE)];
  return verify(null, Buffer.concat([PURPOSE, head]), key, signature) ? epoch : undefined;
}

/** The epoch that a head claims, unverified; undefined: no record. */
export function claimedEpoch(bytes: Uint8Array): number | undefined {
  try {
    return parseHead(bytes).epoch;
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}

/** Whether an epoch is too far above the own one to be real. */
export function isFarAbove(epoch: number, own: number): boolean {
  return epoch > own + MOST_ABOVE;
}

/** Whether a proven epoch supersedes `own`. */
export function countsAbove(epoch: number | undefined, own: number): epoch is number {
  return epoch !== undefined && epoch > own && !isFarAbove(epoch, own);
}

function privateKey({ vault }: HasVault) {
  const key = Buffer.concat([PRIVATE, vault.deriveKey("books head")]);
  return createPrivateKey({ key, type: "pkcs8", format: "der" });
}
