import type { Locator, Page } from "playwright-core";
import { pages } from "../../src/handbook/pages.ts";

/** What a step of a page has done: what stands **so** is pressed, what stands _so_ is filled in or ticked. */
interface Act {
  /** The step and the place in it, as `4.2`: in each language the same, whatever its words. */
  readonly at: string;
  readonly name: string;
  readonly isPressed: boolean;
}

/** The numbered steps of a page of the handbook, one after the other. */
export function actsOf(slug: string, language = "en"): readonly Act[] {
  const { text = "" } = pages(language).find((page) => page.slug === slug) ?? {};
  return [...text.matchAll(/^\d+\. (.+)$/gm)].flatMap(([, step = ""], index) =>
    [...step.replaceAll(/`.+?`/g, "").matchAll(/\*\*(.+?)\*\*|_(.+?)_/g)].map(
      ([, pressed, field = ""], place): Act => ({
        at: `${index + 1}.${place + 1}`,
        name: pressed ?? field,
        isPressed: pressed !== undefined,
      }),
    ),
  );
}

interface Walk {
  readonly language?: string;
  /** What is filled in or chosen, by its place, of a file its text; a box needs nothing, it is ticked. */
  readonly typed?: Readonly<Record<string, () => string | Promise<string>>>;
  /** What the reader does or looks at beside the console before it. */
  readonly before?: Readonly<Record<string, () => Promise<unknown>>>;
}

/** Does what the page says, where `page` stands. */
export async function walk(page: Page, slug: string, { language = "en", typed = {}, before = {} }: Walk) {
  const acts = actsOf(slug, language);
  if (acts.length === 0) throw new Error(`${slug} has no steps`);
  for (const { at, name, isPressed } of acts) {
    await before[at]?.();
    try {
      await (isPressed ? press(page, name) : fill(await fieldOf(page, name), typed[at]));
    } catch (error) {
      throw new Error(`${slug} at ${at}, ${name}, of ${page.url()}`, { cause: error });
    }
  }
}

/** What is pressed, in any language: `Make … cards` has a figure in it, `Time zone, Change` is that of the row. Behind a dialog nothing is. */
async function press(page: Page, name: string): Promise<void> {
  const above = page.locator("dialog:modal");
  const within = (await above.count()) > 0 ? above.last() : page;
  const [, row, ofRow] = /^(.+)[,،] (.+)$/.exec(name) ?? [];
  const named = within.locator(pressedAs(name));
  const inRow =
    row !== undefined && ofRow !== undefined && `:is(li, tr):has(${saying(row)}) ${pressedAs(ofRow)}`;
  await (inRow ? named.or(within.locator(inRow)) : named).first().click();
  await page.waitForLoadState();
}

/** It says just that, but for a key or a count beside it; some show a picture in its place. */
const pressedAs = (name: string) =>
  `:is(button, a, summary):visible:is(${saying(name)}, :has(${saying(name)}), [aria-label=${JSON.stringify(name)}])`;

const saying = (text: string) =>
  text.includes("…")
    ? `:text-matches(${JSON.stringify(`^${patternOf(text)}$`)})`
    : `:text-is(${JSON.stringify(text)})`;

/** An ellipsis is what is filled in, a name or a sum and not half a page; signs that nobody sees hold what is filled in apart from the words around it. */
export const patternOf = (text: string): string =>
  [...text]
    .map((sign) => (sign === "…" ? ".{0,60}" : sign.replace(/[\\^$.*+?()[\]{}|]/, "\\$&")))
    .join("[\u200e\u200f\u2066-\u2069]*");

/** A label that a figure stands in is named by the rest of it. */
async function fieldOf(page: Page, name: string): Promise<Locator> {
  const fields = page.locator("input, select, textarea").filter({ visible: true });
  const named = fields.and(page.getByLabel(name));
  await named.first().waitFor();
  const exact = fields.and(page.getByLabel(name, { exact: true }));
  return (await exact.count()) > 0 ? exact.first() : named.first();
}

async function fill(field: Locator, typed?: () => string | Promise<string>): Promise<void> {
  const kind = await field.getAttribute("type");
  if (kind === "checkbox" || kind === "radio") return field.check();
  const value = await typed?.();
  if (value === undefined) throw new Error("nobody knows what to type there");
  if (kind === "file")
    await field.setInputFiles({ name: "file.csv", mimeType: "text/csv", buffer: Buffer.from(value) });
  else if ((await field.and(field.page().locator("select")).count()) > 0) await field.selectOption(value);
  else await field.fill(value);
}
