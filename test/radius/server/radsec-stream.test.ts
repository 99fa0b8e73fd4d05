import { expect, test } from "bun:test";
import { randomBytes, randomInt } from "node:crypto";
import { PacketStream } from "../../../src/radius/server/radsec-stream.ts";

function packet(length: number): Buffer {
  const bytes = randomBytes(length);
  bytes.writeUInt16BE(length, 2);
  return bytes;
}

test("packets come out whole and in order, however the bytes are cut", () => {
  for (let tries = 0; tries < 200; tries++) {
    const sent = Array.from({ length: 20 }, () => packet(randomInt(20, tries % 10 === 0 ? 4097 : 200)));
    const all = Buffer.concat(sent);
    const stream = new PacketStream();
    const got: Buffer[] = [];
    for (let at = 0; at < all.length;) {
      const end = at + randomInt(1, 1 + Math.max(1, randomInt(1, 500)));
      // the buffer of a read may be used again after it
      const chunk = Buffer.from(all.subarray(at, end));
      got.push(...(stream.add(chunk) ?? []).map((one) => Buffer.from(one)));
      chunk.fill(0);
      at = end;
    }
    expect(Buffer.concat(got).equals(all)).toBe(true);
    expect(got.map(({ length }) => length)).toEqual(sent.map(({ length }) => length));
  }
});

test.each([0, 19, 4097, 65_535])("a packet that says it has %d bytes ends the stream", (length) => {
  const bytes = Buffer.alloc(64);
  bytes.writeUInt16BE(length, 2);
  expect(new PacketStream().add(bytes)).toBeUndefined();
});
