/** Milliseconds that calls under way have at the end of the program. */
const LAST_WAIT = 2000;

/** Waits for what is under way, and no longer than that; leaves no timer behind, which would hold up the end. */
export async function waitLast(settled: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const late = setTimeout(resolve, LAST_WAIT);
  await Promise.race([settled, promise]);
  clearTimeout(late);
}
