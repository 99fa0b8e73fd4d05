import { type Page, pages } from "../../handbook/pages.ts";

export interface Guide extends Pick<Page, "title" | "opening" | "text"> {
  readonly slug: string;
}

/** Pages of the handbook that are for programs, by the names of their pages here. */
const forPrograms = {
  "guide-app": "subscriber-app",
  "guide-sync": "programs",
  "guide-clients": "api-clients",
  "guide-payments": "payment-providers",
  "guide-provider": "other-providers",
  "guide-arrived": "payments-that-wait",
  "guide-webhooks": "webhooks",
};

export const guides = (): readonly Guide[] =>
  Object.entries(forPrograms).map(([slug, name]) => {
    const page = pages().find((one) => one.slug === name);
    if (!page) throw new Error(`the handbook has no page ${name}`);
    const { title, opening, text } = page;
    return { slug, title, opening, text };
  });

/** The guide that a page of the handbook is here. */
export function findGuide(page: string): string | undefined {
  return Object.entries(forPrograms).find(([, name]) => name === page)?.[0];
}
