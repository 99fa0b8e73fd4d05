import type { Db } from "../../../../../db/open.ts";
import { fold } from "../../../core/fields/text.ts";
import type { Columns } from "./lines.ts";
import { type BankRow, findHead, likelyHead, parseRows } from "./table.ts";

/** The file before columns are chosen. */
export interface LookedFile {
  readonly head: readonly string[];
  readonly rows: readonly BankRow[];
  readonly columns: Columns;
  /** From an earlier file. */
  readonly isRemembered: boolean;
}

type Column = "date_column" | "amount_column" | "text_column" | "payer_column" | "id_column";

/** The surest first. */
const words: Readonly<Record<Column, readonly RegExp[]>> = {
  date_column: [
    /^(transaction|booking|posting|posted|value) ?date|^date\b|buchungstag|buchungsdatum/,
    /date|datum|fecha|^data\b|tanggal|tarikh|valuta|дата|تاريخ/,
  ],
  amount_column: [
    /^credit|deposit|paid in|money in|haben|abono|entrada|credito|kredit/,
    /amount|betrag|umsatz|montant|importe|valor|jumlah|^sum|сумма|مبلغ/,
  ],
  text_column: [
    /verwendungszweck|^reference$|narration|particulars|remittance|purpose|concepto|libell|historico/,
    /description|details|memo|remarks|text|note|reference|beschreibung|keterangan/,
  ],
  payer_column: [
    /payer|sender|remitter|auftraggeber|counter ?party|ordenante|debtor|zahlungspflichtig|beguenstigter/,
    /name|partner|^from$/,
  ],
  id_column: [/(transaction|txn|trans|entry|booking|bank) ?(id|no|number|ref)|^id$|utr|e2e|end.?to.?end/],
};
const order: readonly Column[] = ["date_column", "amount_column", "id_column", "text_column", "payer_column"];
const ROWS = 6;
const FILES = 20;

/** Finds header and columns, as in an earlier file, else by names and cells. Throws `invalid` for no table. */
export function lookAtFile({ $client }: Pick<Db, "$client">, ispId: number, content: string): LookedFile {
  const rows = parseRows(content);
  const before = $client
    .query<{ columns: string }, [number, number]>(
      "SELECT columns FROM bank_files WHERE isp_id = ? ORDER BY id DESC LIMIT ? + 0",
    )
    .all(ispId, FILES);
  for (const { columns: text } of before) {
    const columns: Columns = JSON.parse(text);
    const at = findHead(
      rows,
      order.flatMap((name) => columns[name] ?? []),
    );
    if (at !== undefined) return looked(rows, at, columns, true);
  }
  const at = likelyHead(rows, (cells) => {
    const found = guessHeaders(cells);
    return found.date_column !== undefined && found.amount_column !== undefined;
  });
  const columns = guessHeaders(rows[at]?.cells ?? []);
  const place = (name: Column) => (rows[at]?.cells ?? []).findIndex((cell) => cell.trim() === columns[name]);
  const columnCells = (name: Column) =>
    rows.slice(at + 1, at + 200).map(({ cells }) => (cells[place(name)] ?? "").trim());
  const dates = guessDates(columnCells("date_column"));
  return looked(
    rows,
    at,
    { ...columns, dates, decimals: guessDecimals(columnCells("amount_column")) },
    false,
  );
}

function looked(rows: readonly BankRow[], at: number, columns: Columns, isRemembered: boolean): LookedFile {
  const head = (rows[at]?.cells ?? []).map((cell) => cell.trim());
  return { head, rows: rows.slice(at + 1, at + 1 + ROWS), columns, isRemembered };
}

function guessHeaders(cells: readonly string[]): Columns {
  const free = new Set(cells.map((cell) => cell.trim()).filter((cell) => cell !== ""));
  const found: Partial<Record<Column, string>> = {};
  for (const name of order)
    for (const pattern of words[name]) {
      const hit = found[name] === undefined && [...free].find((cell) => pattern.test(fold(cell)));
      if (typeof hit !== "string") continue;
      found[name] = hit;
      free.delete(hit);
    }
  return found;
}

function guessDates(cells: readonly string[]): NonNullable<Columns["dates"]> {
  const parts = cells.map((cell) => /^(\d{1,4})([-/.])(\d{1,2})/.exec(cell)).filter((one) => one !== null);
  if (parts.some(([, first = ""]) => first.length === 4)) return "Y-m-d";
  if (parts.some(([, , , second]) => Number(second) > 12)) return "m/d/Y";
  return parts.some(([, , mark]) => mark === ".") ? "d.m.Y" : parts.length > 0 ? "d/m/Y" : "Y-m-d";
}

/** The decimal sign, by the digits after the last separator. */
function guessDecimals(cells: readonly string[]): "point" | "comma" {
  const marks = cells.map((cell) => /([.,])\d{1,2}\D*$/.exec(cell)?.[1]);
  const commas = marks.filter((mark) => mark === ",").length;
  return commas > marks.filter((mark) => mark === ".").length ? "comma" : "point";
}
