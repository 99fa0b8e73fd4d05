/*
 * Single-block DES encryption (FIPS 46-3) for MS-CHAP, which needs three blocks a login under keys that only change with the
 * password. The crypto module needs an object per block, which costs many times the block itself; here a key is prepared once.
 */

/** Words of a prepared key: two for each of the 16 rounds. */
export const SCHEDULE_WORDS = 32;
const ROUNDS = 16;

// The tables of the standard, which counts bits from 1, the most significant one first.
const PC1 = [
  ...[
    57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18, 10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44,
    36,
  ],
  ...[
    63, 55, 47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22, 14, 6, 61, 53, 45, 37, 29, 21, 13, 5, 28, 20, 12,
    4,
  ],
];
const PC2 = [
  ...[14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, 23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2],
  ...[41, 52, 31, 37, 47, 55, 30, 40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32],
];
const SHIFTS = [1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1];
const P = [
  ...[16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10],
  ...[2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22, 11, 4, 25],
];
/** S1 to S8, each its four rows of 16. */
const S = [
  "e4d12fb83a6c5907 0f74e2d1a6cb9538 41e8d62bfc973a50 fc8249175b3ea06d",
  "f18e6b34972dc05a 3d47f28ec01a69b5 0e7ba4d158c6932f d8a13f42b67c05e9",
  "a09e63f51dc7b428 d709346a285ecbf1 d6498f30b12c5ae7 1ad069874fe3b52c",
  "7de3069a1285bc4f d8b56f03472c1ae9 a690cb7df13e5284 3f06a1d8945bc72e",
  "2c417ab6853fd0e9 eb2c47d150fa3986 421bad78f9c5630e b8c71e2d6f09a453",
  "c1af92680d34e75b af427c9561de0b38 9ef528c3704a1db6 432c95fabe17608d",
  "4b2ef08d3c975a61 d0b7491ae35c2f86 14bdc37eaf680592 6bd814a7950fe23c",
  "d2846fb1a93e50c7 1fd8a374c56b0e92 7b419ce206adf358 21e74a8dfc90356b",
];

/** What each value of each half byte of a key contributes to its schedule (PC1, shifts, PC2): 14 * 16 schedules that are ORed. */
const KEY_PARTS = new Int32Array(14 * 16 * SCHEDULE_WORDS);
for (let round = 0, shift = 0; round < ROUNDS; round++) {
  shift += SHIFTS[round] ?? 0;
  for (const [index, chosen] of PC2.entries()) {
    const half = chosen <= 28 ? 0 : 28;
    const position = (PC1[half + ((chosen - 1 - half + shift) % 28)] ?? 0) - 1;
    // PC1 counts parity bits, which a key of seven bytes does not have
    const bit = position - (position >> 3);
    // six bits for each box: S1, S3, S5 and S7 in the first word of a round, the others in the second
    const box = Math.floor(index / 6);
    const word = 2 * round + (box & 1);
    for (let value = 0; value < 16; value++) {
      const part = ((bit >> 2) * 16 + value) * SCHEDULE_WORDS + word;
      const isSet = (value >> (3 - (bit & 3))) & 1;
      KEY_PARTS[part] = (KEY_PARTS[part] ?? 0) | (isSet << (29 - 8 * (box >> 1) - (index % 6)));
    }
  }
}

/** The S-boxes in sequence, with P applied and rotated left by one, as both halves of a block are below. */
const SP = Int32Array.from({ length: 8 * 64 }, (_, index) => {
  const box = index >> 6;
  const input = index & 63;
  const row = ((input >> 4) & 2) | (input & 1);
  const digit = S[box]?.[row * 17 + ((input >> 1) & 15)] ?? "";
  const output = Number.parseInt(digit, 16) << (28 - 4 * box);
  const permuted = P.reduce((word, from, to) => word | (((output >>> (32 - from)) & 1) << (31 - to)), 0);
  return (permuted << 1) | (permuted >>> 31);
});

/** Prepares a key from the seven bytes at `from`, zero-padded, into `schedule` at `at`. */
export function prepareKey(bytes: Uint8Array, from: number, schedule: Int32Array, at: number): void {
  for (let index = 0; index < 14; index++) {
    const byte = bytes[from + (index >> 1)] ?? 0;
    const value = index % 2 === 0 ? byte >> 4 : byte & 15;
    const part = (index * 16 + value) * SCHEDULE_WORDS;
    for (let word = 0; word < SCHEDULE_WORDS; word++)
      schedule[at + word] = (schedule[at + word] ?? 0) | (KEY_PARTS[part + word] ?? 0);
  }
}

/** Encrypts the eight bytes of `block` under the key at `at` of `schedule`, into `into` at `to`. */
export function encryptBlock(
  schedule: Int32Array,
  at: number,
  block: Uint8Array,
  into: Uint8Array,
  to: number,
): void {
  let left = readWord(block, 0);
  let right = readWord(block, 4);
  let moved = ((left >>> 4) ^ right) & 0x0f0f0f0f;
  right ^= moved;
  left ^= moved << 4;
  moved = ((left >>> 16) ^ right) & 0x0000ffff;
  right ^= moved;
  left ^= moved << 16;
  moved = ((right >>> 2) ^ left) & 0x33333333;
  left ^= moved;
  right ^= moved << 2;
  moved = ((right >>> 8) ^ left) & 0x00ff00ff;
  left ^= moved;
  right ^= moved << 8;
  moved = ((left >>> 1) ^ right) & 0x55555555;
  right ^= moved;
  left ^= moved << 1;
  // rotated left by one, the six bits of every second box end at a byte boundary
  left = (left << 1) | (left >>> 31);
  right = (right << 1) | (right >>> 31);
  for (let key = at; key < at + SCHEDULE_WORDS; key += 4) {
    left ^= mix(right, schedule[key] ?? 0, schedule[key + 1] ?? 0);
    right ^= mix(left, schedule[key + 2] ?? 0, schedule[key + 3] ?? 0);
  }
  left = (left << 31) | (left >>> 1);
  right = (right << 31) | (right >>> 1);
  moved = ((right >>> 1) ^ left) & 0x55555555;
  left ^= moved;
  right ^= moved << 1;
  moved = ((left >>> 8) ^ right) & 0x00ff00ff;
  right ^= moved;
  left ^= moved << 8;
  moved = ((left >>> 2) ^ right) & 0x33333333;
  right ^= moved;
  left ^= moved << 2;
  moved = ((right >>> 16) ^ left) & 0x0000ffff;
  left ^= moved;
  right ^= moved << 16;
  moved = ((right >>> 4) ^ left) & 0x0f0f0f0f;
  left ^= moved;
  right ^= moved << 4;
  setWord(into, to, right);
  setWord(into, to + 4, left);
}

function mix(half: number, oddKey: number, evenKey: number): number {
  const odd = ((half << 28) | (half >>> 4)) ^ oddKey;
  const even = half ^ evenKey;
  return (
    (SP[(odd >>> 24) & 63] ?? 0) |
    (SP[64 + ((even >>> 24) & 63)] ?? 0) |
    (SP[128 + ((odd >>> 16) & 63)] ?? 0) |
    (SP[192 + ((even >>> 16) & 63)] ?? 0) |
    (SP[256 + ((odd >>> 8) & 63)] ?? 0) |
    (SP[320 + ((even >>> 8) & 63)] ?? 0) |
    (SP[384 + (odd & 63)] ?? 0) |
    (SP[448 + (even & 63)] ?? 0)
  );
}

function readWord(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at] ?? 0) << 24) |
    ((bytes[at + 1] ?? 0) << 16) |
    ((bytes[at + 2] ?? 0) << 8) |
    (bytes[at + 3] ?? 0)
  );
}

function setWord(bytes: Uint8Array, at: number, word: number): void {
  bytes[at] = word >>> 24;
  bytes[at + 1] = word >>> 16;
  bytes[at + 2] = word >>> 8;
  bytes[at + 3] = word;
}
