import type { Child } from "hono/jsx";
import { type Brand, BrandMark } from "../brand.tsx";

/** A4, or a receipt roll. */
export type PaperSize = "a4" | "roll";

/** `dates` never wrap; `amounts` are aligned. */
interface Column {
  readonly title: Child;
  readonly of?: "dates" | "amounts";
}

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
  marks?: readonly (string | false)[];
  facts: readonly (readonly [name: string, value: Child | null])[];
  children?: Child;
}

interface TableProps {
  columns: readonly Column[];
  rows: readonly (readonly Child[])[];
  totals?: readonly Total[] | undefined;
}

/** The layout of invoices, receipts and statements, for A4 and roll, desk and portal. */
export function Sheet({ columns, rows, totals, children, ...frame }: FrameProps & TableProps) {
  return (
    <PrintFrame {...frame}>
      <PrintTable columns={columns} rows={rows} totals={totals} />
      {children}
    </PrintFrame>
  );
}

export function PrintFrame({ size, brand, taxNumber, title, marks = [], facts, children }: FrameProps) {
  return (
    <article class={`paper paper-${size}`}>
      <header>
        <div>
          <BrandMark brand={brand} />
          <ul>
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
        {marks.map((mark) => mark !== false && <strong>{mark}</strong>)}
      </header>
      <h2>{title}</h2>
      <dl>
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

/** An item, with details below. */
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
