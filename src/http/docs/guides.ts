import { pages } from "../../handbook/pages.ts";

export interface Guide {
  readonly slug: string;
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

/** Pages of the handbook that are for programs, by the names of their pages here. */
const forPrograms = {
  "guide-app": "subscriber-app",
  "guide-sync": "programs",
  "guide-clients": "api-clients",
  "guide-payments": "payment-providers",
  "guide-arrived": "payments-that-wait",
  "guide-webhooks": "webhooks",
};

export const guides = (): readonly Guide[] =>
  Object.entries(forPrograms).map(([slug, name]) => {
    const page = pages().find((one) => one.slug === name);
    if (!page) throw new Error(`the handbook has no page ${name}`);
    return { slug, title: page.title, text: withoutLinks(page.text.slice(page.text.indexOf("\n"))) };
  });

/** What leads to other pages of the handbook is plain text here. */
function withoutLinks(text: string): string {
  return text.replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]*\)/g, "$1");
}
