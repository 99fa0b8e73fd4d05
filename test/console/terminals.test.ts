import { expect, test } from "bun:test";
import { consoleScene } from "../support/console-scene.ts";

/* Commands that are longer than a line go on below the mark of the router's console, and are copied as one line. */

const scene = consoleScene();

const paths = ["/console/routers/1/setup?also=hotspot,walled", "/console/routers/1/hotspot"];

interface Found {
  /** Lines that go on below. */
  turns: number;
  isWhole: boolean;
  lines: number;
  /** Lines, if none breaks elsewhere. */
  expected: number;
  /** In what is copied. */
  hasMark: boolean;
}

test.each([1440, 1200, 390, 360].flatMap((width) => paths.map((path) => [width, path] as const)))(
  "at %i pixels the commands of %s break at their marks alone",
  async (width, path) => {
    await using visitor = await scene.signedIn({ viewport: { width, height: 844 } });
    const { page } = visitor;
    await visitor.goto(path);
    await page.locator(".command").first().waitFor();
    const found = await page.evaluate<
      Found[]
    >(`[...document.querySelectorAll(".terminal pre:has(.command)")].map((pre) => {
    const turns = [...pre.querySelectorAll(".turn")].filter((turn) => getComputedStyle(turn, "::after").content !== "none").length;
    const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(pre);
    const height = pre.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom);
    return {
      turns,
      isWhole: pre.scrollWidth <= pre.clientWidth,
      lines: Math.round(height / parseFloat(lineHeight)),
      expected: pre.textContent.split("\\n").length - 1 + turns,
      hasMark: pre.textContent.includes("\\\\\\n"),
    };
  })`);
    expect(found.some(({ turns }) => turns > 0)).toBe(true);
    for (const { isWhole, lines, expected, hasMark } of found) {
      expect(hasMark).toBe(false);
      // on a phone one word may be longer than a line is
      if (width > 400) expect({ isWhole, lines }).toEqual({ isWhole: true, lines: expected });
    }
  },
);
