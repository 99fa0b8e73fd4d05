import { type Telling, tellings } from "../../../../domain/machine/moving/told.ts";
import { type ToldRow, TOLD_PAGE } from "../../../../domain/machine/moving/runs/result.ts";
import { Card } from "../../../pages/parts/card.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import type { StaffVisit } from "../../guard.ts";
import { PageLinks } from "../../page-links.tsx";
import type { ConsoleView } from "../../view.ts";

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
          <nav class="filters import-kinds" aria-label={words.title}>
            {kinds.map((one) => (
              <a
                class={one === kind ? "filter chosen" : "filter"}
                href={`${href}?kind=${one}#told`}
                {...(one === kind && { "aria-current": "page" as const })}
              >
                {tellings[one]} <span class="tab-count">{format.number(counts[one] ?? 0)}</span>
              </a>
            ))}
          </nav>
          <h3>{tellings[kind]}</h3>
          {isShort && rows.length < total && (
            <p class="hint">{words.kept(format.number(rows.length), format.number(total))}</p>
          )}
          <Rows visit={visit} rows={rows} />
          {!isShort && (
            <PageLinks
              view={visit.view}
              href={(to) => `${href}?kind=${kind}&page=${to}#told`}
              page={page}
              pages={Math.ceil(total / TOLD_PAGE)}
            />
          )}
        </>
      )}
    </Card>
  );
}

/** A field that a report names: after what a column becomes, or before what it is at both sides. */
const FIELD = /(" as |^was here before: |^|; )([a-z]+(?:_[a-z]+)*)(?= \(by |, "|$| is .* there, .* here)/g;

/** What is told of a row as a page says it: fields by their names, times in those of the visit. */
export function toldText({ format, words }: ConsoleView, text: string): string {
  const names: Readonly<Record<string, string>> = {
    ...words.trail.fields,
    ...words.importing.columns.target,
  };
  return format.times(
    text.replace(FIELD, (all, before: string, name: string) =>
      names[name] ? `${before}${names[name]}` : all,
    ),
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
          <td class="import-text">{toldText(visit.view, text)}</td>
          <td class="low soft-text">{at === null ? words.nowhere : words.at(at.file, String(at.line))}</td>
        </tr>
      ))}
    </Table>
  );
}
