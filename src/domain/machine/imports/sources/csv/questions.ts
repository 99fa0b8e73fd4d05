export interface UnknownWord {
  readonly header: string;
  readonly text: string;
  count: number;
  readonly line: number;
}

const NAMED = 10;

/** The question, and how to answer it. */
export function formatQuestion(words: readonly UnknownWord[]): string {
  const named = words.slice(0, NAMED);
  const headers = [...new Set(named.map(({ header }) => header))].map((header) => JSON.stringify(header));
  const texts = named.map(({ text }) => JSON.stringify(text));
  const more = words.length > named.length ? ` and ${words.length - named.length} more` : "";
  const has = headers.length === 1 ? `column ${headers.join()} has` : `columns ${headers.join(", ")} have`;
  const example = texts.map((text) => `${text}: "off"`).join(", ");
  const left = headers.map((header) => `${header}: null`).join(", ");
  return `who gets in is not known: ${has} ${texts.join(", ")}${more}. Say in the map of each whether they get in ("on") or are cut off ("off"): {"status": {${example}}}; or leave the column out: {"columns": {${left}}}`;
}
