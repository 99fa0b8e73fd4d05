import { type Telling, tellings } from "../../../../domain/moving/told.ts";
import { type ToldRow, TOLD_PAGE } from "../../../../domain/moving/runs/result.ts";
import { Card } from "../../../pages/parts/card.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import type { StaffVisit } from "../../guard.ts";

interface ToldProps {
  visit: StaffVisit;
  /** Of the page that it stands on. */
  href: string;
  counts: Readonly<Partial<Record<Telling, number>>>;
  kind: Telling | undefined;
  rows: readonly ToldRow[];
  page: number;
  /** Where all of it is to be had as CSV. */
  file?: string;
  /** The rows are all that were kept. */
  isShort?: boolean;
}

/** Everything that a move tells, by its headings, a page of rows of one of them. */
export function ToldCard({ visit, href, counts, kind, rows, page, file, isShort }: ToldProps) {
  const { format, words: all } = visit.view;
  const words = all.importing.told;
  const kinds = toldKinds(counts);
  const total = kind === undefined ? 0 : (counts[kind] ?? 0);
  const aside = file !== undefined && kinds.length > 0 ? <a href={file}>{words.all}</a> : undefined;
  return (
    <Card title={words.title} id="told" {...(aside && { aside })} kind="import-told">
      {kind === undefined ? (
        <p>{words.nothing}</p>
      ) : (
        <>
          <nav class="import-kinds" aria-label={words.title}>
            {kinds.map((one) => (
              <a href={`${href}?kind=${one}#told`} {...(one === kind && { "aria-current": "page" as const })}>
                {tellings[one]} <span class="tab-count">{format.number(counts[one] ?? 0)}</span>
              </a>
            ))}
          </nav>
          <h3>{tellings[kind]}</h3>
          {isShort && rows.length < total && (
            <p class="hint">{words.kept(format.number(rows.length), format.number(total))}</p>
          )}
          <Rows visit={visit} rows={rows} />
          {!isShort && <Pages visit={visit} href={`${href}?kind=${kind}`} page={page} total={total} />}
        </>
      )}
    </Card>
  );
}

/** The kinds that were told at all, in their order. */
export function toldKinds(counts: Readonly<Partial<Record<Telling, number>>>): Telling[] {
  return (Object.keys(tellings) as Telling[]).filter((kind) => (counts[kind] ?? 0) > 0); // the keys of a constant
}

function Rows({ visit, rows }: Pick<ToldProps, "visit" | "rows">) {
  const words = visit.view.words.importing.told;
  const columns = [{ title: words.who }, { title: words.what }, { title: words.where, low: true }];
  return (
    <Table caption={words.title} columns={columns} kind="import-lines">
      {rows.map(({ at, who, text }) => (
        <tr>
          <td>{who}</td>
          <td class="import-text">{text}</td>
          <td class="low soft-text">{at === null ? words.nowhere : words.at(at.file, String(at.line))}</td>
        </tr>
      ))}
    </Table>
  );
}

function Pages({ visit, href, page, total }: Pick<ToldProps, "visit" | "href" | "page"> & { total: number }) {
  const words = visit.view.words.importing.told;
  if (total <= TOLD_PAGE) return null;
  return (
    <nav class="actions" aria-label={words.pages}>
      {page > 1 && (
        <a class="button small" href={`${href}&page=${page - 1}#told`}>
          {words.previous}
        </a>
      )}
      {page * TOLD_PAGE < total && (
        <a class="button small" href={`${href}&page=${page + 1}#told`}>
          {words.next}
        </a>
      )}
    </nav>
  );
}
