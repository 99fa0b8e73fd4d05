import handbook from "../../../systemd/README.md" with { type: "text" };

export interface Guide {
  readonly slug: string;
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

/** Chapters of the handbook that are for programs, by the names of their pages here. */
const forPrograms = {
  "guide-app": "An app for subscribers",
  "guide-sync": "A program that keeps up",
  "guide-clients": "A client made of the document",
  "guide-payments": "Payments that arrive",
  "guide-webhooks": "Webhooks",
};

/** Made once. Throws where the handbook has no such chapter. */
export const guides: readonly Guide[] = Object.entries(forPrograms).map(([slug, title]) => ({
  slug,
  title,
  text: chapterOf(title),
}));

/** A chapter of the handbook without its title; what leads to other chapters is plain text here. */
function chapterOf(title: string): string {
  const [, after] = handbook.split(`\n## ${title}\n`);
  if (after === undefined) throw new Error(`the handbook has no chapter ${title}`);
  const [text = ""] = after.split("\n## ");
  return text.replaceAll(/\[([^\]]+)\]\(#[^)]*\)/g, "$1");
}
