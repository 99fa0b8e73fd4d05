import { faultsTold } from "../../attempt.ts";
import { auditNames, isNamedKind, type Named, nameKey } from "../../../../domain/core/audit/audit-names.ts";
import { auditPage } from "../../../../domain/core/audit/audit-log.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { staffPage } from "../../../../domain/people/staff/list.ts";
import { type Filter, FilterBar } from "../../parts/filters.tsx";
import { folded } from "../../folded.ts";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { FileButton, None } from "../../parts/list.tsx";
import { Older } from "../../parts/pager.tsx";
import { LiveChip, NewsButton, PauseButton } from "../../live/parts.tsx";
import type { AuditQuery } from "./query.ts";
import { auditLogHref, AUDIT_LOG } from "../../parts/hrefs.ts";
import { namedIn } from "../../parts/audit-log-changes.ts";
import { Entry } from "./entry.tsx";

const ROWS = 60;

interface AuditLogProps {
  visit: StaffVisit;
  query: AuditQuery;
}

interface ReadAuditLog extends ReturnType<typeof auditPage> {
  readonly names: ReadonlyMap<string, string>;
}

function read({ db, by }: StaffVisit, query: AuditQuery): ReadAuditLog {
  const found = auditPage(db, by, query.filter, { limit: ROWS, before: query.before });
  const named = [...found.rows.flatMap(namedIn), ...requestsAbout(query)];
  return { ...found, names: auditNames(db, by.scope, named) };
}

/** The newest first. */
export function AuditLogPage({ visit, query }: AuditLogProps) {
  const { keys, trail: auditLog, places } = visit.view.words;
  const found = Object.keys(query.faults).length > 0 ? undefined : read(visit, query);
  const about = findAbout(visit, query, found?.names);
  const title = about === undefined ? places.trail : auditLog.of(about);
  return (
    <Frame visit={visit} title={title} place="trail">
      <header class="page-head">
        <h1>{title}</h1>
        {query.isNewest && <LiveChip live={auditLog.live} paused={auditLog.paused} />}
        <div class="actions">
          <PauseButton label={auditLog.pause} space={keys.space} />
          <FileButton visit={visit} href={`${AUDIT_LOG}.csv`} />
        </div>
      </header>
      <div class="stack">
        <FilterBar visit={visit} filters={buildFilters(visit, query)}>
          {query.isNewest && <NewsButton part="trail" text={auditLog.news} />}
        </FilterBar>
        {found ? (
          <AuditLogList visit={visit} query={query} found={found} />
        ) : (
          <p class="fault" role="alert">
            {Object.entries(query.faults)
              .map(
                ([name, messages]) =>
                  `${auditLog.labels[name] ?? name}${visit.view.words.list.colon}${messages[0] ?? ""}`,
              )
              .join(". ")}
          </p>
        )}
      </div>
    </Frame>
  );
}

/** Loads itself again after changes, unless somebody has scrolled down. */
export function AuditLogList({
  visit,
  query,
  found = read(visit, query),
}: AuditLogProps & { found?: ReadAuditLog }) {
  const { trail: auditLog, places } = visit.view.words;
  const { rows, older, names } = found;
  // repetitions of a machine would hide all else
  const runs = folded(rows, (row) => [
    row.action,
    row.entity,
    row.entityId,
    row.staffId,
    row.actor,
    row.source,
  ]);
  const live = query.isNewest ? { "data-live": "trail", "data-every": "3", "data-hold": "top" } : {};
  const part = auditLogHref(query, {
    part: "list",
    ...(query.isNewest ? {} : { before: String(query.before) }),
  });
  return (
    <section
      id="trail"
      class="stack live-part"
      aria-label={places.trail}
      {...live}
      hx-get={part}
      hx-trigger="refresh"
      hx-target="this"
      hx-swap="outerMorph"
    >
      {rows.length > 0 ? (
        <ol class="card flush" data-rows>
          {runs.map((entries) => (
            <Entry visit={visit} query={query} entries={entries} names={names} />
          ))}
        </ol>
      ) : (
        <None
          visit={visit}
          empty={{ icon: "history", ...auditLog.empty }}
          isNarrowed={older !== null || Object.keys(query.values).length > 0}
          text={older !== null && auditLog.further}
        />
      )}
      <Older visit={visit} last={older ?? undefined} />
    </section>
  );
}

/** The subject that the filter names. */
function requestsAbout({ filter: { entity, entityId } }: AuditQuery): Named[] {
  const isAboutRow = entity && entityId && isNamedKind(entity) && /^\d{1,15}$/.test(entityId);
  return isAboutRow ? [{ kind: entity, id: Number(entityId) }] : [];
}

/** The subject's name. */
function findAbout(
  { view, db, by }: StaffVisit,
  query: AuditQuery,
  names: ReadonlyMap<string, string> = auditNames(db, by.scope, requestsAbout(query)),
): string | undefined {
  const { entity, entityId } = query.filter;
  if (!entity || !entityId) return undefined;
  const [known] = requestsAbout(query);
  const name = known && names.get(nameKey(known));
  return name ?? view.words.trail.whole(entity, entityId);
}

/** Actor, action and time; ids and programs only while they are filtered by. */
function buildFilters(visit: StaffVisit, { values, faults }: AuditQuery): Filter[] {
  const { tag } = visit.view.words;
  const { labels, entities } = visit.view.words.trail;
  const told = faultsTold(visit.view, faults);
  const named = (name: string, kind: Filter["kind"], options?: Filter["options"]): Filter => ({
    ...{ name, kind, label: labels[name] ?? name, value: values[name] ?? "", fault: told[name]?.[0] },
    ...(options && { options }),
    chosen: values[name] !== undefined,
  });
  const about = values["entity"];
  const isAboutOne = about !== undefined || values["entity_id"] !== undefined;
  const kinds = Object.entries(entities)
    .map(([value, label]) => ({ value, label }))
    .sort(byLabel(tag));
  return [
    ...(values["actor"] === undefined ? [] : [named("actor", "text")]),
    named("staff_id", "choice", staffOptions(visit, values["staff_id"])),
    named("entity", "choice", kinds),
    ...(isAboutOne ? [named("entity_id", "text")] : []),
    named("action", "choice", actionOptions(visit, about, values["action"])),
    named("from", "day"),
    named("to", "day"),
    named("source", "text"),
  ];
}

const byLabel =
  (tag: string) =>
  (one: { readonly label: string }, other: { readonly label: string }): number =>
    one.label.localeCompare(other.label, tag);

/** Visible accounts, and the filtered one. */
function staffOptions({ db, by }: StaffVisit, chosen: string | undefined) {
  const sees = may(by, "staff_view");
  const rows = sees
    ? staffPage(db, by, {}, { sort: "name", descending: false, limit: 500, offset: 0 }).rows
    : [];
  const options = rows.map(({ id, name }) => ({ value: id, label: name }));
  const isThere = chosen === undefined || options.some(({ value }) => String(value) === chosen);
  return isThere ? options : [...options, { value: chosen, label: chosen }];
}

/** Actions, of one noun where that is chosen. */
function actionOptions({ view }: StaffVisit, entity: string | undefined, chosen: string | undefined) {
  const { actions, verb } = view.words.trail;
  return Object.keys(actions)
    .filter(
      (action) =>
        entity === undefined || action === chosen || action.startsWith(`${entity}.`) || entity === "entry",
    )
    .map((value) => ({ value, label: verb(value) }))
    .sort(byLabel(view.words.tag));
}
