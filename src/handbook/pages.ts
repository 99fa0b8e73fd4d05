import { handbookFiles } from "./files.ts" with { type: "macro" };

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

const files = new Map(Object.entries(handbookFiles())); // a plain object the bundler writes once for each use
const index = files.get("README.md") ?? "";

/** In the order of the index, systemd/README.md. */
export const pages: readonly Page[] = [...index.matchAll(/^(#{2,3}) (.+)$|^- \[.*\]\((.+)\)$/gm)].reduce<{
  found: Page[];
  group: string;
}>(
  ({ found, group }, [, level, heading = "", path = ""]) => {
    if (level !== undefined) return { found, group: level === "###" ? heading : "" };
    return { found: [...found, pageOf(path, group)], group };
  },
  { found: [], group: "" },
).found;

function pageOf(path: string, group: string): Page {
  const [, kind = "", slug = ""] = /^handbook\/([\w-]+)\/([\w-]+)\.md$/.exec(path) ?? [];
  const text = files.get(path) ?? "";
  const [, title = "", opening = ""] = /^# (.+)\n\n_(.+)_\n/.exec(text) ?? [];
  if (!isKind(kind) || title === "")
    throw new Error(`the handbook's index leads to ${path}, which is no page`);
  return { slug, kind, group, title, opening: opening.replaceAll("`", ""), text };
}

function isKind(name: string): name is Kind {
  return Object.hasOwn(kinds, name);
}
