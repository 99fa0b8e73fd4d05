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

/** In the browser: the features that axe judges (element, ancestors, style, ARIA). True where this tab has met a new one. */
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

/** Whether axe may judge this page otherwise than all that the tab had before. */
export async function isNewToAxe(page: Page): Promise<boolean> {
  return Value.Decode(Type.Boolean(), await page.evaluate(`(${IS_NEW})()`));
}
