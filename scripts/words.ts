import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

import { type FoundPhrase, phrasesIn, toMessage } from "./words.d/phrases.ts";
import { type Argument, MessageFault, type Model as Told, parseMessage } from "../src/http/words/parse.ts";
import type { Said } from "../src/http/words/messages.ts";

/*
 * Makes of the files of words what the program reads: `compiled/<language>.words`, the messages taken to pieces,
 * `compiled/models.words`, what is told of them to translators, and `compiled/messages.ts`, their keys and arguments as types. Run it after each change of a word: scripts/bun scripts/words.ts.
 * The chapter of refusals follows the sources: its keys are their phrases; what is said anew is added in English, and what is said no more goes.
 * With --check it writes nothing, and fails where something is not as it would write it.
 */

const root = new URL("../src/http/words/", import.meta.url).pathname;
const isCheck = process.argv.includes("--check");
const faults: string[] = [];
/** Its keys are the phrases of the sources. */
const REFUSALS = "refusals";
const phrases = new Map(
  phrasesIn(new URL("../src/", import.meta.url).pathname).map((phrase) => [phrase.key, phrase]),
);

interface English {
  readonly defaultMessage: string;
  readonly description?: string;
  /** In the order in which pages give them; where there is one, it needs no list. */
  readonly arguments?: readonly string[];
  readonly max?: number;
}

const readJson = <T>(file: string) =>
  JSON.parse(readFileSync(root + file, "utf8")) as Readonly<Record<string, T>>;
const listChapters = (tag: string) =>
  readdirSync(root + tag)
    .filter((file) => file.endsWith(".json"))
    .map((file) => file.slice(0, -".json".length))
    .sort();
const camel = (chapter: string) => chapter.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());

function parsed(place: string, text: string): ReturnType<typeof parseMessage> | undefined {
  try {
    return parseMessage(text);
  } catch (error) {
    if (!(error instanceof MessageFault)) throw error;
    faults.push(`${place}: ${inWords(error)}`);
    return undefined;
  }
}

function inWords({ kind, about }: MessageFault): string {
  const { defaultMessage = kind } = readJson<English>("en/languages.json")[`faults.${kind}`] ?? {};
  return defaultMessage.replace("{about}", about);
}

/** What is told of a message in English: all languages have to fit it. */
interface Model {
  readonly names: readonly string[];
  /** Those of English, which the others have too. */
  readonly needed: readonly string[];
  readonly kinds: Map<string, Argument>;
  readonly max: number | undefined;
  readonly description: string | undefined;
}
const models = new Map<string, Model>();

function said(place: string, text: string, model: Model): Said | undefined {
  const message = parsed(place, text);
  if (!message) return undefined;
  for (const [name, kind] of message.arguments) if (model.names.includes(name)) join(model.kinds, name, kind);
  for (const name of model.needed)
    if (!message.arguments.has(name) && !place.startsWith("en/"))
      faults.push(`${place}: {${name}} is missing`);
  try {
    return message.said(model.names);
  } catch (error) {
    if (!(error instanceof MessageFault)) throw error;
    faults.push(`${place}: ${inWords(error)}`);
    return undefined;
  }
}

/** A number where one language counts it, a choice where one chooses by it. */
function join(kinds: Map<string, Argument>, name: string, kind: Argument): void {
  const before = kinds.get(name);
  if (before === undefined || before === "text") kinds.set(name, kind);
  else if (kind === "number") kinds.set(name, kind);
}

function write(file: string, text: string): void {
  if (!isCheck) return writeFileSync(root + file, text);
  let now = "";
  try {
    now = readFileSync(root + file, "utf8");
  } catch {}
  if (now !== text)
    faults.push(
      `src/http/words/${file} is not what the files of words make: run scripts/bun scripts/words.ts`,
    );
}

const byCode = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

function compile(tag: string): Map<string, Map<string, Said>> {
  const compiled = new Map<string, Map<string, Said>>();
  for (const chapter of listChapters(tag)) {
    const file = `${tag}/${chapter}.json`;
    const texts = readJson<English | string>(file);
    const keys = Object.keys(texts);
    if (keys.join() !== keys.toSorted(byCode).join()) faults.push(`${file}: its keys are not sorted`);
    const own = new Map<string, Said>();
    for (const [key, entry] of Object.entries(texts)) {
      const place = `${tag}/${chapter} ${key}`;
      const text = typeof entry === "string" ? entry : entry.defaultMessage;
      if (typeof entry !== "string") {
        const needed = [...(parsed(place, text)?.arguments.keys() ?? [])];
        const names = entry.arguments ?? needed;
        const isPhrase = chapter === REFUSALS;
        if (!isPhrase && needed.length > 1 && entry.arguments === undefined)
          faults.push(`${place}: the order of its arguments is not told`);
        // a page may leave out what a program is told
        const fits = isPhrase
          ? names.length === valuesIn(key) && needed.every((name) => names.includes(name))
          : names.toSorted(byCode).join() === needed.toSorted(byCode).join();
        if (!fits) faults.push(`${place}: its arguments are ${names.join(", ")}`);
        const { max, description } = entry;
        models.set(`${chapter} ${key}`, { names, needed, kinds: new Map(), max, description });
      }
      const model = models.get(`${chapter} ${key}`);
      if (!model) faults.push(`${place}: English has no such key`);
      else if (model.max !== undefined && text.length > model.max)
        faults.push(`${place}: longer than its place bears, ${model.max}`);
      const message = model && said(place, text, model);
      if (message !== undefined) own.set(key, message);
    }
    compiled.set(chapter, own);
  }
  return compiled;
}

const tags = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && /^[a-z]{2,3}$/.test(entry.name) && entry.name !== "en")
  .map(({ name }) => name)
  .sort();

for (const tag of ["en", ...tags]) if (listChapters(tag).includes(REFUSALS)) followSources(tag);

function followSources(tag: string): void {
  const file = `${tag}/${REFUSALS}.json`;
  const before = readJson<English | string>(file);
  const wanted = tag === "en" ? [...phrases.keys()] : [...phrases.keys()].filter((key) => key in before);
  const gone = Object.keys(before).filter((key) => !phrases.has(key));
  const missing = wanted.filter((key) => !(key in before));
  if (missing.length + gone.length === 0) return;
  if (isCheck) {
    for (const key of [...missing, ...gone]) faults.push(`${file} ${key}: run scripts/bun scripts/words.ts`);
  } else {
    const now = wanted
      .toSorted(byCode)
      .map((key) => [key, before[key] ?? inEnglish(phrases.get(key))] as const);
    const text = JSON.stringify(Object.fromEntries(now), null, 2);
    const asFormatted = text.replaceAll(
      /\[\n\s+([^\]]*?)\n\s+\]/g,
      (_, list: string) => `[${list.replaceAll(/\n\s+/g, " ")}]`,
    );
    writeFileSync(root + file, `${asFormatted}\n`);
  }
}

/** How many values a phrase has. */
const valuesIn = (key: string) => new Set(key.match(/\{\d+\}/g)).size;

function inEnglish(phrase: FoundPhrase | undefined): English {
  if (!phrase) throw new Error("a phrase is gone that was there");
  const { names } = phrase;
  return { ...(names.length > 1 && { arguments: names }), defaultMessage: toMessage(phrase) };
}

const english = compile("en");
const languages = new Map([["en", english], ...tags.map((tag) => [tag, compile(tag)] as const)]);

/** A chapter that a language has, it has whole. */
for (const [tag, chapters] of languages)
  for (const [chapter, messages] of chapters)
    for (const key of english.get(chapter)?.keys() ?? [])
      if (!messages.has(key)) faults.push(`${tag}/${chapter} ${key}: missing`);

if (!isCheck) mkdirSync(`${root}compiled`, { recursive: true });
for (const [tag, chapters] of languages) {
  const lines = [...chapters].map(
    ([chapter, messages]) =>
      `${JSON.stringify(camel(chapter))}:{\n${[...messages].map(([key, message]) => `${JSON.stringify(key)}:${JSON.stringify(message)}`).join(",\n")}\n}`,
  );
  write(`compiled/${tag}.words`, `{${lines.join(",\n")}}\n`);
}

const told = [...english].map(([chapter, messages]) => {
  const lines = [...messages.keys()].map((key): [string, Told] => {
    const { names = [], needed = [], kinds, max, description } = models.get(`${chapter} ${key}`) ?? {};
    const optional = names.filter((name) => !needed.includes(name));
    const given = names.map(
      (name) => [name, kinds?.get(name) === "number" ? ("number" as const) : ("text" as const)] as const,
    );
    return [
      key,
      {
        ...(given.length > 0 && { arguments: Object.fromEntries(given) }),
        ...(optional.length > 0 && { optional }),
        ...(description !== undefined && { description }),
        ...(max !== undefined && { max }),
      },
    ];
  });
  return `${JSON.stringify(camel(chapter))}:{\n${lines.map(([key, model]) => `${JSON.stringify(key)}:${JSON.stringify(model)}`).join(",\n")}\n}`;
});
write("compiled/models.words", `{${told.join(",\n")}}\n`);

/** The page of an access box is for who set it up, in English. */
const needed = [...english.keys()].filter((chapter) => chapter !== "box");
const whole = [...languages]
  .filter(([, chapters]) => needed.every((chapter) => chapters.has(chapter)))
  .map(([tag]) => tag);

/** How many messages each language has of those that it needs. */
const counts = [...languages].map(([tag, chapters]) => {
  const messages = needed.map((chapter) => chapters.get(chapter)?.size ?? 0);
  return `  ${tag}: ${messages.reduce((sum, count) => sum + count, 0)},\n`;
});

interface Shape {
  [name: string]: string | Shape;
}

function typeOf(kind: Argument | undefined): string {
  if (kind === "number") return "number";
  if (kind === undefined || kind === "text") return "Text";
  if (kind.includes("none")) return "string | null | undefined";
  return kind.every((name) => ["true", "false", "other"].includes(name)) ? "boolean" : "string";
}

function written(shape: Shape, depth: string): string {
  if ("0" in shape) return "readonly string[]"; // what is numbered from 0 is a list
  const lines = Object.entries(shape).map(([name, value]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    const line = `${depth}  readonly ${key}: ${typeof value === "string" ? value : written(value, `${depth}  `)};`;
    // as the formatter would break it
    return typeof value !== "string" || line.length <= 110
      ? line
      : line.replace(/\((.*)\) =>/, (_, values: string) => {
          const lines = values.split(", ").map((each) => `${depth}    ${each},\n`);
          return `(\n${lines.join("")}${depth}  ) =>`;
        });
  });
  return `{\n${lines.join("\n")}\n${depth}}`;
}

const types = [...english.keys()].map((chapter) => {
  if (chapter === REFUSALS) return `  readonly ${chapter}: (phrase: Phrase) => string;`;
  const shape: Shape = {};
  for (const key of english.get(chapter)?.keys() ?? []) {
    const way = key.split(".");
    const name = way.pop() ?? key;
    let at = shape;
    for (const step of way) {
      const next = (at[step] ??= {});
      if (typeof next === "string") throw new Error(`en/${chapter} ${key} stands below a message`);
      at = next;
    }
    const { names = [], kinds } = models.get(`${chapter} ${key}`) ?? {};
    const values = names.map((each) => `${each}: ${typeOf(kinds?.get(each))}`);
    at[name] = names.length === 0 ? "string" : `(${values.join(", ")}) => string`;
  }
  return `  readonly ${camel(chapter)}: ${written(shape, "  ")};`;
});
write(
  "compiled/messages.ts",
  `// Made by scripts/words.ts of the files of words.\n\nimport type { Phrase } from "../../../domain/core/errors/phrase.ts";\n\n/** Languages that have every chapter. */\nexport const whole: readonly string[] = ${JSON.stringify(whole).replaceAll(",", ", ")};\n\n/** Messages of each language, without the page of an access box. */\nexport const counts: Readonly<Record<string, number>> = {\n${counts.join("")}};\n\n/** What is written as it stands. */\ntype Text = string | number;\n\nexport type Messages = {\n${types.join("\n")}\n};\n`,
);

if (faults.length > 0) {
  process.stderr.write(`${faults.join("\n")}\n`);
  process.exitCode = 1;
}
