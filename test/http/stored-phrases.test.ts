import { expect, test } from "bun:test";
import { Phrase, phrase } from "../../src/domain/core/errors/phrase.ts";
import { readCompiled } from "../../src/http/words/messages.ts";
import { storedPhrase } from "../../src/http/words/stored.ts";

const keys = Object.keys(readCompiled("en")["refusals"] ?? {});

test("what any phrase was stored as is read as one that says the same", () => {
  expect(keys.length).toBeGreaterThan(800);
  for (const key of keys) {
    const text = new Phrase(key, ["Ann Lee", 42, "10.0.0.1", "2030-01-15 12:00:00"]).toString();
    expect(storedPhrase(text).toString()).toBe(text);
  }
});

test("it has its values apart, and phrases among them", () => {
  expect(storedPhrase("it was due at 2030-01-15 12:00:00, and late by more than its rule allows")).toEqual(
    phrase`it was due at ${"2030-01-15 12:00:00"}, and late by more than its rule allows`,
  );
  expect(storedPhrase("package_id is not a package of this ISP").key).toBeNull();
  expect(
    storedPhrase(
      "the last paid period ended or ends is required, and you may extend to it (extend_days_max 7); ask an Admin for more",
    ).values,
  ).toEqual([phrase`is required`, phrase`it`, "7"]);
});

test("what a gateway said stays as it is", () => {
  const said = "550 5.1.1 no such user here";
  expect(storedPhrase(said)).toEqual(new Phrase(null, [said]));
});
