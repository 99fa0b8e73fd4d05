/** The output without progress lines, which appear only on a slow machine. */
export const withoutProgress = (written: string): string =>
  written.replace(/^[a-z ]+( \d+ %)?, \d+ s\n/gm, "");
