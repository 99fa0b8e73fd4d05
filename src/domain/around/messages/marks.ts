/** `{{name}}`. */
const MARK = /\{\{\s*([a-z][a-z0-9_.]{0,40})\s*\}\}/g;

export function marksIn(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(MARK), ([, name = ""]) => name))];
}

/** Names as they are written in a text. */
export const marked = (names: readonly string[]): string => names.map((name) => `{{${name}}}`).join(", ");

/** A text with its fields filled in; `value` of a name, as it may stand there. */
export function fillMarks(text: string, value: (name: string) => string): string {
  return text.replaceAll(MARK, (_, name: string) => value(name));
}

/** A malformed field, such as `{{Name}}` or `{{name`; undefined: none. */
export function strayMark(text: string): string | undefined {
  const rest = text.replaceAll(MARK, "");
  const at = rest.search(/\{\{|\}\}/);
  return at === -1 ? undefined : rest.slice(at, at + 30);
}
