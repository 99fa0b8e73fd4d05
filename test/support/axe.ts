import { fileURLToPath } from "node:url";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Page } from "playwright-core";

/* axe takes several times as long as the browser does to show what it looks at, and all pages are made of the same parts. */

/** Loaded once, not sent for every check. */
const axe = Bun.file(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")));

/** What axe has found well in this process: hashes of features and colours. */
const judged = new Set<number>();
const Marks = Type.Object({ isSeen: Type.Boolean(), fresh: Type.Array(Type.Number()) });
const Findings = Type.Array(Type.Object({ id: Type.String(), impact: Type.String(), where: Type.String() }));

/**
 * In the browser: finds what axe judges by nothing new, with all that is in it: neither by features (element, ancestors, ARIA, what it is called
 * by) nor by colours. Contrast takes the most, so that colours alone spare it.
 */
const MARK = `(judged, asked) => {
  const known = (globalThis.judgedForAxe ??= new Set());
  for (const hash of judged) known.add(hash);
  const met = new Map();
  const isMedia = (feature) => matchMedia(feature).matches;
  const seenAs = [asked, location.pathname.split("/")[1]].join();
  const scheme = [isMedia("(prefers-color-scheme: dark)"), isMedia("(forced-colors: active)")].join(); // sizes are features of their own
  const hashOf = (text) => {
    let hash = 0x811c9dc5;
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    return (hash ^ (hash >>> 13)) >>> 0;
  };
  const isKnown = (features) => {
    const text = features.join(" ");
    if (!met.has(text)) met.set(text, hashOf(seenAs + text));
    return known.has(met.get(text));
  };
  const judges = /^(?:role|type|lang|dir|scope|tabindex|autocomplete|href|for|alt|title|value|placeholder|headers|disabled|hidden|open|aria-.*)$/;
  const own = /^(?:href|for|alt|title|value|placeholder|headers|aria-label|aria-valuetext|aria-valuenow|aria-setsize|aria-posinset)$/;
  const named = /^aria-(?:labelledby|describedby|controls|owns|activedescendant|details|errormessage)$/;
  const isThere = (ids) => ids.split(/\\s+/).every((id) => document.getElementById(id) !== null);
  const attributesOf = ({ attributes }) => [...attributes].flatMap(({ name, value }) =>
    !judges.test(name) ? [] : name + "=" + (own.test(name) ? value.trim() !== "" : named.test(name) ? isThere(value) : value)).sort().join();
  const isLandmark = (element) => /^(?:main|nav|aside)$/.test(element.localName)
    || (/^(?:header|footer)$/.test(element.localName) && element.parentElement.closest("main, nav, aside, section, article") === null);
  const landmarks = [...document.querySelectorAll("main, nav, header, footer, aside")].filter(isLandmark).map(({ localName }) => localName);
  const ids = new Set();
  let heading = "";
  const isOff = (element) => element.matches(":disabled, [aria-disabled]") || element.closest("label")?.control?.disabled === true;
  const hasOwnText = ({ childNodes }) => {
    for (const { nodeType, data } of childNodes) if (nodeType === 3 && /\\S/.test(data)) return true;
    return false;
  };
  const left = new Set();
  const unspared = new Set();
  // of what it stands in: the ground, as what that lies above something else, what it is called by, the landmark
  const look = (element, { beneath, over, outer, landmark, parent }) => {
    const { labels, ariaLabel, localName, id } = element;
    const style = getComputedStyle(element);
    const { backgroundColor, backgroundImage, opacity } = style;
    const ground = [backgroundColor, backgroundImage, opacity].join(" ");
    const isOpaque = backgroundColor.startsWith("rgb(") && backgroundImage === "none" && opacity === "1";
    const isShown = element.checkVisibility({ visibilityProperty: true });
    const isField = /^(?:input|select|textarea)$/.test(localName);
    const attributes = attributesOf(element);
    const isOuter = isField || /^(?:button|label|summary)$/.test(localName) || /(?:^|,)(?:href|tabindex|role)=/.test(attributes);
    const features = [parent, localName, attributes, labels?.length, outer, landmark, isShown];
    if (isOuter && hasOwnText(element.parentElement)) features.push(element.className); // a link in a sentence has to look like one
    if (isLandmark(element)) features.push(...landmarks);
    if (/^h[1-6]$/.test(localName)) {
      features.push(heading);
      heading = localName;
    }
    if (style.overflow !== "visible")
      features.push(element.scrollHeight > element.clientHeight || element.scrollWidth > element.clientWidth);
    if (id !== "" && ids.has(id)) features.push("twice", id);
    ids.add(id);
    if (ariaLabel !== null) features.push(ariaLabel.toLowerCase().includes(element.textContent.trim().toLowerCase()));
    const here = {
      beneath: isOpaque ? ground : ground === "rgba(0, 0, 0, 0) none 1" ? beneath : beneath + "/" + ground,
      // opaque, it is the ground of what is in it
      over: isOpaque || (over === "" && !/absolute|fixed|sticky/.test(style.position)) ? "" : over + "/" + localName + "." + element.getAttribute("class"),
      outer: isOuter ? localName : outer,
      landmark: isLandmark(element) ? localName : landmark,
      parent: localName + " " + element.role,
    };
    let [hasText, isSeen] = [hasOwnText(element), true];
    const isRead = isShown && (hasText || isField);
    for (const child of element.children) {
      const inner = look(child, here);
      hasText ||= inner.hasText;
      isSeen &&= inner.isSeen;
    }
    const isColoured = isRead && !isKnown(["colours", scheme, here.beneath, here.over, style.color, style.fontSize, style.fontWeight, style.textShadow,
      isOff(element), isField && [element.type, element.value !== ""].join()]);
    if (isColoured) unspared.add(element);
    isSeen = isKnown([...features, hasText]) && !isColoured && isSeen;
    if (!isSeen) left.add(element);
    return { hasText, isSeen };
  };
  const root = document.documentElement;
  const { isSeen } = look(document.body, { beneath: getComputedStyle(root).backgroundColor, over: "", outer: "", landmark: "", parent: "" });
  const isRootSeen = isKnown(["document", attributesOf(root), document.title === ""]);
  Object.assign(globalThis, { leftToAxe: left.add(root), contrastLeftToAxe: unspared });
  return { isSeen: isSeen && isRootSeen, fresh: [...met.values()].filter((hash) => !known.has(hash)) };
}`;

/** In the browser: from then on rules look at what was left to axe alone. */
const SPARE = `() => {
  for (const rule of axe._audit.rules) {
    const { matches, id } = rule;
    rule.matches = function (node, ...rest) {
      const left = id === "color-contrast" ? globalThis.contrastLeftToAxe : globalThis.leftToAxe;
      return (left?.has(node) ?? true) && matches.call(this, node, ...rest);
    };
  }
}`;

/** As JSON, of what axe has found well what this document was not told yet. */
const unsaid = async (page: Page): Promise<string> =>
  JSON.stringify([...judged].slice(await page.evaluate<number>("globalThis.judgedForAxe?.size ?? 0")));

/** What axe finds of the impacts, by all rules in what is new to it in this process, or by some in all; `note` where it is to be known. */
export async function findingsOf(
  page: Page,
  { impacts, rules }: { impacts: readonly string[]; rules: readonly string[] | undefined },
): Promise<{ findings: readonly unknown[]; isSpared: boolean; note: () => void }> {
  const asked = JSON.stringify(impacts.join());
  const { isSeen, fresh } = rules
    ? { isSeen: false, fresh: [] }
    : Value.Decode(
        Marks,
        await page.evaluate(`(globalThis.markForAxe ??= ${MARK})(${await unsaid(page)}, ${asked})`),
      );
  const note = () => {
    for (const hash of fresh) judged.add(hash);
  };
  if (isSeen) return { findings: [], isSpared: true, note };
  if (!(await page.evaluate<boolean>("'axe' in globalThis")))
    await page.evaluate(`${await axe.text()}; (${SPARE})()`);
  if (rules) await page.evaluate("delete globalThis.leftToAxe, delete globalThis.contrastLeftToAxe");
  const runOnly = rules ? `, runOnly: { type: "rule", values: ${JSON.stringify(rules)} }` : "";
  // it would wait a minute for the answer of a frame whose scripts are kept still; what is in one is a page that is looked at by itself
  const found =
    await page.evaluate(`axe.run(document, { iframes: false, preload: false, resultTypes: ["violations"]${runOnly} }).then(({ violations }) =>
      violations.filter(({ impact }) => ${JSON.stringify(impacts)}.includes(impact)).flatMap(({ id, impact, nodes }) =>
        nodes.map(({ html }) => ({ id, impact, where: html.slice(0, 160) }))))`);
  return { findings: Value.Decode(Findings, found), isSpared: false, note };
}
