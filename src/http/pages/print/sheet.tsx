import type { Child } from "hono/jsx";
import { type Brand, BrandMark } from "../brand.tsx";

/** How wide paper is: a sheet, or the roll of a receipt printer. */
export type PaperSize = "a4" | "roll";

/** `dates`: it is short, and never broken; `amounts`: figures under each other. */
interface Column {
  readonly title: Child;
  readonly of?: "dates" | "amounts";
}

/** What the rows of a paper come to; `sum` is what the paper is about. */
export interface Total {
  readonly name: string;
  readonly value: string;
  readonly isSum?: boolean;
}

interface FrameProps {
  size: PaperSize;
  brand: Brand;
  taxNumber: (number: string) => string;
  title: string;
  /** What it is marked with, such as that it is void. */
  marks?: readonly (string | false)[];
  /** What is said of the whole; without a value it is left out. */
  facts: readonly (readonly [name: string, value: Child | null])[];
  children?: Child;
}

interface TableProps {
  columns: readonly Column[];
  rows: readonly (readonly Child[])[];
  totals?: readonly Total[] | undefined;
}

/**
 * A paper that is handed over: who writes it, what it is and for whom, a table with what it comes to. Invoices, receipts and statements have
 * this one layout, on a sheet and on a roll, at the desk and in the portal.
 */
export function Sheet({ columns, rows, totals, children, ...frame }: FrameProps & TableProps) {
  return (
    <PrintFrame {...frame}>
      <PrintTable columns={columns} rows={rows} totals={totals} />
      {children}
    </PrintFrame>
  );
}

/** Who writes a paper, above what it says. */
export function PrintFrame({ size, brand, taxNumber, title, marks = [], facts, children }: FrameProps) {
  return (
    <article class={`paper paper-${size}`}>
      <header class="paper-head">
        <div>
          <BrandMark brand={brand} />
          <ul class="paper-lines">
            {[
              ...brand.address,
              ...(brand.taxNumber === "" ? [] : [taxNumber(brand.taxNumber)]),
              ...brand.contact,
            ].map((line) => (
              <li>
                <bdi>{line}</bdi>
              </li>
            ))}
          </ul>
        </div>
        {marks.map((mark) => mark !== false && <strong class="paper-mark">{mark}</strong>)}
      </header>
      <h2>{title}</h2>
      <dl class="paper-facts">
        {facts.map(
          ([name, value]) =>
            value !== null &&
            value !== "" && (
              <div>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      {children}
    </article>
  );
}

/** Rows of a paper under heads, and what they come to. */
export function PrintTable({ columns, rows, totals = [] }: TableProps) {
  const className = (at: number) => (columns[at]?.of ? { class: `paper-${columns[at].of}` } : {});
  return (
    <table class={columns.length > 3 ? "paper-table paper-many" : "paper-table"}>
      <thead>
        <tr>
          {columns.map(({ title }, at) => (
            <th scope="col" {...className(at)}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {row.map((cell, at) => (
              <td {...className(at)}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
      {totals.length > 0 && (
        <tfoot>
          {totals.map(({ name, value, isSum }) => (
            <tr {...(isSum && { class: "paper-sum" })}>
              <th scope="row" colspan={columns.length - 1}>
                {name}
              </th>
              <td class="paper-amounts">{value}</td>
            </tr>
          ))}
        </tfoot>
      )}
    </table>
  );
}

/** What was sold, and under it what more there is to say of it. */
export function PrintItem({ name, more }: { name: string; more?: string }) {
  return (
    <>
      <strong>
        <bdi>{name}</bdi>
      </strong>
      {more && (
        <>
          <br />
          <span class="paper-more">{more}</span>
        </>
      )}
    </>
  );
}

/** Whom a paper is for. */
export function PrintParty({
  party: { name, username, address },
}: {
  party: { readonly name: string; readonly username: string; readonly address: string | null };
}) {
  return (
    <>
      {[name, address ?? "", username]
        .filter((line) => line !== "")
        .map((line, at) => (
          <>
            {at > 0 && <br />}
            <bdi>{line}</bdi>
          </>
        ))}
    </>
  );
}
