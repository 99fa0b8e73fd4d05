import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";

/* Encryption for one box: X25519 (RFC 7748) with an ephemeral key, HKDF-SHA256, AES-256-GCM. Keys are base64 of their DER. */

const NONCE = 12;
const TAG = 16;
const PUBLIC = 44; // bytes of a public key's DER

export interface KeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

export function makeKeyPair(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync("x25519");
  return {
    publicKey: publicKey.export({ type: "spki", format: "der" }).toString("base64"),
    privateKey: privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"),
  };
}

/** Encrypts for the holder of the private key. */
export function sealFor(publicKey: string, bytes: Uint8Array): Buffer {
  const theirs = createPublicKey({ key: Buffer.from(publicKey, "base64"), type: "spki", format: "der" });
  const ours = generateKeyPairSync("x25519");
  const head = ours.publicKey.export({ type: "spki", format: "der" });
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv("aes-256-gcm", sharedKey(ours.privateKey, theirs, head), nonce);
  const body = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([head, nonce, cipher.getAuthTag(), body]);
}

/** Throws for another recipient or changed bytes. */
export function openSealedFor(privateKey: string, sealed: Uint8Array): Buffer {
  const bytes = Buffer.from(sealed);
  const head = bytes.subarray(0, PUBLIC);
  const ours = createPrivateKey({ key: Buffer.from(privateKey, "base64"), type: "pkcs8", format: "der" });
  const theirs = createPublicKey({ key: head, type: "spki", format: "der" });
  const nonce = bytes.subarray(PUBLIC, PUBLIC + NONCE);
  const decipher = createDecipheriv("aes-256-gcm", sharedKey(ours, theirs, head), nonce);
  decipher.setAuthTag(bytes.subarray(PUBLIC + NONCE, PUBLIC + NONCE + TAG));
  return Buffer.concat([decipher.update(bytes.subarray(PUBLIC + NONCE + TAG)), decipher.final()]);
}

function sharedKey(privateKey: KeyObject, publicKey: KeyObject, head: Uint8Array): Buffer {
  const secret = diffieHellman({ privateKey, publicKey });
  return Buffer.from(hkdfSync("sha256", secret, head, "gatehouse boxes", 32));
}
