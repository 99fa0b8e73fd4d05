import { auditNames, isNamedKind, type Named, nameKey } from "../../../../domain/core/audit/audit-names.ts";
import { auditPage } from "../../../../domain/core/audit/audit-log.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { staffPage } from "../../../../domain/people/staff/list.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { PillField, PillSelect } from "../../../pages/parts/pill.tsx";
import { FilterForm } from "../../parts/filters.tsx";
import { folded } from "../../folded.ts";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { FileButton } from "../../parts/list.tsx";
import { Older } from "../../parts/pager.tsx";
import { LiveChip, NewsButton, PauseButton } from "../../live/parts.tsx";
import type { AuditQuery } from "./query.ts";
import { auditLogHref, AUDIT_LOG } from "../../parts/hrefs.ts";
import { namedIn } from "../../parts/audit-log-changes.ts";
import { Entry } from "./entry.tsx";

/** Entries of a page. */
const ROWS = 60;

interface AuditLogProps {
  visit: StaffVisit;
  query: AuditQuery;
}

/** A page of entries, with the names of what they are about and of what the trail is asked about. */
interface ReadAuditLog extends ReturnType<typeof auditPage> {
  readonly names: ReadonlyMap<string, string>;
}

function read({ db, by }: StaffVisit, query: AuditQuery): ReadAuditLog {
  const found = auditPage(db, by, query.filter, { limit: ROWS, before: query.before });
  const named = [...found.rows.flatMap(namedIn), ...requestsAbout(query)];
  return { ...found, names: auditNames(db, by.scope, named) };
}

/** Who changed what, when, from where; the newest first. */
export function AuditLogPage({ visit, query }: AuditLogProps) {
  const { trail: auditLog, places } = visit.view.words;
  const found = Object.keys(query.faults).length > 0 ? undefined : read(visit, query);
  const about = aboutOf(visit, query, found?.names);
  const title = about === undefined ? places.trail : auditLog.of(about);
  return (
    <Frame visit={visit} title={title} place="trail">
      <header class="page-head">
        <h1>{title}</h1>
        {query.isNewest && <LiveChip live={auditLog.live} paused={auditLog.paused} />}
        <div class="actions">
          <PauseButton label={auditLog.pause} />
          <FileButton visit={visit} href={`${AUDIT_LOG}.csv`} />
        </div>
      </header>
      <div class="stack">
        <Filters visit={visit} query={query} />
        {found ? (
          <AuditLogList visit={visit} query={query} found={found} />
        ) : (
          <p class="fault" role="alert">
            {Object.entries(query.faults)
              .map(([name, messages]) => `${auditLog.labels[name] ?? name}: ${messages[0] ?? ""}`)
              .join(". ")}
          </p>
        )}
      </div>
    </Frame>
  );
}

/** What is asked for again when something was changed; not while somebody reads further down. */
export function AuditLogList({
  visit,
  query,
  found = read(visit, query),
}: AuditLogProps & { found?: ReadAuditLog }) {
  const { view } = visit;
  const { rows, older, names } = found;
  // what a machine tries again and again would hide all else
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
      aria-label={view.words.places.trail}
      {...live}
      hx-get={part}
      hx-trigger="refresh"
      hx-target="this"
      hx-swap="outerMorph"
    >
      {rows.length > 0 ? (
        <ol class="card trail-list" data-rows>
          {runs.map((entries) => (
            <Entry visit={visit} query={query} entries={entries} names={names} />
          ))}
        </ol>
      ) : (
        <None visit={visit} query={query} older={older} />
      )}
      <Older visit={visit} last={older ?? undefined} />
    </section>
  );
}

function None({ visit, query, older }: AuditLogProps & { older: number | null }) {
  const { trail: auditLog } = visit.view.words;
  const isNarrowed = Object.keys(query.values).length > 0;
  return (
    <div class="card">
      <Empty
        icon="history"
        title={isNarrowed ? auditLog.none.title : auditLog.empty.title}
        text={
          older === null ? (isNarrowed ? auditLog.none.text : auditLog.empty.text) : auditLog.none.further
        }
      >
        {isNarrowed && <Button href={AUDIT_LOG}>{auditLog.clear}</Button>}
      </Empty>
    </div>
  );
}

/** The row that the trail is asked about, where there is one and it has a name. */
function requestsAbout({ filter: { entity, entityId } }: AuditQuery): Named[] {
  const isOfRow = entity && entityId && isNamedKind(entity) && /^\d{1,15}$/.test(entityId);
  return isOfRow ? [{ kind: entity, id: Number(entityId) }] : [];
}

/** What the trail is asked about, by its name. */
function aboutOf(
  { view, db, by }: StaffVisit,
  query: AuditQuery,
  names: ReadonlyMap<string, string> = auditNames(db, by.scope, requestsAbout(query)),
): string | undefined {
  const { entity, entityId } = query.filter;
  if (!entity || !entityId) return undefined;
  const [known] = requestsAbout(query);
  const name = known && names.get(nameKey(known));
  return name ?? view.words.trail.whole(view.words.trail.entities[entity] ?? entity, entityId);
}

function Filters({ visit, query }: AuditLogProps) {
  const { trail: auditLog } = visit.view.words;
  const { values: filter, faults } = query;
  const field = (name: string, type: "date" | "text") => (
    <PillField
      name={name}
      type={type}
      label={auditLog.labels[name] ?? name}
      value={filter[name] ?? ""}
      chosen={filter[name] !== undefined}
      fault={faults[name]?.[0]}
    />
  );
  const select = (name: string, options: readonly { value: string | number; label: string }[]) => (
    <PillSelect
      name={name}
      label={auditLog.labels[name] ?? name}
      value={filter[name] ?? ""}
      options={[{ value: "", label: auditLog.any }, ...options]}
      chosen={filter[name] !== undefined}
    />
  );
  const about = filter["entity"];
  return (
    <div class="filters trail-filters" role="group" aria-label={auditLog.filters}>
      <FilterForm href={AUDIT_LOG} kind="filters">
        {filter["actor"] !== undefined && field("actor", "text")}
        {select("staff_id", staffOf(visit, filter["staff_id"]))}
        {select(
          "entity",
          Object.entries(auditLog.entities).map(([value, label]) => ({ value, label })),
        )}
        {(about !== undefined || filter["entity_id"] !== undefined) && field("entity_id", "text")}
        {select("action", actionsOf(visit, about, filter["action"]))}
        {field("from", "date")}
        {field("to", "date")}
        {field("source", "text")}
        <noscript>
          <Button size="small">{auditLog.show}</Button>
        </noscript>
      </FilterForm>
      {Object.keys(filter).length > 0 && (
        <a class="filter" href={AUDIT_LOG}>
          {auditLog.clear}
        </a>
      )}
      {query.isNewest && <NewsButton part="trail" text={auditLog.news} />}
    </div>
  );
}

/** Accounts to choose from, as far as one may see them, and the one that is asked for. */
function staffOf({ db, by }: StaffVisit, chosen: string | undefined) {
  const sees = may(by, "staff_view");
  const rows = sees
    ? staffPage(db, by, {}, { sort: "name", descending: false, limit: 500, offset: 0 }).rows
    : [];
  const options = rows.map(({ id, name }) => ({ value: id, label: name }));
  const isThere = chosen === undefined || options.some(({ value }) => String(value) === chosen);
  return isThere ? options : [...options, { value: chosen, label: chosen }];
}

/** What can be done, of one kind of thing where that is chosen. */
function actionsOf({ view }: StaffVisit, entity: string | undefined, chosen: string | undefined) {
  const { actions, verb } = view.words.trail;
  return Object.keys(actions)
    .filter(
      (action) =>
        entity === undefined || action === chosen || action.startsWith(`${entity}.`) || entity === "entry",
    )
    .map((value) => ({ value, label: verb(value) }));
}
