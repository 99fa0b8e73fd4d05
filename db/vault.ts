import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const VERSION = 1;
const NONCE = 12;
const TAG = 16;

/** Encrypts what RADIUS needs in clear (passwords, NAS secrets), so that a copied database alone is worthless. */
export class Vault {
  readonly #master: Buffer;
  readonly #sealing: Buffer;

  constructor(master: Buffer) {
    if (master.length !== 32)
      throw new Error("the key is not 32 bytes long; restore secret.key from a backup");
    this.#master = master;
    this.#sealing = this.deriveKey("seal");
  }

  /** 32 bytes by HKDF-SHA256 (RFC 5869). */
  deriveKey(purpose: string): Buffer {
    return Buffer.from(hkdfSync("sha256", this.#master, "", `gatehouse ${purpose}`, 32));
  }

  /** AES-256-GCM: version, nonce, tag, ciphertext. */
  seal(plain: Uint8Array | string): Buffer {
    const nonce = randomBytes(NONCE);
    const cipher = createCipheriv("aes-256-gcm", this.#sealing, nonce);
    const body = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([Buffer.from([VERSION]), nonce, cipher.getAuthTag(), body]);
  }

  /** Throws what to do for another key or changed bytes. */
  open(sealed: Uint8Array): Buffer {
    try {
      return this.#open(sealed);
    } catch (cause) {
      throw new Error("a stored password or secret was damaged and cannot be opened; see: gatehouse check", {
        cause,
      });
    }
  }

  #open(sealed: Uint8Array): Buffer {
    if (sealed[0] !== VERSION || sealed.length < 1 + NONCE + TAG)
      throw new Error("not a sealed value of this version");
    const decipher = createDecipheriv("aes-256-gcm", this.#sealing, sealed.subarray(1, 1 + NONCE));
    decipher.setAuthTag(sealed.subarray(1 + NONCE, 1 + NONCE + TAG));
    const plain = decipher.update(sealed.subarray(1 + NONCE + TAG)); // all of it, in this mode
    decipher.final(); // throws unless the tag is theirs
    return plain;
  }

  openText(sealed: Uint8Array): string {
    return this.open(sealed).toString("utf8");
  }

  /** undefined for bytes that cannot be decrypted. */
  openTextIfWhole(sealed: Uint8Array): string | undefined {
    try {
      return this.openText(sealed);
    } catch {
      return undefined;
    }
  }
}

/** Throws what to do. */
export function readKey(path: string): Vault {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new Error(`cannot read the key file ${path}; restore it from a backup of the data folder`, {
      cause: error,
    });
  }
  return new Vault(Buffer.from(text.trim(), "base64"));
}

/** Mode 0600, synced before it gets its name; never overwrites one. */
export function createKey(path: string): Vault {
  const master = randomBytes(32);
  const unfinished = `${path}.${process.pid}.unfinished`;
  rmSync(unfinished, { force: true });
  try {
    writeFileSync(unfinished, `${master.toString("base64")}\n`, { mode: 0o600, flag: "wx", flush: true });
    linkSync(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
  }
  return new Vault(master);
}
