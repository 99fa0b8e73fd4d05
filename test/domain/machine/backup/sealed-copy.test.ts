import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import {
  createReadStream,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deriveCopyKey, openCopy, sealedCopy } from "../../../../src/domain/machine/backup/sealed-copy.ts";

let folder: string;
let file: string;
let to: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-copy-"));
  [file, to] = [join(folder, "in"), join(folder, "out")];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const secret = randomBytes(32).toString("base64");
const key = deriveCopyKey(`${secret}\n`);

async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(stream));
}

/** In pieces of that many bytes, as they may come. */
async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe("a backup that lies with others", () => {
  for (const size of [1, 20, 65_536, 3_000_000])
    test(`comes out as it was, of ${size} bytes`, async () => {
      const content = Buffer.concat([randomBytes(Math.ceil(size / 2)), Buffer.alloc(size)]).subarray(0, size);
      writeFileSync(file, content);
      const sealed = await bytesOf(sealedCopy(() => createReadStream(file), key));
      for (const piece of [7, 100_000]) {
        await openCopy(inPieces(sealed, Math.max(piece, size / 1000)), { key, to: `${to}-${piece}` });
        expect(readFileSync(`${to}-${piece}`).equals(content)).toBeTrue();
      }
      expect(statSync(`${to}-7`).mode & 0o777).toBe(0o600);
    });

  test("is smaller, and shows nothing of what is in it", async () => {
    writeFileSync(file, "Ahmad Karimi, Kabul. ".repeat(10_000));
    const sealed = await bytesOf(sealedCopy(() => createReadStream(file), key));
    expect(sealed.length).toBeLessThan(5000);
    expect(sealed.includes("Karimi")).toBeFalse();
    expect((await bytesOf(sealedCopy(() => createReadStream(file), key))).equals(sealed)).toBeFalse(); // another nonce
  });

  test("is refused where a bit was changed, an end is missing or the key is another, and leaves nothing", async () => {
    writeFileSync(file, randomBytes(5000));
    const sealed = await bytesOf(sealedCopy(() => createReadStream(file), key));
    const faulty = [0, 1, 12, 13, 14, 2000, sealed.length - 17, sealed.length - 1].map((at) => {
      const bytes = Buffer.from(sealed);
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      return bytes;
    });
    const cut = [0, 5, 13, 20, 29, 4000, sealed.length - 1].map((length) => sealed.subarray(0, length));
    for (const bytes of [...faulty, ...cut, Buffer.concat([sealed, Buffer.of(0)])]) {
      await expect(openCopy(inPieces(bytes, 999), { key, to })).rejects.toMatchObject({ kind: "refused" });
      expect(existsSync(to)).toBeFalse();
    }
    const other = deriveCopyKey(randomBytes(32).toString("base64"));
    await expect(openCopy(inPieces(sealed, 999), { key: other, to })).rejects.toMatchObject({
      kind: "refused",
      message: "this backup was changed, cut off or sealed under another key; take another one",
    });
  });

  test("a file that is not there, or a stream that ends in a fault, is said and leaves nothing", async () => {
    await expect(bytesOf(sealedCopy(() => createReadStream(join(folder, "none")), key))).rejects.toThrow(
      "ENOENT",
    );
    async function* broken() {
      yield Buffer.of(1, 2, 3);
      throw new Error("the line went");
    }
    await expect(openCopy(broken(), { key, to })).rejects.toThrow("the line went");
    expect(existsSync(to)).toBeFalse();
  });
});
