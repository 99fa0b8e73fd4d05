import { type NoticeKind, noticeHeadings } from "../../../../domain/machine/imports/notices.ts";
import { type NoticeRow, NOTICES_PAGE } from "../../../../domain/machine/imports/runs/result.ts";
import { Card } from "../../../pages/parts/card.tsx";
import type { StaffVisit } from "../../guard.ts";
import { list } from "../../parts/list.tsx";
import { Pages } from "../../parts/pager.tsx";
import type { ConsoleView } from "../../view.ts";

interface NoticesProps {
  visit: StaffVisit;
  href: string;
  counts: Readonly<Partial<Record<NoticeKind, number>>>;
  kind: NoticeKind | undefined;
  rows: readonly NoticeRow[];
  file?: string;
  /** More rows were dropped. */
  isShort?: boolean;
}

export function NoticesCard({ visit, href, counts, kind, rows, file, isShort }: NoticesProps) {
  const { format, words: all } = visit.view;
  const { told: words, notices: headings } = all.importing;
  const kinds = noticeKinds(counts);
  const total = kind === undefined ? 0 : (counts[kind] ?? 0);
  const aside = file !== undefined && kinds.length > 0 ? <a href={file}>{words.all}</a> : undefined;
  return (
    <Card title={words.title} id="told" {...(aside && { aside })} kind="stack near">
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
                {headings[one]} <span class="tab-count">{format.number(counts[one] ?? 0)}</span>
              </a>
            ))}
          </nav>
          <h3>{headings[kind]}</h3>
          {isShort && rows.length < total && <p class="hint">{words.kept(rows.length, total)}</p>}
          <NoticeLines visit={visit} rows={rows} />
          {!isShort && (
            <Pages visit={{ ...visit, path: href }} total={total} limit={NOTICES_PAGE} at="#told" />
          )}
        </>
      )}
    </Card>
  );
}

/** A field name in a notice: after a column's mapping, or before two differing values. */
const FIELD = /(" as |^was here before: |^|; )([a-z]+(?:_[a-z]+)*)(?= \(by |, "|$| is .* there, .* here)/g;

/** A rate, with its bursts, at the start of terms or of a difference. */
const RATE =
  /(?<=^|, then | is | there, )(\d+[kMG]?\/\d+[kMG]?)( \d+[kMG]?\/\d+[kMG]?(?: \d+[kMG]?(?:\/\d+[kMG]?)?)*)?(?=$|,| there\b| here\b)/g;

/** Terms with rates in the page's words. */
export function termsText({ format, words }: ConsoleView, text: string): string {
  const phrases = words.importing.tried;
  return text.replace(RATE, (_, rate: string, bursts?: string) => {
    const speed = format.speed(rate);
    const plain = speed ? phrases.rate(speed.up, speed.down) : words.packages.noLimit;
    return bursts === undefined ? plain : phrases.withBursts(plain);
  });
}

/** A notice with field labels and local times. */
export function toldText(view: ConsoleView, text: string): string {
  const { format, words } = view;
  const names: Readonly<Record<string, string>> = {
    ...words.trail.fields,
    ...words.importing.columns.target,
  };
  return format.times(
    termsText(view, text).replace(FIELD, (all, before: string, name: string) =>
      names[name] ? `${before}${names[name]}` : all,
    ),
  );
}

export function noticeKinds(counts: Readonly<Partial<Record<NoticeKind, number>>>): NoticeKind[] {
  return (Object.keys(noticeHeadings) as NoticeKind[]).filter((kind) => (counts[kind] ?? 0) > 0); // the keys of a constant
}

export const NoticeLines = list<NoticeRow>(({ view }) => {
  const words = view.words.importing.told;
  return {
    name: words.title,
    kind: "import-lines",
    columns: [
      { title: words.who, narrow: "lead", cell: ({ who }) => who },
      { title: words.what, kind: "breaks soft-text", cell: ({ text }) => toldText(view, text) },
      {
        title: words.where,
        narrow: "low",
        kind: "soft-text",
        cell: ({ at }) => (at === null ? words.nowhere : words.at(at.file, String(at.line))),
      },
    ],
    empty: words.nothing,
  };
});
