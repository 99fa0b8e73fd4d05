import type { Child } from "hono/jsx";
import { Icon } from "../icons.tsx";

export interface Column {
  readonly title: Child;
  readonly end?: boolean;
  /** Hidden first on narrow screens. */
  readonly low?: boolean;
  readonly kind?: string;
  /** A sorting link; `sorted` is the current order. */
  readonly href?: string;
  readonly sorted?: "ascending" | "descending" | undefined;
}

interface TableProps {
  caption: string;
  columns: readonly Column[];
  children: Child;
  /** Totals. */
  foot?: Child;
  below?: Child;
  id?: string;
  /** On a phone: `two-lines` or `short-rows`. */
  kind?: string;
}

export function Table({ caption, columns, children, foot, below, id, kind = "" }: TableProps) {
  return (
    <div class="table-frame">
      <table class={`table ${kind}`} {...(id !== undefined && { id })}>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head column={column} />
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
        {foot !== undefined && foot !== false && <tfoot>{foot}</tfoot>}
      </table>
      {below}
    </div>
  );
}

function Head({ column: { title, end, low, kind, href, sorted } }: { column: Column }) {
  const names = [kind, end && "end", low && "low"].filter(Boolean).join(" ");
  return (
    <th scope="col" {...(names !== "" && { class: names })} {...(sorted && { "aria-sort": sorted })}>
      {href === undefined ? (
        title
      ) : (
        <a href={href}>
          {title}
          {sorted && <Icon name={sorted === "ascending" ? "up" : "down"} />}
        </a>
      )}
    </th>
  );
}
