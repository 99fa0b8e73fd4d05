import { createHash } from "node:crypto";
import { CsvError, parse } from "csv-parse/sync";
import { DomainError } from "../../errors.ts";
import { oneOf, text, type Values } from "../../fields.ts";
import { formatAmount, parseAmount } from "../../money.ts";
import { fold } from "../../text.ts";
import { parseTime, type Seconds } from "../../time.ts";

/** Which column of a bank's file is what, by the names in its first line, and how days and amounts are written there. */
export const bankColumns = {
  date_column: text(100),
  amount_column: text(100),
  text_column: text(100),
  payer_column: text(100),
  id_column: text(100),
  dates: oneOf("Y-m-d", "d/m/Y", "m/d/Y", "d.m.Y"),
  decimals: oneOf("point", "comma"),
};
type Columns = Values<typeof bankColumns>;

/** A line of a bank's file: money that came in, or why it is none that can be booked. */
export interface BankLine {
  /** In the file, from 1. */
  readonly line: number;
  readonly at: Seconds | null;
  /** Minor units; 0: none. */
  readonly amount: number;
  readonly text: string;
  readonly payer: string | null;
  /** What the line is known again by. */
  readonly key: string;
  readonly fault: string | null;
}

const MOST_LINES = 5000;

/** The lines of a file. Throws `invalid` for a file that is no table, has no such columns, or too many lines. */
export function bankLines(content: string, columns: Columns): BankLine[] {
  const [head = [], ...rows] = rowsOf(content);
  if (rows.length > MOST_LINES)
    throw invalid("content", `has more than ${MOST_LINES} lines; hand it over in parts`);
  const names = head.map((name) => fold(name.trim()));
  const place = (field: keyof Columns): number | undefined => {
    const wanted = columns[field];
    if (!wanted) return undefined;
    const found = names.indexOf(fold(wanted.trim()));
    if (found < 0) throw invalid(field, `is no column of the file, which has ${head.join(", ")}`);
    return found;
  };
  const [date, amount, note] = [place("date_column"), place("amount_column"), place("text_column")];
  const [payer, id] = [place("payer_column"), place("id_column")];
  const seen = new Map<string, number>();
  const read = (cells: readonly string[], index: number): BankLine => {
    const cell = (at: number | undefined) => (at === undefined ? "" : (cells[at] ?? "").trim());
    const at = dayOf(cell(date), columns.dates ?? "Y-m-d");
    const minor = moneyOf(cell(amount), columns.decimals ?? "point");
    const said = { at, text: cell(note).slice(0, 200), payer: cell(payer).slice(0, 200) || null };
    const own = cell(id).slice(0, 150);
    const first = own || keyOf(said, minor ?? 0);
    const nth = own ? 0 : (seen.get(first) ?? 0);
    seen.set(first, nth + 1);
    const fault =
      at === null
        ? `${cell(date) || "nothing"} is no day that can be read`
        : minor === null
          ? `${cell(amount) || "nothing"} is no amount that can be read`
          : minor <= 0
            ? "it is no money that came in"
            : null;
    // two that say the same are two payments, and the same two when the file comes again
    const key = nth === 0 ? first : `${first} ${nth + 1}`;
    return { line: index + 2, ...said, amount: minor ?? 0, key, fault };
  };
  return rows.map(read);
}

function rowsOf(content: string): string[][] {
  const [first = ""] = content.split(/\r?\n/, 1);
  const counts = [",", ";", "\t"].map((delimiter) => ({ delimiter, count: first.split(delimiter).length }));
  const { delimiter = "," } = counts.toSorted((a, b) => b.count - a.count)[0] ?? {};
  try {
    return parse(content, { delimiter, bom: true, relax_column_count: true, skip_empty_lines: true });
  } catch (error) {
    if (error instanceof CsvError) throw invalid("content", `is no table: ${error.message}`);
    throw error;
  }
}

function dayOf(cell: string, dates: NonNullable<Columns["dates"]>): Seconds | null {
  const parts = /^(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})/.exec(cell)?.slice(1);
  if (!parts) return null;
  const order = { "Y-m-d": [0, 1, 2], "d/m/Y": [2, 1, 0], "m/d/Y": [2, 0, 1], "d.m.Y": [2, 1, 0] }[dates];
  const [year = "", month = "", day = ""] = order.map((at) => parts[at] ?? "");
  const full = year.length === 2 ? `20${year}` : year;
  return parseTime(`${full}-${month.padStart(2, "0")}-${day.padStart(2, "0")} 00:00:00`) ?? null;
}

function moneyOf(cell: string, decimals: "point" | "comma"): number | null {
  const bare = cell.replaceAll(/[\s'\u00A0]|^\+/g, "");
  const plain = decimals === "comma" ? bare.replaceAll(".", "").replace(",", ".") : bare.replaceAll(",", "");
  if (!/^-?\d{1,11}(\.\d{1,2})?$/.test(plain)) return null;
  return parseAmount(plain) ?? null;
}

function keyOf(said: Pick<BankLine, "at" | "text" | "payer">, amount: number): string {
  const whole = JSON.stringify([said.at, amount, fold(said.text), fold(said.payer ?? "")]);
  return `${formatAmount(amount)} ${createHash("sha256").update(whole).digest("hex").slice(0, 24)}`;
}

function invalid(field: string, message: string): DomainError {
  return new DomainError("invalid", `check ${field}`, { fields: { [field]: [message] } });
}
