import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Page } from "playwright-core";

/**
 * In the browser: puts a document in the place of the one that is open, in its styles alone. The scripts of that one show what they show of
 * a part that came anew.
 */
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

/** Puts the text of a document in the place of the one that is open, for a third of the work of opening it; how wide it is, in pixels. */
export async function placePage(page: Page, text: string): Promise<{ content: number; screen: number }> {
  return Value.Decode(Widths, await page.evaluate(`(${PLACE})(${JSON.stringify(text)})`));
}

/**
 * In the browser: of what a page is made, as axe judges it: each element with what it stands in, its style and what it says of itself, and
 * what there is of a page once. True where this tab has come to something that it had on no page before.
 */
const IS_NEW = `() => {
  const seen = (globalThis.seenParts ??= new Set());
  const before = seen.size;
  const judged = /^(?:role|type|lang|dir|scope|tabindex|autocomplete|href|for|alt|title|value|placeholder|headers|disabled|hidden|open|aria-.*)$/;
  const own = /^(?:href|for|alt|title|value|placeholder|headers|aria-label|aria-valuetext|aria-valuenow|aria-setsize|aria-posinset)$/;
  const named = /^aria-(?:labelledby|describedby|controls|owns|activedescendant|details|errormessage)$/;
  const isThere = (ids) => ids.split(/\\s+/).every((id) => document.getElementById(id) !== null);
  const outer = "a[href], button, label, summary, input, select, textarea, [tabindex], [role]";
  const attributesOf = ({ attributes }) => [...attributes].flatMap(({ name, value }) =>
    !judged.test(name) ? [] : name + "=" + (own.test(name) ? value.trim() !== "" : named.test(name) ? isThere(value) : value)).sort().join();
  const ids = new Set();
  for (const element of document.body.querySelectorAll("*")) {
    const { parentElement, labels, textContent, ariaLabel, id } = element;
    const isCalledOtherwise = ariaLabel !== null && !ariaLabel.toLowerCase().includes(textContent.trim().toLowerCase());
    const around = parentElement.closest(outer);
    seen.add([parentElement.localName, parentElement.role, element.localName, [...element.classList].sort().join("."), attributesOf(element),
      textContent.trim() === "", isCalledOtherwise, labels?.length, around?.localName, element.checkVisibility({ visibilityProperty: true })].join(" "));
    if (id !== "" && ids.has(id)) seen.add("twice " + id);
    ids.add(id);
  }
  const once = (selector) => [...document.querySelectorAll(selector)].map(({ localName }) => localName);
  seen.add("headings " + once("h1, h2, h3, h4, h5, h6").filter((level, at, all) => level !== all[at - 1]).join());
  seen.add("landmarks " + once("main, nav, header, footer, aside").join());
  seen.add("document " + attributesOf(document.documentElement) + (document.title === ""));
  return seen.size > before;
}`;

/** Whether a tab has come to something that axe may judge otherwise than all that this tab has had before. */
export async function isNewToAxe(page: Page): Promise<boolean> {
  return Value.Decode(Type.Boolean(), await page.evaluate(`(${IS_NEW})()`));
}
