import { expect, test } from "bun:test";
import { phrase } from "../../../../src/domain/core/errors/phrase.ts";

test("a command that a phrase names stands in its key as pages look it up, between backticks without a backslash", () => {
  const { key } = phrase`name a file that \`gatehouse backup\` wrote, not ${"x"}`;
  expect(key).toBe("name a file that `gatehouse backup` wrote, not {0}");
});
