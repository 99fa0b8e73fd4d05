import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { encodeSentence, SentenceReader } from "../../src/routeros/framing.ts";

const sentences = fc.array(
  fc.array(fc.string({ minLength: 1, maxLength: 300, unit: "binary" }), { minLength: 1, maxLength: 8 }),
  { maxLength: 8 },
);

test("whatever the segments, the same sentences come out", () => {
  fc.assert(
    fc.property(sentences, fc.array(fc.nat(200), { maxLength: 50 }), (sentences, sizes) => {
      const stream = Buffer.concat(
        sentences.map((words) => encodeSentence(words.map((word) => word.toWellFormed()))),
      );
      const reader = new SentenceReader();
      const events: string[][] = [];
      let at = 0;
      for (const size of [...sizes, stream.length]) {
        events.push(...reader.push(stream.subarray(at, at + size)));
        at += size;
      }
      expect(events).toEqual(sentences.map((words) => words.map((word) => word.toWellFormed())));
    }),
  );
});

describe("what is no router's", () => {
  test("a word of megabytes in small segments costs what its bytes cost, once", () => {
    const length = 4 * 1024 * 1024;
    const word = Buffer.concat([
      Buffer.of(0xe0 | (length >> 24), length >> 16, 0, 0),
      Buffer.alloc(length, 97),
    ]);
    const reader = new SentenceReader();
    const began = performance.now();
    for (let at = 0; at < word.length; at += 100) reader.push(word.subarray(at, at + 100));
    expect(performance.now() - began).toBeLessThan(10_000); // copied at each of 42,000 segments it takes a minute
    expect(reader.push(Buffer.of(0))).toEqual([["a".repeat(length)]]);
  });

  test("a sentence without an end is refused before it fills the memory", () => {
    const reader = new SentenceReader();
    const words = Buffer.from("\x01a".repeat(10_000), "latin1");
    expect(() => {
      for (let i = 0; i < 100; i++) reader.push(words);
    }).toThrow("not the RouterOS API");
  });

  test("a word that announces gigabytes is refused at once", () => {
    expect(() => new SentenceReader().push(Buffer.of(0xf0, 0xff, 0xff, 0xff, 0xff))).toThrow(
      "not the RouterOS API",
    );
  });
});
