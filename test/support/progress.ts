/** What a command wrote without how far it was: on a busy machine each takes long enough to say it. */
export const withoutProgress = (written: string): string =>
  written.replace(/^[a-z ]+( \d+ %)?, \d+ s\n/gm, "");
