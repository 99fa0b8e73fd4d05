import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import type { Vault } from "../../../../db/vault.ts";
import { headOf, packHead, SealError } from "./seal.ts";

/*
 * That books of an epoch count is theirs alone to prove: a head without a body, signed by the books' key (Ed25519, RFC 8032). Boxes carry it
 * on; none of them, stolen or not, can make one. The key follows from the appliance's master key, so that whoever restores any backup
 * signs as the books before, and nothing more has to be kept.
 */

/** DER of an Ed25519 private key before its 32 bytes (RFC 8410). */
const PRIVATE = Buffer.from("302e020100300506032b657004220420", "hex");
/** What is signed begins with it, so that no other signature can be one of a head. */
const PURPOSE = Buffer.from("gatehouse books head\0");
const SIGNATURE = 64;
/** Epochs rise by one. One so far above is of nobody's books, and taken by nobody: there would soon be none above it. */
const MOST_ABOVE = 1000;

interface HasVault {
  readonly vault: Pick<Vault, "deriveKey">;
}

/** The public half of the books' key, base64 of its DER: what boxes are given. */
export function signingKeyOf(db: HasVault): string {
  return createPublicKey(privateKey(db)).export({ type: "spki", format: "der" }).toString("base64");
}

/** The head of books of that epoch, signed by their key. */
export function signHead(db: HasVault, epoch: number): Buffer {
  // no boxes' key has the number 0: a box that knows no signature passes over it
  const head = packHead(0, { epoch, number: 0, isGone: false });
  return Buffer.concat([head, sign(null, Buffer.concat([PURPOSE, head]), privateKey(db))]);
}

/** The epoch that a signed head proves; undefined for what those books have not signed. */
export function headEpoch(bytes: Uint8Array, publicKey: string): number | undefined {
  const epoch = claimedEpoch(bytes);
  if (epoch === undefined) return undefined;
  const key = createPublicKey({ key: Buffer.from(publicKey, "base64"), type: "spki", format: "der" });
  const [head, signature] = [bytes.subarray(0, -SIGNATURE), bytes.subarray(-SIGNATURE)];
  return verify(null, Buffer.concat([PURPOSE, head]), key, signature) ? epoch : undefined;
}

/** The epoch that the head of a record says, which nothing has proven; undefined for what is no record. */
export function claimedEpoch(bytes: Uint8Array): number | undefined {
  try {
    return headOf(bytes).epoch;
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}

/** Whether an epoch is so far above one's own that nobody's books have it. */
export function isFarAbove(epoch: number, own: number): boolean {
  return epoch > own + MOST_ABOVE;
}

/** Whether books of that epoch, which they have proven, count in the place of those of `own`. */
export function countsAbove(epoch: number | undefined, own: number): epoch is number {
  return epoch !== undefined && epoch > own && !isFarAbove(epoch, own);
}

function privateKey({ vault }: HasVault) {
  const key = Buffer.concat([PRIVATE, vault.deriveKey("books head")]);
  return createPrivateKey({ key, type: "pkcs8", format: "der" });
}
