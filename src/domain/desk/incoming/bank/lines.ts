import { createHash } from "node:crypto";
import { DomainError } from "../../../core/errors/errors.ts";
import { phrase, type Phrase } from "../../../core/errors/phrase.ts";
import { oneOf, text, type Values } from "../../../core/fields/fields.ts";
import { formatAmount, parseAmount } from "../../../core/amounts/money.ts";
import { fold } from "../../../core/fields/text.ts";
import { parseTime, type Seconds } from "../../../core/time/time.ts";
import { findHead, parseRows } from "./table.ts";

/** Column names, and formats of dates and amounts. */
export const bankColumns = {
  date_column: text(100),
  amount_column: text(100),
  text_column: text(100),
  payer_column: text(100),
  id_column: text(100),
  dates: oneOf("Y-m-d", "d/m/Y", "m/d/Y", "d.m.Y"),
  decimals: oneOf("point", "comma"),
};
export type Columns = Partial<Values<typeof bankColumns>>;

export interface BankLine {
  readonly line: number;
  readonly at: Seconds | null;
  readonly amount: number;
  readonly text: string;
  readonly payer: string | null;
  readonly key: string;
  readonly fault: string | null;
}

const MOST_LINES = 5000;
const NO_MONEY = "it is no money that came in";
const columnNames = ["date_column", "amount_column", "text_column", "payer_column", "id_column"] as const;

/** Skips what precedes the header. Throws `invalid` without table or columns, or for too many lines. */
export function bankLines(content: string, columns: Columns): BankLine[] {
  const all = parseRows(content);
  const named = columnNames.flatMap((field) => columns[field] ?? []);
  const at = findHead(all, named) ?? 0;
  const head = all[at]?.cells ?? [];
  const rows = all.slice(at + 1);
  if (rows.length > MOST_LINES)
    throw invalid("content", phrase`has more than ${MOST_LINES} lines; hand it over in parts`);
  const names = head.map((name) => fold(name.trim()));
  const place = (field: (typeof columnNames)[number]): number | undefined => {
    const column = columns[field];
    if (!column) return undefined;
    const found = names.indexOf(fold(column.trim()));
    if (found < 0) throw invalid(field, phrase`is no column of the file, which has ${head.join(", ")}`);
    return found;
  };
  const places = Object.fromEntries(columnNames.map((field) => [field, place(field)]));
  const seen = new Map<string, number>();
  return rows.map(({ line, cells }) => {
    const cell = (field: (typeof columnNames)[number]) => (cells[places[field] ?? -1] ?? "").trim();
    const date = cell("date_column");
    const sum = cell("amount_column");
    const day = parseDay(date, columns.dates ?? "Y-m-d");
    const minor = parseMoney(sum, columns.decimals ?? "point");
    const stated = {
      at: day,
      text: cell("text_column").slice(0, 200),
      payer: cell("payer_column").slice(0, 200) || null,
    };
    const own = cell("id_column").slice(0, 150);
    const first = own || hashLine(stated, minor ?? 0);
    const nth = own ? 0 : (seen.get(first) ?? 0);
    seen.set(first, nth + 1);
    // equal lines are separate payments, and equal again in a repeated file
    const key = nth === 0 ? first : `${first} ${nth + 1}`;
    return Object.assign(stated, {
      line,
      amount: minor ?? 0,
      key,
      fault: findFault({ date, day, sum, minor }),
    });
  });
}

interface Read {
  readonly date: string;
  readonly day: Seconds | null;
  readonly sum: string;
  readonly minor: number | null;
}

function findFault({ date, day, sum, minor }: Read): string | null {
  if (sum === "") return NO_MONEY; // it stands in the column of what went out
  if (day === null) return `${date || "nothing"} is no day that can be read`;
  if (minor === null) return `${sum} is no amount that can be read`;
  return minor <= 0 ? NO_MONEY : null;
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const ORDERS = { "Y-m-d": [0, 1, 2], "d/m/Y": [2, 1, 0], "m/d/Y": [2, 0, 1], "d.m.Y": [2, 1, 0] } as const;

/** Unambiguous forms are read in any order. */
function parseDay(cell: string, dates: keyof typeof ORDERS): Seconds | null {
  const parts = /^(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})(?!\d)/.exec(cell)?.slice(1);
  if (parts) {
    const [year = "", month = "", day = ""] = ORDERS[dates].map((at) => parts[at] ?? "");
    return midnight(year, month, day);
  }
  const [, year = "", month = "", day = ""] = /^(\d{4})(\d\d)(\d\d)(?!\d)/.exec(cell) ?? [];
  if (year !== "") return midnight(year, month, day);
  const [, first = "", name = "", last = ""] =
    /^(\d{1,2})[-/. ]+([a-z]{3})[a-z]*[-/., ]+(\d{4}|\d{2})(?!\d)/i.exec(cell) ?? [];
  return midnight(last, String(MONTHS.indexOf(name.toLowerCase()) + 1), first);
}

function midnight(year: string, month: string, day: string): Seconds | null {
  const full = year.length === 2 ? `20${year}` : year;
  return parseTime(`${full}-${month.padStart(2, "0")}-${day.padStart(2, "0")} 00:00:00`) ?? null;
}

/** Drops currency signs; a trailing minus, brackets and DR are outgoing. */
function parseMoney(cell: string, decimals: "point" | "comma"): number | null {
  const [, open, inner = "", close] = /^(\()?(.*?)(\))?$/.exec(cell) ?? [];
  const isOut = (open !== undefined && close !== undefined) || /[-\u2212]\s*$|\bdr\.?$/i.test(inner.trim());
  const bare = inner
    .replaceAll(/^[A-Z]{3}\b|\b[A-Z]{3}$|\b[CD]R\.?$/gi, "")
    .replaceAll("\u2212", "-")
    .replaceAll(/[\s'\u2019\p{Sc}]/gu, "")
    .replace(/^\+|[-+]$/g, "");
  const plain = decimals === "comma" ? bare.replaceAll(".", "").replace(",", ".") : bare.replaceAll(",", "");
  if (!/^-?\d{1,11}(\.\d{1,2})?$/.test(plain)) return null;
  const minor = parseAmount(plain) ?? null;
  return minor !== null && isOut ? -Math.abs(minor) : minor;
}

function hashLine(line: Pick<BankLine, "at" | "text" | "payer">, amount: number): string {
  const whole = JSON.stringify([line.at, amount, fold(line.text), fold(line.payer ?? "")]);
  return `${formatAmount(amount)} ${createHash("sha256").update(whole).digest("hex").slice(0, 24)}`;
}

function invalid(field: string, message: Phrase): DomainError {
  return new DomainError("invalid", phrase`check ${field}`, { fields: { [field]: [message] } });
}
