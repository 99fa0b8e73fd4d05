import { type Page, pages } from "../../src/handbook/pages.ts";

export interface Block {
  /** What stands behind the three marks: `sh run`, `sh root`, `output`, ... */
  readonly mark: string;
  readonly text: string;
}

export const parseBlocks = ({ text }: Pick<Page, "text">): Block[] =>
  [...text.matchAll(/^```(.*)\n([^]*?)^```$/gm)].map(([, mark = "", block = ""]) => ({ mark, text: block }));

/** Commands of a page that want root, a block each. */
export function rootBlocks(slug: string): string[] {
  const page = pages().find((one) => one.slug === slug);
  if (!page) throw new Error(`the handbook has no page ${slug}`);
  return parseBlocks(page).flatMap(({ mark, text }) => (mark === "sh root" ? [text] : []));
}

/** Pages whose commands the lab types as root on an installation that serves, in this order. */
export const typedAsRoot = ["first-data", "back-up", "data-in-and-out", "restore"] as const;
