import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Page } from "playwright-core";

/** In the browser: replaces the document but keeps its styles. The scripts treat it as a part that was swapped in. */
const PLACE = `async (text) => {
  const { documentElement: root, head } = document;
  const other = new DOMParser().parseFromString(text, "text/html");
  const sheetsOf = (one) => [...one.querySelectorAll("link[rel=stylesheet]")];
  const had = new Map(sheetsOf(document).map((sheet) => [sheet.getAttribute("href"), sheet]));
  const loading = [];
  let following = null;
  for (const sheet of sheetsOf(other).reverse()) {
    const own = had.get(sheet.getAttribute("href"));
    had.delete(sheet.getAttribute("href"));
    if (own === undefined) {
      loading.push(new Promise((resolve, reject) => Object.assign(sheet, { onload: resolve, onerror: reject })));
      head.insertBefore(sheet, following);
    }
    following = own ?? sheet;
  }
  for (const sheet of had.values()) sheet.remove();
  for (const name of root.getAttributeNames()) root.removeAttribute(name);
  for (const { name, value } of other.documentElement.attributes) root.setAttribute(name, value);
  document.title = other.title;
  document.body.replaceWith(document.adoptNode(other.body));
  await Promise.all(loading);
  document.dispatchEvent(new CustomEvent("htmx:after:swap", { detail: {} }));
  return { content: root.scrollWidth, screen: root.clientWidth };
}`;

const Widths = Type.Object({ content: Type.Number(), screen: Type.Number() });

/** Replaces the page's document, a third of the work of opening it; returns its width in pixels. */
export async function placePage(page: Page, text: string): Promise<{ content: number; screen: number }> {
  return Value.Decode(Widths, await page.evaluate(`(${PLACE})(${JSON.stringify(text)})`));
}
