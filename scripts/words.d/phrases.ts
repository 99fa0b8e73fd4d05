import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";

/** A phrase of the sources: its text with {0}, {1}, ... for its values, and what they are called. */
export interface FoundPhrase {
  readonly key: string;
  readonly names: readonly string[];
  readonly place: string;
}

/** All that stand in files below a folder, each once: phrase`there is no invoice ${id}`. */
export function phrasesIn(folder: string): FoundPhrase[] {
  const found = new Map<string, FoundPhrase>();
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()) {
    if (!/\.tsx?$/.test(file)) continue;
    const text = readFileSync(folder + file, "utf8");
    if (!text.includes("phrase`")) continue;
    const kind = file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
    const visit = (node: ts.Node): void => {
      if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === "phrase") {
        const phrase = readPhrase(node.template, file);
        if (!found.has(phrase.key)) found.set(phrase.key, phrase);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return [...found.values()];
}

function readPhrase(template: ts.TemplateLiteral, place: string): FoundPhrase {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return { key: template.text, names: [], place };
  const names: string[] = [];
  const key = template.templateSpans.reduce((before, { expression, literal }, at) => {
    names.push(unused(nameOf(expression), names));
    return `${before}{${at}}${literal.text}`;
  }, template.head.text);
  return { key, names, place };
}

/** The text of a phrase as a message, with named values. */
export function toMessage({ key, names }: FoundPhrase): string {
  return key
    .replaceAll("'", "’")
    .replaceAll(/"([^"]*)"/g, "“$1”")
    .replaceAll(/\{(\d+)\}/g, (_, at: string) => `{${names[Number(at)]}}`);
}

/** `name` of router.name and of String(name). */
function nameOf(node: ts.Expression): string {
  if (ts.isIdentifier(node)) return /[a-z]/.test(node.text) ? node.text : node.text.toLowerCase();
  if (ts.isPropertyAccessExpression(node)) {
    if (ts.isCallExpression(node.parent) && node.parent.expression === node) return nameOf(node.expression);
    return node.name.text.replace("#", "");
  }
  if (ts.isCallExpression(node)) {
    const [first] = node.arguments;
    const isMethod = ts.isPropertyAccessExpression(node.expression) && !isGlobal(node.expression.expression);
    return isMethod ? nameOf(node.expression) : first ? nameOf(first) : "value";
  }
  if (ts.isBinaryExpression(node)) return nameOf(node.left);
  return "value";
}

/** Object, Math, ... */
const isGlobal = (node: ts.Expression) => ts.isIdentifier(node) && /^[A-Z][a-z]/.test(node.text);

function unused(name: string, names: readonly string[]): string {
  let free = name;
  for (let count = 2; names.includes(free); count++) free = `${name}${count}`;
  return free;
}
