import type { Page } from "playwright-core";

/** Sums the layout shift of a load, as browsers measure it. */
export async function watchShift(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(`globalThis.shifted = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shifted += value;
    }).observe({ type: "layout-shift", buffered: true });`);
  return async () => {
    // two frames: what has just come is laid out, and told
    await page.evaluate(
      "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))",
    );
    return page.evaluate<number>("globalThis.shifted");
  };
}
