import type { AuditEntry } from "../../../../domain/core/audit/audit-trail.ts";
import { nameKey } from "../../../../domain/core/audit/audit-names.ts";
import { isSettingKey } from "../../../../domain/core/settings/settings.ts";
import { Count } from "../../../pages/parts/chip.tsx";
import type { StaffVisit } from "../../guard.ts";
import { flagDoes } from "../team/flags.ts";
import { type AskedTrail, hrefOf } from "./asked.ts";
import { type Change, changesOf, valueWords } from "./changes.ts";
import { What } from "./what.tsx";
import { actorName } from "../subscriber/say.ts";

export interface EntryProps {
  visit: StaffVisit;
  asked: AskedTrail;
  entry: AuditEntry;
  names: ReadonlyMap<string, string>;
}

interface RunProps extends Omit<EntryProps, "entry"> {
  /** The same, done again and again by the same: the newest first. */
  entries: readonly [AuditEntry, ...AuditEntry[]];
}

/** Fields that stand at once; the others open. */
const SHOWN = 6;
/** Characters of a value that stand at once. */
const LONG = 160;

/** One line: what, when, who, from where, and how often where it was done again and again; before and after of each open below it. */
export function Entry({ entries, ...rest }: RunProps) {
  const [entry] = entries;
  const props = { ...rest, entry };
  const { visit } = rest;
  const { format, words } = visit.view;
  const { trail } = words;
  const told = entries.length > 1 ? entries : entries.filter((one) => newsOf(one).length > 0);
  return (
    <li class="trail-entry" id={`entry-${entry.id}`}>
      <header class="trail-head">
        <h2>
          <What {...props} narrow={props.asked} />
        </h2>
        {entries.length > 1 && <Count>{trail.times(format.number(entries.length))}</Count>}
        <p class="hint">
          <time title={format.time(entry.at)}>{format.near(entry.at, visit.now)}</time>
          {" · "}
          <Who {...props} />
          {" · "}
          <a href={hrefOf(props.asked, { source: entry.source })}>
            <bdi>{trail.sources[entry.source] ?? entry.source}</bdi>
          </a>
        </p>
      </header>
      {told.length > 0 && (
        <details class="trail-more">
          <summary>{trail.details}</summary>
          {told.map((one) => (
            <One {...rest} entry={one} isOfRun={entries.length > 1} />
          ))}
        </details>
      )}
    </li>
  );
}

const newsOf = (entry: AuditEntry) => changesOf(entry).filter((change) => !isIdle(entry, change));

/** What one of them changed. */
function One({ isOfRun, ...props }: EntryProps & { isOfRun: boolean }) {
  const { visit, entry } = props;
  const { format, words } = visit.view;
  const { trail } = words;
  const changes = newsOf(entry);
  const differ = changes.filter(({ isSame }) => !isSame);
  const same = changes.filter(({ isSame }) => isSame);
  return (
    <section class="trail-one" {...(isOfRun && { "data-entry": entry.id })}>
      {isOfRun && <time class="hint">{format.time(entry.at)}</time>}
      {differ.length > 0 && <Changes {...props} changes={differ.slice(0, SHOWN)} />}
      {differ.length > SHOWN && (
        <details class="trail-more">
          <summary>{trail.more(differ.length - SHOWN)}</summary>
          <Changes {...props} changes={differ.slice(SHOWN)} />
        </details>
      )}
      {same.length > 0 && (
        <details class="trail-more">
          <summary>{trail.same(same.length)}</summary>
          <Changes {...props} changes={same} />
        </details>
      )}
    </section>
  );
}

/** What is no news: a field that was left empty in what was made or deleted, a sign-in that lacked nothing. */
function isIdle({ before: whole, after: now }: AuditEntry, { field, before, after }: Change): boolean {
  if (field === "needs") return after === "nothing";
  const isAlone = whole === null || now === null;
  return isAlone && (before ?? after ?? "") === "";
}

/** Who did it, as a way to everything that they did. */
function Who({ visit, asked, entry: { staffId, actor }, names }: EntryProps) {
  const name = staffId === null ? undefined : names.get(nameKey({ kind: "staff", id: staffId }));
  const href = staffId === null ? hrefOf(asked, { actor }) : hrefOf(asked, { staff_id: String(staffId) });
  return (
    <a href={href} title={actor}>
      <bdi>{name ?? actorName(visit.view.words, actor)}</bdi>
    </a>
  );
}

function Changes({ visit, entry, names, changes }: EntryProps & { changes: readonly Change[] }) {
  const { trail } = visit.view.words;
  const hasBefore = changes.some(({ before }) => before !== undefined);
  const hasAfter = changes.some(({ after }) => after !== undefined);
  return (
    <table class={hasBefore && hasAfter ? "trail-changes" : "trail-changes single"}>
      <thead>
        <tr>
          <th scope="col">{trail.field}</th>
          {hasBefore && <th scope="col">{trail.before}</th>}
          {hasAfter && <th scope="col">{hasBefore ? trail.after : trail.value}</th>}
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, before, after, isSame }) => (
          <tr>
            <th scope="row">{fieldWords(visit, entry.action, field)}</th>
            {hasBefore && (
              <td data-head={trail.before}>
                <Value
                  visit={visit}
                  text={valueWords(visit.view, { field, value: before, action: entry.action, names })}
                  kind={isSame || !hasAfter ? "" : "was"}
                />
              </td>
            )}
            {hasAfter && (
              <td data-head={hasBefore ? trail.after : trail.value}>
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
  const { trail } = visit.view.words;
  const mark = kind === "" || text === trail.nothing ? "" : `trail-${kind}`;
  if (text.length <= LONG) return <bdi class={mark}>{text}</bdi>;
  return (
    <details class="trail-long">
      <summary>
        <bdi class={mark}>{text.slice(0, LONG)}…</bdi> <span class="trail-all">{trail.all}</span>
      </summary>
      <bdi>{text}</bdi>
    </details>
  );
}

/** A field by its name in words; a permission and a setting as they are called everywhere. */
function fieldWords({ view }: StaffVisit, action: string, field: string): string {
  const { fields } = view.words.trail;
  const { team, settings } = view.words;
  if (action === "role.permissions") return flagDoes(team, field) ?? field;
  if (action === "setting.change") return isSettingKey(field) ? settings.words[field].name : field;
  const known = fields[field] ?? fields[field.split(".").at(-1) ?? ""];
  return known ?? field.replaceAll(/[_.]/g, " ");
}
