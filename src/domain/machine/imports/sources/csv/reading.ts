import type { Seconds } from "../../../../core/time/time.ts";
import { sourceTime } from "../../dates.ts";
import type { Origin } from "../../model.ts";
import { MovingRefused, type ReadOptions } from "../../source.ts";
import type { Notices } from "../../notices.ts";
import type { UnknownWord } from "./questions.ts";
import type { SubscriberTarget, Target } from "./columns.ts";
import type { TableLook } from "./look.ts";
import type { ColumnMap } from "./map.ts";
import { type Deciding, parseStanding, plainWord, type Standing } from "./standing.ts";
import type { TableRow } from "./table.ts";
import { type DecimalSign, isNothing, parseAmountText } from "./values.ts";

/** An invalid cell; the row is skipped. */
export class RowFault extends Error {
  override name = "RowFault";
}

const MOST_SHOWN = 80;

/** Reads rows of a table, and reports faults. */
export class Reading {
  readonly look: TableLook;
  readonly map: ColumnMap;
  readonly notices: Notices;
  readonly now: Seconds;
  readonly #zone: string;
  readonly #order: "dmy" | "mdy";
  readonly #decimal: DecimalSign;
  readonly #indexes = new Map<Target, number[]>();
  /** Values reported together. */
  readonly #oddities = new Map<string, { count: number; line: number }>();
  readonly #asked = new Map<string, UnknownWord>();
  #cells: readonly string[] = [];
  line = 0;

  constructor(look: TableLook, map: ColumnMap, { notices, now, zone }: ReadOptions) {
    this.look = look;
    this.map = map;
    this.notices = notices;
    this.now = now;
    this.#zone = zone;
    const own = map.files.get(look.file);
    this.#order = own?.dates ?? map.all.dates ?? look.dates.order;
    this.#decimal = own?.decimal ?? map.all.decimal ?? look.decimal.sign;
    for (const [index, { target }] of look.columns.entries())
      if (target !== null) this.#indexes.set(target, [...(this.#indexes.get(target) ?? []), index]);
  }

  take({ line, cells }: TableRow): void {
    this.line = line;
    this.#cells = cells;
  }

  get at(): Origin {
    return { file: this.look.file, line: this.line };
  }

  has(target: Target): boolean {
    return this.#indexes.has(target);
  }

  /** The first column of a target. */
  header(target: Target): string {
    const [first] = this.#indexes.get(target) ?? [];
    return first === undefined ? target : (this.look.columns[first]?.header ?? target);
  }

  /** Raw, several columns joined by commas; the map's default for empty ones. */
  raw(target: Target): string {
    const indexes = this.#indexes.get(target) ?? [];
    const cells = indexes.map((index) => this.#cells[index] ?? "").filter((cell) => cell.trim() !== "");
    const text = cells.length > 1 ? cells.map((cell) => cell.trim()).join(", ") : (cells[0] ?? "");
    return text.trim() === "" ? (this.map.defaults.get(target) ?? "") : text;
  }

  /** Trimmed; null: empty. */
  text(target: SubscriberTarget): string | null {
    const text = this.raw(target).trim();
    return text === "" ? null : text;
  }

  time(target: Target): Seconds | null {
    const text = this.raw(target);
    if (isNothing(text)) return null;
    const at = sourceTime(text, this.#zone, { order: this.#order });
    if (at === undefined) throw this.fault(target, text, "is no date that can be read");
    return at;
  }

  /** `-1234.50`; null: empty. Throws RowFault. */
  amount(target: Target): string | null {
    const text = this.raw(target);
    if (text.trim() === "0") return "0";
    if (isNothing(text)) return null;
    const amount = parseAmountText(text, this.#decimal);
    if (amount === undefined) throw this.fault(target, text, "is no amount");
    return amount;
  }

  standings(column: Deciding): Standing[] {
    const indexes = this.#indexes.get(column) ?? [];
    return indexes.map((index) => {
      const text = this.#cells[index]?.trim() || (this.map.defaults.get(column) ?? "");
      const known = this.map.status.get(plainWord(text)) ?? parseStanding(text, column);
      if (known === undefined) this.#ask(this.look.columns[index]?.header ?? column, text);
      return known ?? "off";
    });
  }

  #ask(header: string, text: string): void {
    const word = plainWord(text);
    const seen = this.#asked.get(word);
    if (seen) seen.count++;
    else this.#asked.set(word, { header, text: shortened(text), count: 1, line: this.line });
  }

  /** Words to be explained first. */
  get asked(): readonly UnknownWord[] {
    return [...this.#asked.values()];
  }

  fault(target: Target, value: string, problem: string): RowFault {
    return new RowFault(`column "${this.header(target)}": "${shortened(value)}" ${problem}`);
  }

  /** Reported once. */
  odd(text: string): void {
    const seen = this.#oddities.get(text);
    if (seen) seen.count++;
    else this.#oddities.set(text, { count: 1, line: this.line });
  }

  tellOddities(): void {
    const { file } = this.look;
    for (const [text, { count, line }] of this.#oddities)
      this.notices.add("note", { file, line }, file, `${text} (${countedRows(count)})`);
    for (const { header, text, count, line } of this.#asked.values())
      this.notices.add(
        "undecided",
        { file, line },
        shortened(header),
        `"${text}" (${countedRows(count)}): do they get in, or are they cut off?`,
      );
  }

  tellTable(): void {
    const { file, encoding, dates, decimal, columns } = this.look;
    const note = (text: string) => this.notices.add("note", { file, line: 1 }, file, text);
    const read = columns.flatMap(({ header, target, confidence }) =>
      target === null ? [] : [`"${shortened(header)}" as ${target}${DOUBTS[confidence] ?? ""}`],
    );
    note(`Columns were read so: ${read.join(", ")}`);
    for (const { header, target } of columns)
      if (target === null)
        this.notices.add(
          "left_out",
          { file, line: 1 },
          shortened(header),
          `The column "${shortened(header)}" is not brought along`,
        );
    if (!encoding.sure)
      note(
        `No byte of the file says which letters it has; it was read as ${encoding.name}. Another "encoding" can be said in the map`,
      );
    const own = this.map.files.get(file);
    if (
      (own?.dates ?? this.map.all.dates) === undefined &&
      !dates.sure &&
      dates.dmy + dates.mdy + dates.either > 0
    )
      note(
        dates.dmy > 0 && dates.mdy > 0
          ? `Some dates have the day first (${dates.dmy}), others the month (${dates.mdy}); read as ${WORDS[dates.order]}. Say "dates" in the map`
          : `Day and month could stand either way round in all ${dates.either} dates; read as ${WORDS[dates.order]}. Say "dates": "mdy" in the map if the month is first`,
      );
    if ((own?.decimal ?? this.map.all.decimal) === undefined && !decimal.sure)
      note(
        `Amounts such as 1.234 can be read in two ways; "${decimal.sign}" was taken for the decimal sign. Say "decimal" in the map if it is not`,
      );
  }
}

const countedRows = (count: number) =>
  count === 1 ? "1 row" : `${count.toLocaleString("en-US")} rows, the first of them here`;

const DOUBTS: Readonly<Record<string, string>> = {
  likely: " (by a part of its name)",
  perhaps: " (by its values)",
};
const WORDS = { dmy: "day first", mdy: "month first" } as const;

function shortened(text: string): string {
  const signs = [...text.trim()];
  return signs.length <= MOST_SHOWN ? signs.join("") : `${signs.slice(0, MOST_SHOWN).join("")}…`;
}

/** Throws MovingRefused where usernames are missing, with what was found. */
export function requireUsernames({ file, kind, columns }: TableLook): void {
  if (kind !== "subscribers" || columns.some(({ target }) => target === "username")) return;
  const headers = columns.slice(0, 20).map(({ header }) => `"${shortened(header)}"`);
  throw new MovingRefused(
    `${file}: no column is known to be the username; its columns are ${headers.join(", ")}. Say which in a map: {"columns": {${JSON.stringify(columns[0]?.header ?? "Login")}: "username"}}`,
  );
}
