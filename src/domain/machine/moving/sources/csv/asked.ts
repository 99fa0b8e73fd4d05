/** A word of a column that decides who gets in, which nobody knows but who wrote it. */
export interface AskedWord {
  readonly header: string;
  readonly text: string;
  count: number;
  readonly line: number;
}

/** Words that a question names. */
const NAMED = 10;

/** What has to be said of them, and how. */
export function questionOf(asked: readonly AskedWord[]): string {
  const shown = asked.slice(0, NAMED);
  const headers = [...new Set(shown.map(({ header }) => header))].map((header) => JSON.stringify(header));
  const texts = shown.map(({ text }) => JSON.stringify(text));
  const more = asked.length > shown.length ? ` and ${asked.length - shown.length} more` : "";
  const has = headers.length === 1 ? `column ${headers.join()} has` : `columns ${headers.join(", ")} have`;
  const said = texts.map((text) => `${text}: "off"`).join(", ");
  const left = headers.map((header) => `${header}: null`).join(", ");
  return `who gets in is not known: ${has} ${texts.join(", ")}${more}. Say in the map of each whether they get in ("on") or are cut off ("off"): {"status": {${said}}}; or leave the column out: {"columns": {${left}}}`;
}
