import { crc32 } from "node:zlib";
import type { HotspotFile } from "./files.ts";

/** 1 January 1980, zip's earliest: equal files give equal archives. */
const DATE = 0x21;
const UTF8 = 0x0800;

/** The archive, uncompressed, for the files are small. */
export function makeZip(folder: string, files: readonly HotspotFile[]): Buffer<ArrayBuffer> {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content } of files) {
    const path = Buffer.from(`${folder}/${name}`);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(10, 0); // the version that it takes
    common.writeUInt16LE(UTF8, 2);
    common.writeUInt16LE(DATE, 8);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(content.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(path.length, 22);
    const local = [Buffer.from("PK\x03\x04"), common, path, Buffer.from(content)];
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    directory.push(Buffer.from("PK\x01\x02"), Buffer.of(10, 0), common, rest, path);
    pieces.push(...local);
    at += local.reduce((sum, { length }) => sum + length, 0);
  }
  const length = directory.reduce((sum, piece) => sum + piece.length, 0);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06");
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...pieces, ...directory, end]);
}
