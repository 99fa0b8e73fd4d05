/** Milliseconds that calls under way get at shutdown. */
const LAST_WAIT = 2000;

/** Waits for calls under way, up to that time; leaves no timer, which would delay the exit. */
export async function waitLast(settled: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const late = setTimeout(resolve, LAST_WAIT);
  await Promise.race([settled, promise]);
  clearTimeout(late);
}
