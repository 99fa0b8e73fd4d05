import { packed } from "../os/packed.ts";
import { COMMON, handbookFiles, writtenLanguages } from "./files.ts";

export const kinds = {
  "first-steps": "First steps",
  tasks: "Tasks",
  explanations: "Explanations",
  reference: "Reference",
} as const;

export type Kind = keyof typeof kinds;

export interface Page {
  /** Its file without folder and ending; no two kinds have one of the same name. */
  readonly slug: string;
  readonly kind: Kind;
  /** The group of the index that it stands in, such as `every-day`; empty where its kind has none. */
  readonly group: string;
  /** In which it is written. */
  readonly language: string;
  readonly title: string;
  /** Who it is for, and what one has at its end. */
  readonly opening: string;
  /** Markdown, whole. */
  readonly text: string;
}

/** The handbook as it is read in a language. */
export interface Handbook {
  /** In the order of the index, each in English where it is not in the language. */
  readonly pages: readonly Page[];
  /** Words that a search leaves out. */
  readonly common: string;
}

let written: readonly string[] | undefined;
const read = new Map<string, Handbook>();

/** The language of the handbook for whoever reads the other: that, where pages are written in it, else English. */
export function handbookLanguage(language: string): string {
  written ??= JSON.parse(packed("handbook", () => JSON.stringify(writtenLanguages()))) as string[];
  return written.includes(language) ? language : "en";
}

export const pages = (language = "en"): readonly Page[] => handbook(language).pages;

/** The handbook, read when it is first asked for. */
export function handbook(language = "en"): Handbook {
  const tag = handbookLanguage(language);
  const before = read.get(tag);
  if (before) return before;
  const files = JSON.parse(packed(`handbook-${tag}`, () => JSON.stringify(handbookFiles(tag)))) as Files;
  const made = tag === "en" ? english(files) : translation(files, tag);
  read.set(tag, made);
  return made;
}

type Files = Readonly<Record<string, string>>;

const english = (files: Files): Handbook => ({ pages: indexed(files), common: files[COMMON] ?? "" });

function translation(files: Files, language: string): Handbook {
  const { pages, common } = handbook();
  return {
    pages: pages.map((page) => translated(page, files, language)),
    common: `${common} ${files[COMMON] ?? ""}`,
  };
}

/** Pages in the order of systemd/README.md. */
function indexed(files: Files): readonly Page[] {
  const index = files["README.md"] ?? "";
  return [...index.matchAll(/^(#{2,3}) (.+)$|^- \[.*\]\((.+)\)$/gm)].reduce<{
    found: Page[];
    group: string;
  }>(
    ({ found, group }, [, level, heading = "", path = ""]) => {
      if (level !== undefined)
        return { found, group: level === "###" ? heading.toLowerCase().replaceAll(" ", "-") : "" };
      return { found: [...found, readPage(files, path, group)], group };
    },
    { found: [], group: "" },
  ).found;
}

function readPage(files: Files, path: string, group: string): Page {
  const [, kind = "", slug = ""] = /^handbook\/([\w-]+)\/([\w-]+)\.md$/.exec(path) ?? [];
  if (!isKind(kind)) throw new Error(`the handbook's index leads to ${path}, which is no page`);
  return { slug, kind, group, ...said(files[path] ?? "", path), language: "en" };
}

function translated(page: Page, files: Files, language: string): Page {
  const path = `handbook/${page.kind}/${page.slug}.md`;
  const text = files[path];
  return text === undefined ? page : { ...page, ...said(text, `${path} in ${language}`), language };
}

/** What a page says, which begins with its title and its opening. */
function said(text: string, where: string): Pick<Page, "title" | "opening" | "text"> {
  const [, title, opening = ""] = /^# (.+)\n\n_(.+)_\n/.exec(text) ?? [];
  if (title === undefined) throw new Error(`${where} does not begin as a page of the handbook does`);
  return { title, opening: opening.replaceAll("`", ""), text };
}

function isKind(name: string): name is Kind {
  return Object.hasOwn(kinds, name);
}
