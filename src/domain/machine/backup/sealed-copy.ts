import { createCipheriv, createDecipheriv, type DecipherGCM, randomBytes } from "node:crypto";
import { createWriteStream, rmSync } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { pipeline as run } from "node:stream/promises";
import { createZstdCompress, createZstdDecompress } from "node:zlib";
import { Vault } from "../../../../db/vault.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";

const VERSION = 1;
const NONCE = 12;
const TAG = 16;
const HEAD = 1 + NONCE;
const CIPHER = "aes-256-gcm";

/** The purpose of `Vault.deriveKey` for backups stored elsewhere. */
export const BACKUP_COPY = "backup copy";

/** The copies' key from the text of secret.key. */
export function deriveCopyKey(key: string): Uint8Array {
  return new Vault(Buffer.from(key.trim(), "base64")).deriveKey(BACKUP_COPY);
}

/**
 * Encrypts a backup for storage elsewhere: version, nonce (12 bytes), zstd of `read` under AES-256-GCM, tag (16). Destroy the
 * stream if it is not read to its end.
 */
export function sealedCopy(read: () => AsyncIterable<Uint8Array>, key: Uint8Array): Readable {
  async function* parts() {
    const nonce = randomBytes(NONCE);
    const cipher = createCipheriv(CIPHER, key, nonce);
    yield Buffer.concat([Buffer.of(VERSION), nonce]);
    // the pipeline passes errors on to its last stream
    yield* pipeline(Readable.from(read()), createZstdCompress(), cipher, () => {});
    yield cipher.getAuthTag();
  }
  return Readable.from(parts());
}

/** Throws `refused` for a changed or truncated file or another key, and leaves none. */
export async function openCopy(
  sealed: AsyncIterable<Uint8Array>,
  { key, to }: { key: Uint8Array; to: string },
): Promise<void> {
  const file = createWriteStream(to, { flags: "wx", mode: 0o600, flush: true });
  try {
    await run(opened(sealed, key), createZstdDecompress(), file);
  } catch (error) {
    rmSync(to, { force: true });
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!(error instanceof DomainError) && !code.startsWith("ZSTD_")) throw error;
    throw damaged(error);
  }
}

async function* opened(sealed: AsyncIterable<Uint8Array>, key: Uint8Array) {
  let decipher: DecipherGCM | undefined;
  let rest = Buffer.alloc(0); // the last bytes are the tag
  for await (const chunk of sealed) {
    rest = Buffer.concat([rest, chunk]);
    if (!decipher && rest.length >= HEAD) {
      if (rest[0] !== VERSION)
        throw new DomainError("refused", phrase`this backup is of another version; take a newer gatehouse`);
      decipher = createDecipheriv(CIPHER, key, rest.subarray(1, HEAD));
      rest = rest.subarray(HEAD);
    }
    if (!decipher || rest.length <= TAG) continue;
    yield decipher.update(rest.subarray(0, -TAG));
    rest = rest.subarray(-TAG);
  }
  if (!decipher || rest.length !== TAG) throw damaged();
  decipher.setAuthTag(rest);
  try {
    decipher.final(); // throws unless the tag is theirs
  } catch (cause) {
    throw damaged(cause);
  }
}

function damaged(cause?: unknown): DomainError {
  if (cause instanceof DomainError) return cause;
  const words = phrase`this backup was changed, cut off or sealed under another key; take another one`;
  return Object.assign(new DomainError("refused", words), { cause });
}
