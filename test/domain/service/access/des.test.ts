import { createCipheriv } from "node:crypto";

import { expect, test } from "bun:test";
import * as fc from "fast-check";

import { encryptBlock, prepareKey, SCHEDULE_WORDS } from "../../../../src/domain/service/access/des.ts";
import { runs } from "../../../support/runs.ts";

/** The seven bytes of a key without its parity bits. */
function withoutParity(key: Uint8Array): Buffer {
  let bits = 0n;
  for (const byte of key) bits = (bits << 7n) | BigInt(byte >> 1);
  return Buffer.from(bits.toString(16).padStart(14, "0"), "hex");
}

function encrypt(key: Uint8Array, block: Uint8Array): Buffer {
  const schedule = new Int32Array(SCHEDULE_WORDS);
  prepareKey(withoutParity(key), 0, schedule, 0);
  const encrypted = Buffer.alloc(8);
  encryptBlock(schedule, 0, block, encrypted, 0);
  return encrypted;
}

// known answers of NIST Special Publication 500-20, the example of FIPS 81, and one worked out by hand in many a textbook
test.each<[key: string, block: string, encrypted: string]>([
  ["0101010101010101", "95f8a5e5dd31d900", "8000000000000000"],
  ["0101010101010101", "dd7f121ca5015619", "4000000000000000"],
  ["0101010101010101", "166b40b44aba4bd6", "0000000000000001"],
  ["8001010101010101", "0000000000000000", "95a8d72813daa94d"],
  ["0101010101010102", "0000000000000000", "869efd7f9f265a09"],
  ["1046913489980131", "0000000000000000", "88d55e54f54c97b4"],
  ["7ca110454a1a6e57", "01a1d6d039776742", "690f5b0d9a26939b"],
  ["0123456789abcdef", "4e6f772069732074", "3fa40e8a984d4815"],
  ["133457799bbcdff1", "0123456789abcdef", "85e813540f0ab405"],
])("key %s, block %s", (key, block, encrypted) => {
  expect(encrypt(Buffer.from(key, "hex"), Buffer.from(block, "hex")).toString("hex")).toBe(encrypted);
});

test("any key and any block, as the crypto module has it", () => {
  const eight = fc.uint8Array({ minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(eight, eight, (key, block) => {
      const expected = createCipheriv("des-ecb", key, null).update(block);
      expect(encrypt(key, block)).toEqual(expected);
    }),
    runs(500, 2000),
  );
});

test("a key that ends early has zeros behind it, and others beside it in the same array are left alone", () => {
  const hash = Buffer.from("000102030405060708090a0b0c0d0e0f", "hex");
  const schedule = new Int32Array(3 * SCHEDULE_WORDS);
  prepareKey(hash, 14, schedule, 2 * SCHEDULE_WORDS);
  expect(schedule.subarray(0, 2 * SCHEDULE_WORDS).every((word) => word === 0)).toBe(true);
  const alone = new Int32Array(SCHEDULE_WORDS);
  prepareKey(Buffer.from("0e0f0000000000", "hex"), 0, alone, 0);
  expect(schedule.subarray(2 * SCHEDULE_WORDS)).toEqual(alone);
});
