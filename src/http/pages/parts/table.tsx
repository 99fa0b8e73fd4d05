import type { Child } from "hono/jsx";
import { Icon } from "../icons.tsx";

export interface Column {
  readonly title: Child;
  /** Figures stand at the end. */
  readonly end?: boolean;
  /** Goes first where there is little room. */
  readonly low?: boolean;
  /** A class of its cells, by which pages name it. */
  readonly kind?: string;
  /** Where the title sorts by it; `sorted` says how it is now. */
  readonly href?: string;
  readonly sorted?: "ascending" | "descending" | undefined;
}

interface TableProps {
  /** What the table is, for who does not see it. */
  caption: string;
  columns: readonly Column[];
  /** Rows of as many cells. */
  children: Child;
  /** The last row: what they come to together. */
  foot?: Child;
  below?: Child;
  id?: string;
  /** How its rows stand on a phone: `two-lines`, or `short-rows`. */
  kind?: string;
}

/** One line a row: words at the start, figures at the end. */
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
