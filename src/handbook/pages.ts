import { packed } from "../os/packed.ts";
import { handbookFiles } from "./files.ts";

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
  /** The group of the index that it stands in; empty where its kind has none. */
  readonly group: string;
  readonly title: string;
  /** Who it is for, and what one has at its end. */
  readonly opening: string;
  /** Markdown, whole. */
  readonly text: string;
}

let read: readonly Page[] | undefined;

/** In the order of the index, systemd/README.md; read when they are first asked for. */
export const pages = (): readonly Page[] =>
  (read ??= pagesOf(JSON.parse(packed("handbook", () => JSON.stringify(handbookFiles())))));

type Files = Readonly<Record<string, string>>;

function pagesOf(files: Files): readonly Page[] {
  const index = files["README.md"] ?? "";
  return [...index.matchAll(/^(#{2,3}) (.+)$|^- \[.*\]\((.+)\)$/gm)].reduce<{
    found: Page[];
    group: string;
  }>(
    ({ found, group }, [, level, heading = "", path = ""]) => {
      if (level !== undefined) return { found, group: level === "###" ? heading : "" };
      return { found: [...found, pageOf(files, path, group)], group };
    },
    { found: [], group: "" },
  ).found;
}

function pageOf(files: Files, path: string, group: string): Page {
  const [, kind = "", slug = ""] = /^handbook\/([\w-]+)\/([\w-]+)\.md$/.exec(path) ?? [];
  const text = files[path] ?? "";
  const [, title = "", opening = ""] = /^# (.+)\n\n_(.+)_\n/.exec(text) ?? [];
  if (!isKind(kind) || title === "")
    throw new Error(`the handbook's index leads to ${path}, which is no page`);
  return { slug, kind, group, title, opening: opening.replaceAll("`", ""), text };
}

function isKind(name: string): name is Kind {
  return Object.hasOwn(kinds, name);
}
