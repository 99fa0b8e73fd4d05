import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Command, type Option } from "commander";
import { Registry } from "prom-client";
import { Cli } from "../src/cli/cli.ts";
import { commands } from "../src/cli/commands.ts";
import { refusals } from "../src/domain/core/errors/codes.ts";
import type { Phrase } from "../src/domain/core/errors/phrase.ts";
import { eventTypes } from "../src/domain/core/events/types.ts";
import { brandingKeys, settingDefinitions } from "../src/domain/core/settings/settings.ts";
import { outcomes } from "../src/domain/service/access/outcomes.ts";
import { handbookFiles, writtenLanguages } from "../src/handbook/files.ts";
import { loadMessages } from "../src/http/words/messages.ts";
import { ownBoxGauges } from "../src/metrics/access-box-gauges.ts";
import { Metrics } from "../src/metrics/metrics.ts";
import { Timings } from "../src/radius/server/timings.ts";
import { NOW, temporaryStore } from "../test/support/store.ts";

/*
 * Pages of the handbook that are made of the program: scripts/bun scripts/handbook.ts writes them, `bun run check` and a test hold them equal.
 * A translation of one has its sentences and the heads of its tables from who translated it, and its rows from the words of its language.
 */

const folder = join(import.meta.dir, "../systemd/handbook");

/** Which commands stand on a page together, and what the page is called. */
const commandPages: Readonly<Record<string, readonly [title: string, names: readonly string[]]>> = {
  "commands-box": [
    "Commands: the box itself",
    [
      "serve",
      "init",
      "check",
      "settings",
      "audit",
      "backup",
      "backup-passphrase",
      "restore",
      "recover",
      "tls",
      "box",
      "help",
      "version",
    ],
  ],
  "commands-data": ["Commands: data in and out", ["import", "export", "migrate", "words", "openapi", "mcp"]],
  "commands-routers": ["Commands: routers", ["nas", "feed", "hotspot", "pool"]],
  "commands-people": ["Commands: staff, roles, places", ["staff", "key", "role", "place"]],
  "commands-packages": ["Commands: packages", ["package"]],
  "commands-subscribers": [
    "Commands: subscribers and their lines",
    ["subscriber", "sessions", "why", "logins", "outages", "radtest"],
  ],
  "commands-money": ["Commands: money and cards", ["payment", "wallet", "invoice", "closing", "card"]],
  "commands-reports": ["Commands: reports", ["report"]],
};

/** Commands that nobody types. */
const unseen: ReadonlySet<string> = new Set(["bring-in"]);

export async function referencePages(): Promise<Record<string, string>> {
  const all = await allCommands();
  const examples = findExamples(handbookFiles());
  const known = new Set(Object.values(commandPages).flatMap(([, names]) => names));
  const lost = all.map((command) => command.name()).filter((name) => !known.has(name) && !unseen.has(name));
  if (lost.length > 0)
    throw new Error(`on no page: ${lost.join(", ")}; see commandPages of scripts/handbook.ts`);
  return {
    environment: environment(),
    settings: settings(),
    permissions: permissions(),
    reasons: reasons(),
    findings: findings(),
    events: events(),
    metrics: await metrics(),
    ...Object.fromEntries(
      Object.entries(commandPages).map(([slug, [title, names]]) => [
        slug,
        page(
          title,
          "whoever types commands",
          "you know what each takes",
          all
            .filter((command) => names.includes(command.name()))
            .map((command) => commandSections(command, "gatehouse", examples))
            .join("\n"),
        ),
      ]),
    ),
  };
}

const page = (title: string, reader: string, end: string, text: string) =>
  `# ${title}\n\n_For ${reader}. At the end ${end}._\n\n${text.trim()}\n`;

type Rows = readonly (readonly string[])[];

const line = (cells: readonly string[]) =>
  `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;

const table = (head: readonly string[], rows: Rows = []) =>
  [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");

/** Pages that words of other languages can make: the rows of their tables. */
const tableRows: Readonly<Record<string, (language: string) => readonly Rows[]>> = {
  settings: settingRows,
  permissions: permissionRows,
  reasons: reasonRows,
  findings: findingRows,
  events: eventRows,
};

/** Those of them that somebody has translated, by path below the handbook. */
export function translatedPages(): Record<string, string> {
  const made = writtenLanguages()
    .slice(1)
    .flatMap((language) => {
      const files = handbookFiles(language);
      return Object.entries(tableRows).flatMap(([slug, rows]) => {
        const text = files[`handbook/reference/${slug}.md`];
        return text === undefined
          ? []
          : [[`${language}/reference/${slug}`, withRows(text, rows(language))] as const];
      });
    });
  return Object.fromEntries(made);
}

/** With these rows below the head of each table, in place of those that it has. */
function withRows(text: string, tables: readonly Rows[]): string {
  let at = 0;
  return text.replaceAll(/^(\|.*\n\|[-:| ]+\|)(?:\n\|.*)*/gm, (_, head: string) =>
    [head, ...(tables[at++] ?? []).map(line)].join("\n"),
  );
}

/** The texts of a chapter as its file has them. */
function readTexts(language: string, chapter: string): Readonly<Record<string, string>> {
  const file = join(folder, `../../src/http/words/${language}/${chapter}.json`);
  const entries = Object.entries(
    JSON.parse(readFileSync(file, "utf8")) as Record<string, string | { defaultMessage: string }>,
  );
  return Object.fromEntries(
    entries.map(([key, entry]) => [key, typeof entry === "string" ? entry : entry.defaultMessage]),
  );
}

const link = (text: string, to: string) => `[${text}](${to}.md)`;
const code = (text: string) => (text === "" ? "" : `\`${text}\``);

async function allCommands(): Promise<Command[]> {
  const modules = [...new Set(commands.values())].map((load) => load());
  const program = new Command("gatehouse");
  for (const add of await Promise.all(modules)) add(program, new Cli({}, process));
  return [...program.commands];
}

function commandSections(command: Command, above: string, examples: ReadonlyMap<string, string>): string {
  const path = `${above} ${command.name()}`;
  const usage = command.registeredArguments.map((argument) => {
    const word = `${argument.name()}${argument.variadic ? "..." : ""}`;
    return argument.required ? `<${word}>` : `[${word}]`;
  });
  const example = command.commands.length > 0 ? undefined : examples.get(path);
  const own = [
    `## ${[path, ...usage].join(" ").replaceAll("<", "\\<")}`,
    command
      .description()
      .replace(/^./, (letter) => letter.toUpperCase())
      .replaceAll("<", "\\<"),
    command.registeredArguments
      .flatMap((argument) =>
        argument.description ? [`- ${code(argument.name())}: ${argument.description}`] : [],
      )
      .concat(command.options.filter(({ hidden }) => !hidden).map(optionLine))
      .join("\n"),
    example === undefined ? "" : `Example: ${code(example)}`,
  ].filter((part) => part !== "");
  const below = command.commands.map((one) => commandSections(one, path, examples));
  return [`${own.join("\n\n")}\n`, ...below].join("\n");
}

function optionLine({ flags: written, description, argChoices, defaultValue }: Option): string {
  const choices = argChoices ? `; one of ${argChoices.map(code).join(", ")}` : "";
  const initially =
    defaultValue === undefined || typeof defaultValue === "boolean"
      ? ""
      : `; ${code(String(defaultValue))} unless said`;
  return `- ${code(written)}: ${description.replaceAll("<", "\\<")}${choices}${initially}`;
}

/** Of each command the first line of the handbook that has it, which a test has run. */
function findExamples(files: Readonly<Record<string, string>>): Map<string, string> {
  const blocks = Object.entries(files).flatMap(([path, text]) =>
    path.includes("/reference/")
      ? []
      : [...text.matchAll(/^```sh run.*\n([^]*?)^```$/gm)].map(([, block = ""]) => block),
  );
  const lines = blocks.flatMap((block) => block.split("\n")).map((line) => line.replace(/\s+#.*$/, ""));
  const found = new Map<string, string>();
  for (const line of lines) {
    const words = line.split(" ");
    for (const count of [2, 3, 4]) {
      const path = words.slice(0, count).join(" ");
      if (!found.has(path)) found.set(path, line);
    }
  }
  return found;
}

function environment(): string {
  const text = readFileSync(join(folder, "../gatehouse.env"), "utf8");
  const rows = text.split(/\n{2,}/).flatMap((block) => {
    const lines = block.trim().split("\n");
    const values = lines
      .filter((line) => /^#?[A-Z][A-Z_]+=/.test(line))
      .map((line) => line.replace(/^#/, ""));
    if (values.length === 0) return [];
    const meaning = lines.filter((line) => line.startsWith("# ")).map((line) => line.slice(2));
    return [[values.map(code).join(" "), meaning.join(" ")]];
  });
  return page(
    "Variables of the environment",
    "the operator of the box",
    "you know each variable of `/etc/gatehouse/gatehouse.env`, with its default or an example",
    `They are read at the start: \`systemctl restart gatehouse\`. A wrong value stops the start with one line that names it and what is allowed. What can change while it serves is a ${link("setting", "settings")}.\n\n${table(["variable", "meaning"], rows)}`,
  );
}

function settings(): string {
  const [rows] = settingRows("en");
  return page(
    "Settings",
    "the operator and Admins",
    "you know each setting, its default, and whether it is the whole box's or each ISP's own",
    `\`gatehouse settings set NAME VALUE\`, with \`--isp ISP\` where it is an ISP's; or under Settings in the console (${link("how", "../tasks/change-settings")}).\n\n${table(["setting", "default", "of", "meaning"], rows)}`,
  );
}

/** In English as the command tells them, else as the console does. */
function settingRows(language: string): readonly Rows[] {
  const texts = readTexts(language, "setting-words");
  const ofBox = language === "en" ? "box" : loadMessages(language).settings.ofBox;
  const rows = Object.entries(settingDefinitions).map(([key, { initially, meaning }]) => {
    const shown = typeof initially === "string" ? initially : JSON.stringify(initially);
    const means = language === "en" ? meaning : `**${texts[`${key}.name`]}.** ${texts[`${key}.text`]}`;
    return [code(key), code(shown), brandingKeys.has(key) ? "ISP" : ofBox, means.replaceAll("<", "\\<")];
  });
  return [rows];
}

function permissions(): string {
  const [rows] = permissionRows("en");
  return page(
    "Permissions",
    "whoever gives roles",
    "you know what each permission allows",
    `\`gatehouse role permit ROLE NAME\`, or Settings, Roles. An Admin has all of them.\n\n${table(["permission", "lets one", "that is"], rows)}`,
  );
}

function permissionRows(language: string): readonly Rows[] {
  const texts = readTexts(language, "flags");
  const names = Object.keys(texts).flatMap((key) => (key.endsWith(".does") ? [key.slice(0, -5)] : []));
  return [names.map((name) => [code(name), texts[`${name}.does`] ?? "", texts[`${name}.text`] ?? ""])];
}

function reasons(): string {
  const [logins, calls] = reasonRows("en");
  return page(
    "Reasons",
    "whoever is asked why",
    "you know each reason of a login, and each code of a call that is refused",
    `## Logins\n\nAs \`gatehouse why\`, \`gatehouse logins\` and the console have them. What a device is told says more only after the right password.\n\n${table(["reason", "means", "a device is told"], logins)}\n\n## Calls of the API\n\n${table(["code", "means", "next"], calls)}`,
  );
}

/** In English as the commands tell them; what devices and programs are told is in English for all. */
function reasonRows(language: string): readonly Rows[] {
  const told = (sentence: Phrase) =>
    language === "en" ? sentence.toString() : loadMessages(language).refusals(sentence);
  const logins = Object.entries(outcomes).map(([reason, outcome]) => [
    code(reason),
    told(outcome.forStaff),
    outcome.accepts ? "" : outcome.forSubscriber,
  ]);
  const calls = Object.entries(refusals).map(([name, { means, ...more }]) => [
    code(name),
    means,
    "next" in more ? more.next : "",
  ]);
  return [logins, calls];
}

function findings(): string {
  const [rows] = findingRows("en");
  return page(
    "Findings",
    "whoever runs the box",
    "you know what `gatehouse check` and Today may find, and what to do",
    table(["finding", "says", "more"], rows),
  );
}

function findingRows(language: string): readonly Rows[] {
  const texts = readTexts(language, "faults");
  const kinds = Object.keys(texts).flatMap((key) => (/^\w+\.title$/.test(key) ? [key.slice(0, -6)] : []));
  const rows = kinds.map((kind) => [
    code(kind),
    inBraces(texts[`${kind}.title`] ?? ""),
    inBraces(texts[`${kind}.text`] ?? ""),
  ]);
  return [rows];
}

/** A message of ICU as it is read where there are many, its values in braces. */
function inBraces(text: string): string {
  return text
    .replaceAll(
      /\{(\w+), (?:plural|select),.*?other \{((?:[^{}]|\{[^{}]*\})*)\}\s*\}/g,
      (_, name: string, other: string) => other.replaceAll("#", `{${name}}`),
    )
    .replaceAll(/\{(\w+), [^{}]*\}/g, "{$1}");
}

function events(): string {
  const [rows] = eventRows("en");
  return page(
    "Events",
    "whoever writes rules of messages or a program that is told",
    "you know each event",
    `${link("Webhooks", "../tasks/webhooks")} hear of them, ${link("rules of messages", "../tasks/message-rules")} too, without the sessions. \`/docs/events\` has the data of each.\n\n${table(["event", "when"], rows)}`,
  );
}

function eventRows(language: string): readonly Rows[] {
  const texts = readTexts(language, "told");
  return [Object.keys(eventTypes).map((type) => [code(type), texts[`events.${type}`] ?? ""])];
}

async function metrics(): Promise<string> {
  using store = temporaryStore();
  const timings = new Timings();
  for (const measure of ["access_seconds", "accounting_seconds", "commit_seconds", "commit_records"] as const)
    timings.observe(measure, 1);
  const all = new Metrics({
    db: store.db,
    folder: store.folder,
    clock: () => NOW,
    version: "",
    commit: "",
    radius: {
      isListening: () => true,
      counts: () => [],
      timings: () => timings.all(),
      measureSilence: () => undefined,
      buffer: () => undefined,
      lateLogins: () => ({ dropped: 0, droppedAt: null }),
    },
  });
  const rows = [...(await all.text()).matchAll(/^# HELP (\S+) (.+)$/gm)].map(([, name = "", help = ""]) => [
    code(name),
    help,
  ]);
  const ofBox = new Registry();
  ownBoxGauges(ofBox, () => {
    throw new Error("it is asked for names alone");
  });
  const own = ofBox.getMetricsAsArray().map(({ name, help }) => [code(name), help]);
  return page(
    "Metrics",
    "whoever watches the box with Prometheus",
    "you know what `/metrics` has",
    `${table(["metric", "is"], rows)}\n\n## Of an access box\n\n${table(["metric", "is"], own)}`,
  );
}

/** Tables are padded by the formatter, and lists have blanks of its own. */
export const bare = (text: string) => text.replaceAll(/-{3,}/g, "---").replaceAll(/\s+/g, " ").trim();

if (import.meta.main) {
  const english = Object.entries(await referencePages()).map(
    ([slug, text]) => [`reference/${slug}`, text] as const,
  );
  const made = [...english, ...Object.entries(translatedPages())].map(([path, text]) => ({
    file: join(folder, `${path}.md`),
    text,
  }));
  const stale = made.filter(
    ({ file, text }) => !existsSync(file) || bare(readFileSync(file, "utf8")) !== bare(text),
  );
  if (process.argv.includes("--check")) {
    for (const { file } of stale)
      process.stderr.write(
        `${file} is not what the program does; write it anew: scripts/bun scripts/handbook.ts\n`,
      );
    process.exitCode = stale.length > 0 ? 1 : 0;
  } else if (stale.length > 0) {
    for (const { file, text } of stale) writeFileSync(file, text);
    Bun.spawnSync([process.execPath, "fmt", "--no-script", ...stale.map(({ file }) => file)], {
      stdout: "ignore",
    });
  }
}
