import type { AuditEntry } from "../../../../domain/core/audit/audit-log.ts";
import { nameKey } from "../../../../domain/core/audit/audit-names.ts";
import { Count } from "../../../pages/parts/chip.tsx";
import type { StaffVisit } from "../../guard.ts";
import type { AuditQuery } from "./query.ts";
import { auditLogHref } from "../../parts/hrefs.ts";
import { type Change, fieldWords, listChanges, valueWords } from "../../parts/audit-log-changes.ts";
import { What } from "../../parts/audit-log-what.tsx";
import { actorName } from "../../parts/phrases.ts";

export interface EntryProps {
  visit: StaffVisit;
  query: AuditQuery;
  entry: AuditEntry;
  names: ReadonlyMap<string, string>;
}

interface RunProps extends Omit<EntryProps, "entry"> {
  /** Repetitions by one actor, the newest first. */
  entries: readonly [AuditEntry, ...AuditEntry[]];
}

const LISTED = 6;
const LONG = 160;

/** One line for a run of equal entries, which opens into their changes. */
export function Entry({ entries, ...rest }: RunProps) {
  const [entry] = entries;
  const props = { ...rest, entry };
  const { visit } = rest;
  const { format, words } = visit.view;
  const { trail: auditLog } = words;
  const listed = entries.length > 1 ? entries : entries.filter((one) => listNews(one).length > 0);
  return (
    <li class="trail-entry" id={`entry-${entry.id}`}>
      <header>
        <h2>
          <What {...props} narrow={props.query} />
        </h2>
        {entries.length > 1 && <Count>{auditLog.times(format.number(entries.length))}</Count>}
        <p class="hint">
          <time title={format.time(entry.at)}>{format.near(entry.at, visit.now)}</time>
          {" · "}
          <Who {...props} />
          {" · "}
          <a href={auditLogHref(props.query, { source: entry.source })}>
            <bdi>{auditLog.sources[entry.source] ?? entry.source}</bdi>
          </a>
        </p>
      </header>
      {listed.length > 0 && (
        <details class="trail-more">
          <summary>{auditLog.details}</summary>
          {listed.map((one) => (
            <One {...rest} entry={one} isFromRun={entries.length > 1} />
          ))}
        </details>
      )}
    </li>
  );
}

const listNews = (entry: AuditEntry) => listChanges(entry).filter((change) => !isIdle(entry, change));

/** The changes of one entry. */
function One({ isFromRun, ...props }: EntryProps & { isFromRun: boolean }) {
  const { visit, entry } = props;
  const { format, words } = visit.view;
  const { trail: auditLog } = words;
  const changes = listNews(entry);
  const differ = changes.filter(({ isSame }) => !isSame);
  const same = changes.filter(({ isSame }) => isSame);
  return (
    <section {...(isFromRun && { "data-entry": entry.id })}>
      {isFromRun && <time class="hint">{format.time(entry.at)}</time>}
      {differ.length > 0 && <Changes {...props} changes={differ.slice(0, LISTED)} />}
      {differ.length > LISTED && (
        <details class="trail-more">
          <summary>{auditLog.more(differ.length - LISTED)}</summary>
          <Changes {...props} changes={differ.slice(LISTED)} />
        </details>
      )}
      {same.length > 0 && (
        <details class="trail-more">
          <summary>{auditLog.same(same.length)}</summary>
          <Changes {...props} changes={same} />
        </details>
      )}
    </section>
  );
}

/** Whether a field says nothing: empty in something created or deleted, or a sign-in without a missing step. */
function isIdle({ before: whole, after: now }: AuditEntry, { field, before, after }: Change): boolean {
  if (field === "needs") return after === "nothing";
  const isAlone = whole === null || now === null;
  return isAlone && (before ?? after ?? "") === "";
}

/** The actor, with a link to all of its entries. */
function Who({ visit, query, entry: { staffId, actor }, names }: EntryProps) {
  const name = staffId === null ? undefined : names.get(nameKey({ kind: "staff", id: staffId }));
  const href =
    staffId === null ? auditLogHref(query, { actor }) : auditLogHref(query, { staff_id: String(staffId) });
  return (
    <a href={href} title={actor}>
      <bdi>{name ?? actorName(visit.view.words, actor)}</bdi>
    </a>
  );
}

function Changes({ visit, entry, names, changes }: EntryProps & { changes: readonly Change[] }) {
  const { trail: auditLog } = visit.view.words;
  const hasBefore = changes.some(({ before }) => before !== undefined);
  const hasAfter = changes.some(({ after }) => after !== undefined);
  return (
    <table class={hasBefore && hasAfter ? "trail-changes" : "trail-changes single"}>
      <thead>
        <tr>
          <th scope="col">{auditLog.field}</th>
          {hasBefore && <th scope="col">{auditLog.before}</th>}
          {hasAfter && <th scope="col">{hasBefore ? auditLog.after : auditLog.value}</th>}
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, before, after, isSame }) => (
          <tr>
            <th scope="row">{fieldWords(visit.view, entry.action, field)}</th>
            {hasBefore && (
              <td data-head={auditLog.before}>
                <Value
                  visit={visit}
                  text={valueWords(visit.view, { field, value: before, action: entry.action, names })}
                  kind={isSame || !hasAfter ? "" : "was"}
                />
              </td>
            )}
            {hasAfter && (
              <td data-head={hasBefore ? auditLog.after : auditLog.value}>
                <Value
                  visit={visit}
                  text={valueWords(visit.view, { field, value: after, action: entry.action, names })}
                  kind={isSame || !hasBefore ? "" : "is"}
                />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Value({ visit, text, kind }: { visit: StaffVisit; text: string; kind: string }) {
  const { trail: auditLog } = visit.view.words;
  const mark = kind === "" || text === auditLog.nothing ? "" : `trail-${kind}`;
  if (text.length <= LONG) return <bdi class={mark}>{text}</bdi>;
  return (
    <details class="trail-long">
      <summary>
        <bdi class={mark}>{text.slice(0, LONG)}…</bdi> <span>{auditLog.all}</span>
      </summary>
      <bdi>{text}</bdi>
    </details>
  );
}
