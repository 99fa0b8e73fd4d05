import type { Page } from "../../src/handbook/pages.ts";

/** What a page calls a place, a button or a field. */
export interface Named {
  readonly name: string;
  /** What is filled in may be a part of its label. */
  readonly isField: boolean;
  /** It begins what it is about. */
  readonly isHead: boolean;
}

export function namedOn(line: string): readonly Named[] {
  const isStep = /^\d+\. /.test(line);
  const marks = [...line.replaceAll(/`.+?`/g, "`").matchAll(/\*\*(.+?)\*\*|(?<!\w)_(.+?)_(?!\w)/g)];
  return marks.flatMap(([, bold, field = ""], index): Named[] => {
    if (bold === undefined) return isStep ? [{ name: field, isField: true, isHead: false }] : [];
    const at = line.indexOf(`**${bold}**`);
    const isHead = !isStep && /^\s*(?:- )?$|\|\s*$/.test(line.slice(0, at));
    return [{ name: bold, isField: false, isHead: isHead && index === 0 }];
  });
}

/** The lines of a page: the same in each language (translations.test.ts). */
export const linesOf = ({ text }: Pick<Page, "text">) =>
  text
    .replaceAll(/^```[^]*?^```$/gm, "```")
    .split("\n")
    .filter((line) => line !== "");
