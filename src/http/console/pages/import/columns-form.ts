import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { verbatim } from "../../../../domain/core/errors/phrase.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import type { KeptLook } from "../../../../domain/machine/imports/runs/result.ts";
import type { UnknownWord } from "../../../../domain/machine/imports/sources/csv/facts.ts";
import { readMap } from "../../../../domain/machine/imports/sources/csv/map.ts";
import { deciding, plainWord } from "../../../../domain/machine/imports/sources/csv/standing.ts";
import { MovingRefused } from "../../../../domain/machine/imports/source.ts";
import type { ConsoleWords } from "../../../words/console.ts";
import { readTextField } from "../../../pages/text-of.ts";

/** The column map, in the form of `--map`. */
export interface ColumnChoices {
  readonly map: Readonly<Record<string, unknown>>;
  readonly isOther: boolean;
}

const MEANINGS = 20_000;

/** Throws `invalid` for an unreadable line, and for a table without usernames. */
export function readColumnChoices(
  input: Input,
  { looks, map: before }: { looks: KeptLook; map: unknown },
  words: ConsoleWords["importing"]["columns"],
): ColumnChoices {
  let isOther = false;
  let isUndecided = false;
  const files: Record<string, unknown> = {};
  for (const [index, look] of looks.entries()) {
    const value = (name: string, otherwise: string) =>
      readTextField(input, `${name}.${index}`, 40) || otherwise;
    const encoding = value("encoding", look.encoding.name);
    const delimiter = value("delimiter", look.delimiter);
    const kind = value("kind", look.kind);
    if (encoding !== look.encoding.name || delimiter !== look.delimiter || kind !== look.kind) isOther = true;
    const columns = Object.fromEntries(
      look.columns.map(({ header }, column) => [
        header,
        readTextField(input, `column.${index}.${column}`, 40) || null,
      ]),
    );
    // a newly named status column needs the meaning of its words
    if (look.columns.some(({ header, target }) => columns[header] !== target && decides(columns[header])))
      isUndecided = true;
    const dates = readTextField(input, `dates.${index}`, 3);
    const decimal = readTextField(input, `decimal.${index}`, 1);
    files[look.file] = {
      kind,
      encoding,
      delimiter,
      // another kind or encoding needs new guesses
      ...(!isOther && { columns }),
      ...(dates !== "" && { dates }),
      ...(decimal !== "" && { decimal }),
    };
    const targets = Object.values(columns);
    if (kind === "subscribers" && !isOther && !targets.includes("username"))
      throw new DomainError("invalid", verbatim(words.missing));
  }
  const map = {
    files,
    packages: readLines(input, "packages", words, (value) => value),
    nas: readLines(input, "nas", words, parseRouter),
    connection: readLines(input, "connection", words, (value) => value),
    status: standingsIn(input, looks, before),
  };
  try {
    readMap(map);
  } catch (error) {
    throw error instanceof MovingRefused ? new DomainError("invalid", verbatim(error.message)) : error;
  }
  return { map, isOther: isOther || isUndecided };
}

const decides = (target: string | null | undefined) => deciding.some((one) => one === target);

/** Unknown words of all tables, each once. */
export function unknownWords(looks: KeptLook): readonly (UnknownWord & { readonly word: string })[] {
  const words = looks.flatMap(({ unknown }) => unknown.map((one) => ({ ...one, word: plainWord(one.text) })));
  return [...Map.groupBy(words, ({ word }) => word).values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, rows: others.reduce((sum, { rows }) => sum + rows, first.rows) }] : [],
  );
}

/** The meaning of each status word, kept and new. */
function standingsIn(input: Input, looks: KeptLook, before: unknown): Record<string, string> {
  const stated = statedStandings(before);
  for (const [index, { word }] of unknownWords(looks).entries()) {
    const answer = readTextField(input, `word.${index}`, 3);
    if (answer === "on" || answer === "off") stated.set(word, answer);
    else stated.delete(word);
  }
  return Object.fromEntries(stated);
}

export function statedStandings(map: unknown): Map<string, "on" | "off"> {
  try {
    return new Map(readMap(map).status);
  } catch {
    return new Map(); // of a map that is none, which was refused
  }
}

function parseRouter(value: string): unknown {
  const [name = "", address = "", secret = ""] = value.split(",").map((part) => part.trim());
  return { name, ...(address !== "" && { address }), ...(secret !== "" && { secret }) };
}

function readLines(
  input: Input,
  name: string,
  words: ConsoleWords["importing"]["columns"],
  parseValue: (text: string) => unknown,
): Record<string, unknown> {
  const lines = readTextField(input, name, MEANINGS)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const [, key, value] = /^([^=]+)=(.+)$/.exec(line) ?? [];
      if (key === undefined || value === undefined || value.trim() === "")
        throw new DomainError("invalid", verbatim(words.badLine(line.slice(0, 80))));
      return [key.trim(), parseValue(value.trim())];
    }),
  );
}

/** Meanings as text lines; a secret is not shown again. */
export function meaningsIn(map: unknown): { packages: string; nas: string; connection: string } {
  try {
    const { packages, routers, connection } = readMap(map);
    const text = (entries: Iterable<readonly [string, string]>) =>
      [...entries].map(([key, value]) => `${key} = ${value}`).join("\n");
    return {
      packages: text(packages),
      nas: text(
        [...routers].map(([key, { name, address, secret }]) => [
          key,
          [name, address, secret].filter(Boolean).join(", "),
        ]),
      ),
      connection: text([...connection].map(([key, word]) => [key, word === "ppp" ? "pppoe" : word])),
    };
  } catch {
    return { packages: "", nas: "", connection: "" }; // of a map that is none, which was refused
  }
}
