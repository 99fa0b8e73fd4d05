import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Page } from "playwright-core";
import { eventTypes } from "../../src/domain/core/events/types.ts";
import { counts } from "../../src/http/words/compiled/messages.ts";
import { consoleLanguages, type LanguageName } from "../../src/http/words/languages.ts";
import { readModels } from "../../src/http/words/models.ts";
import { launchChromium } from "../../test/support/chromium.ts";
import { ConsoleBrowser, consoleSessionOf, consoleSite } from "../../test/support/console-browser.ts";
import { adminOf, pages } from "../../test/support/console-pages.ts";
import { consoleWorld } from "../../test/support/console-world.ts";
import { placePage } from "../../test/support/placed-page.ts";
import { callers } from "../../test/support/tenants.ts";

const WIDTHS = [390, 1440];
/** Files, and pages that are the size of their paper. */
const OTHERS = /\.(csv|zip)(\?|$)|\/preview|\/print|\/paper|receipt/;

/** In the browser: texts that are shown, and elements whose text is cut off. */
const LOOK = `(() => {
  const texts = new Set();
  const own = "script, style, noscript, pre, code, .mono, bdi, [lang]:not(html), [translate=no]";
  const add = (element, text) => {
    const plain = text.replace(/\\u2068[^\\u2068\\u2069]*\\u2069/g, "").replace(/\\s+/g, " ").trim();
    if (plain !== "" && !element.closest(own)) texts.add(plain);
  };
  for (const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT); walk.nextNode(); )
    add(walk.currentNode.parentElement, walk.currentNode.data);
  for (const element of document.body.querySelectorAll("*"))
    for (const name of ["aria-label", "title", "alt", "placeholder"]) add(element, element.getAttribute(name) ?? "");
  const cut = [];
  for (const element of document.body.querySelectorAll("a, button, h1, h2, h3, p, li, dt, dd, th, td, label, summary, span")) {
    const { overflowX, textOverflow, display } = getComputedStyle(element);
    const isHidden = overflowX === "hidden" || overflowX === "clip";
    if (isHidden && textOverflow !== "ellipsis" && display !== "inline" && element.clientWidth > 1
      && element.scrollWidth > element.clientWidth + 1 && !element.closest(".skip, svg, .unseen, thead"))
      cut.push(element.textContent.trim().slice(0, 60));
  }
  return { texts: [...texts], cut, dir: document.documentElement.dir, lang: document.documentElement.lang };
})()`;

/** Of messages; one without a dot may be a word, and types of events are shown as they are. */
const keys: ReadonlySet<string> = new Set(
  Object.values(readModels())
    .flatMap((models) => Object.keys(models))
    .filter((key) => key.includes(".") && !Object.hasOwn(eventTypes, key)),
);

const Looked = Type.Object({
  texts: Type.Array(Type.String()),
  cut: Type.Array(Type.String()),
  dir: Type.String(),
  lang: Type.String(),
});

/** Words that an English sentence cannot do without, and that no other language of the console has. */
const SMALL = /\b(the|is|are|was|of|and|not|has|have|with|for|from|this|that|which|it|its|to|by|be|an|or)\b/g;

/** Texts that stay as they are: names, what somebody typed, and examples. */
const STAY: readonly RegExp[] = [
  /^column "Expiry": "soon" is/, // of a run of an import, as it was stored
];

/** Whether a text is an English sentence that is no name. */
function isEnglish(text: string): boolean {
  const small = text.match(SMALL) ?? [];
  return new Set(small).size >= 2 && !STAY.some((one) => one.test(text));
}

interface Result {
  readonly faults: string[];
  /** Pixels that content is wider than the screen, at the most. */
  overflow: number;
  pages: number;
}

interface Walk {
  readonly origin: string;
  readonly cookies: ReadonlyMap<string, string>;
  readonly language: LanguageName;
}

/** What is wrong with a page of a language, as it stands. */
async function look(page: Page, text: string, language: LanguageName, result: Result): Promise<string[]> {
  const { content, screen } = await placePage(page, text);
  const { texts, cut, dir, lang } = Value.Decode(Looked, await page.evaluate(LOOK));
  result.overflow = Math.max(result.overflow, content - screen);
  return [
    ...(content > screen ? [`is ${content - screen} px too wide`] : []),
    ...(dir === language.dir && lang.startsWith(language.tag) ? [] : [`is said to be ${lang}, ${dir}`]),
    ...cut.map((each) => `cuts “${each}”`),
    ...texts
      .filter((each) => keys.has(each) || /\bundefined\b|\bNaN\b|\[object |=>/.test(each))
      .map((each) => `shows a key: “${each}”`),
    ...(language.tag === "en" ? [] : texts.filter(isEnglish).map((each) => `has English: “${each}”`)),
  ];
}

async function walk(page: Page, { origin, cookies, language }: Walk, result: Result): Promise<void> {
  const width = page.viewportSize()?.width ?? 0;
  for (const path of pages.filter((one) => !OTHERS.test(one))) {
    const headers = { cookie: cookies.get(adminOf(path)) ?? "", "accept-language": language.tag };
    const answer = await fetch(origin + path, { headers, redirect: "manual" });
    const text = await answer.text();
    if (!text.includes("<html")) continue;
    result.pages += 1;
    for (const wrong of await look(page, text, language, result))
      result.faults.push(`${language.tag}, ${width} px, ${path}: ${wrong}`);
  }
}

interface WordsOptions {
  /** Tags; none is all. */
  readonly languages: readonly string[];
  readonly log: (line: string) => void;
}

/** Every page of the console in each of its languages and at two widths. */
export async function words({ languages, log }: WordsOptions) {
  const [browser, app] = await Promise.all([launchChromium(), consoleWorld()]);
  const site = consoleSite(app);
  const cookies = new Map<string, string>();
  for (const who of [callers.admin, callers.operator]) cookies.set(who, await consoleSessionOf(site, who));
  const lines: string[] = [];
  const faults: string[] = [];
  try {
    for (const language of consoleLanguages().filter(
      ({ tag }) => languages.length === 0 || languages.includes(tag),
    )) {
      const result: Result = { faults: [], overflow: 0, pages: 0 };
      for (const width of WIDTHS) {
        await using visitor = await ConsoleBrowser.signedIn(browser, site, callers.admin, {
          viewport: { width, height: 844 },
        });
        await visitor.goto("/console/keys");
        visitor.expected = /^Framing /;
        await walk(visitor.page, { origin: site.origin, cookies, language }, result);
      }
      for (const fault of result.faults) log(fault);
      faults.push(...result.faults);
      const [all, translated] = ["en", language.tag].map((tag) => (counts[tag] ?? 0).toLocaleString("en"));
      const cells = [
        language.name,
        all,
        translated,
        result.pages,
        `${result.overflow} px`,
        result.faults.length,
      ];
      lines.push(`| ${cells.join(" | ")} |`);
    }
  } finally {
    await Promise.all([browser.close(), site.close()]);
    app[Symbol.dispose]();
  }
  const head =
    "| language | messages | translated | pages | longest overflow | faults |\n| --- | --- | --- | --- | --- | --- |";
  return { table: `${head}\n${lines.join("\n")}\n`, faults };
}
