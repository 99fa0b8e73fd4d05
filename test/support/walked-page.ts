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

export interface Walk {
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

/** What is pressed says just that, but for a key or a count beside it; some show a picture in its place. Behind a dialog nothing is. */
async function press(page: Page, name: string): Promise<void> {
  const quoted = JSON.stringify(name);
  const said = `:text-is(${quoted})`;
  const above = page.locator("dialog:modal");
  const within = (await above.count()) > 0 ? above.last() : page;
  await within
    .locator(`:is(button, a, summary):visible:is(${said}, :has(${said}), [aria-label=${quoted}])`)
    .first()
    .click();
  await page.waitForLoadState();
}

/** A label that a figure stands in is named by the rest of it. */
async function fieldOf(page: Page, name: string): Promise<Locator> {
  const named = page.getByLabel(name).filter({ visible: true });
  await named.first().waitFor();
  const exact = page.getByLabel(name, { exact: true }).filter({ visible: true });
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
