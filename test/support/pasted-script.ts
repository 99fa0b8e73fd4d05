import type { FakeConfig } from "./fake-routeros-config.ts";
import type { FakeRow } from "./fake-routeros.ts";

/** Runs a pasted script on a fake router, as far as our scripts go. */
export function paste(config: FakeConfig, script: string): void {
  for (const line of script.split("\n")) if (line !== "") run(config, line);
}

function run(config: FakeConfig, line: string): void {
  const tried = /^:do \{ \[\[:parse "(.*)"\]\] \} on-error=\{ \}$/.exec(line)?.[1];
  if (tried !== undefined) return run(config, tried.replaceAll(/\\(["\\$])/g, "$1"));
  const inner = /^:do \{ (.*) \} on-error=\{ \}$/.exec(line)?.[1];
  if (inner !== undefined) return run(config, inner);
  const named = /^:if \(\[:len \[\S+.*? find name=\S+\]\] = 0\) do=\{ (.*) \} else=\{ .* \}$/.exec(line)?.[1];
  if (named !== undefined) return run(config, named);
  const each = /^:foreach server in=\[(\/.*?) find (.*?)\] do=\{ (.*) \}$/.exec(line);
  if (each) {
    const [, path = "", which = "", body = ""] = each;
    const rows = config.rows(path.replaceAll(" ", "/")).filter((row) => has(row, valuesOf(which)));
    for (const row of rows)
      run(
        config,
        body.replaceAll(/\[\/[\w -]+ get \$server ([\w-]+)\]/g, (_, name: string) => row[name] ?? ""),
      );
    return;
  }
  const [, record = "", body = ""] = /^:if \(\[(\/.*?) get enabled\]\) do=\{ (.*) \}$/.exec(line) ?? [];
  if (body !== "") {
    const [row] = config.rows(record.replaceAll(" ", "/"));
    if (row?.["enabled"] === "true")
      run(
        config,
        body.replaceAll(/\[\/[\w -]+ get ([\w-]+)\]/g, (_, name: string) => row[name] ?? ""),
      );
    return;
  }
  if (line.startsWith(":")) return;
  const [, path = "", verb = "", rest = ""] = /^(\/.*?) (add|set|remove|move)(?: (.*))?$/.exec(line) ?? [];
  const menu = path.replaceAll(" ", "/");
  if (verb === "add") return void config.answer([`${menu}/add`, ...words(rest)], everything);
  if (verb === "remove") {
    const found = valuesOf(/\[find (.*)\]/.exec(rest)?.[1] ?? "");
    const rows = config.rows(menu);
    rows.splice(0, Infinity, ...rows.filter((row) => !has(row, found)));
  } else if (verb === "move") {
    const ours = valuesOf(/^\[find (.*?)\]/.exec(rest)?.[1] ?? "");
    const rows = config.rows(menu);
    const first = rows.find((row) => row["chain"] === ours["chain"] && row["dynamic"] !== "true");
    const moved = rows.filter((row) => has(row, ours));
    if (!first || moved.includes(first)) return;
    const left = rows.filter((row) => !moved.includes(row));
    left.splice(left.indexOf(first), 0, ...moved);
    rows.splice(0, Infinity, ...left);
  } else if (verb === "set") {
    const found = /^\[find ?(.*?)\] (.*)$/.exec(rest);
    const ids = found ? config.rows(menu).filter((row) => has(row, valuesOf(found[1] ?? ""))) : [{}];
    for (const { ".id": id } of ids)
      config.answer(
        [`${menu}/set`, ...(id === undefined ? [] : [`=.id=${id}`]), ...words(found?.[2] ?? rest)],
        everything,
      );
  }
}

const everything = ["read", "write", "policy", "sensitive", "api"];

const truths: Readonly<Record<string, string>> = { yes: "true", no: "false" };
const has = (row: FakeRow, values: Record<string, string>) =>
  Object.entries(values).every(([name, value]) => [value, truths[value]].includes(row[name] ?? ""));

function valuesOf(text: string): Record<string, string> {
  const pairs = text.matchAll(/([\w.-]+)=("(?:[^"\\]|\\.)*"|\S+)/g);
  return Object.fromEntries(
    [...pairs].map(([, name = "", value = ""]) => [
      name,
      value.replace(/^"(.*)"$/, "$1").replaceAll(/\\(.)/g, "$1"),
    ]),
  );
}

const words = (text: string) => Object.entries(valuesOf(text)).map(([name, value]) => `=${name}=${value}`);
