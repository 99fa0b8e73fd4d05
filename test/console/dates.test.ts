import { expect, test } from "bun:test";
import { consoleScene } from "../support/console-scene.ts";

/* A day in a field stands there as it does beside it, whatever the browser would write. */

const scene = consoleScene();

const expected = [
  "/console/money?from=2030-01-25&to=",
  "/console/reports/collections?from=2030-01-25&to=2030-01-26",
];

test.each(
  expected.flatMap((path) => [
    ["en-US", path, "Jan 25, 2030"] as const,
    ["en-GB", path, "25 Jan 2030"] as const,
  ]),
)("for %s on %s", async (locale, path, day) => {
  await using visitor = await scene.signedIn({ locale });
  const { page } = visitor;
  await visitor.goto(path);
  const input = page.locator("#content input[name=from]");
  const text = page.locator("#content .dated:has([name=from]) > span");
  await input.waitFor();
  expect(await text.textContent({ timeout: 5000 })).toBe(day);
  expect(await input.inputValue()).toBe("2030-01-25");
  // an empty one says nothing, and one that is gone into is the browser's
  if (path.endsWith("to=")) expect(await page.locator(".dated:has([name=to]) > span").textContent()).toBe("");
  await input.focus();
  expect(await text.isVisible()).toBe(false);
  await input.fill("2030-01-24");
  await page.waitForURL(/from=2030-01-24/);
  await page.locator(".dated > span", { hasText: day.replace("25", "24") }).waitFor({ state: "attached" });
  await visitor.expectToFit();
});
