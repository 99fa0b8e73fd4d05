import { auditNames, isNamedKind, nameKey } from "../../../../domain/core/audit/audit-names.ts";
import { auditPage } from "../../../../domain/core/audit/audit-trail.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { staffPage } from "../../../../domain/people/staff/list.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { PillField, PillSelect } from "../../../pages/parts/pill.tsx";
import { Icon } from "../../../pages/icons.tsx";
import { FilterForm } from "../../filter-form.tsx";
import { folded } from "../../folded.ts";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { LiveChip, NewsButton, PauseButton } from "../../live/parts.tsx";
import { type AskedTrail, hrefOf, TRAIL } from "./asked.ts";
import { namedIn } from "./changes.ts";
import { Entry } from "./entry.tsx";

/** Entries of a page. */
const ROWS = 60;

interface TrailProps {
  visit: StaffVisit;
  asked: AskedTrail;
}

/** Who changed what, when, from where; the newest first. */
export function TrailPage({ visit, asked }: TrailProps) {
  const { trail, places } = visit.view.words;
  const about = aboutOf(visit, asked);
  const title = about === undefined ? places.trail : trail.of(about);
  return (
    <Frame visit={visit} title={title} place="trail">
      <header class="page-head">
        <h1>{title}</h1>
        {asked.isNewest && <LiveChip live={trail.live} paused={trail.paused} />}
        <div class="actions">
          <PauseButton label={trail.pause} />
          <Button href={hrefOf(asked, {}, `${TRAIL}.csv`)} icon="download">
            {trail.csv}
          </Button>
        </div>
      </header>
      <div class="stack">
        <Filters visit={visit} asked={asked} />
        {Object.keys(asked.faults).length > 0 ? (
          <p class="fault" role="alert">
            {Object.entries(asked.faults)
              .map(([name, messages]) => `${trail.labels[name] ?? name}: ${messages[0] ?? ""}`)
              .join(". ")}
          </p>
        ) : (
          <TrailList visit={visit} asked={asked} />
        )}
      </div>
    </Frame>
  );
}

/** What is asked for again when something was changed; not while somebody reads further down. */
export function TrailList({ visit, asked }: TrailProps) {
  const { db, by, view } = visit;
  const { rows, older } = auditPage(db, by, asked.filter, { limit: ROWS, before: asked.before });
  const names = auditNames(db, by.scope, rows.flatMap(namedIn));
  // what a machine tries again and again would hide all else
  const runs = folded(rows, (row) => [
    row.action,
    row.entity,
    row.entityId,
    row.staffId,
    row.actor,
    row.source,
  ]);
  const live = asked.isNewest ? { "data-live": "trail", "data-every": "3", "data-hold": "top" } : {};
  const part = hrefOf(asked, { part: "list", ...(asked.isNewest ? {} : { before: String(asked.before) }) });
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
            <Entry visit={visit} asked={asked} entries={entries} names={names} />
          ))}
        </ol>
      ) : (
        <None visit={visit} asked={asked} older={older} />
      )}
      {(older !== null || !asked.isNewest) && <Pages visit={visit} asked={asked} older={older} />}
    </section>
  );
}

function Pages({ visit, asked, older }: TrailProps & { older: number | null }) {
  const { log } = visit.view.words;
  return (
    <nav class="pages" aria-label={log.pages}>
      {!asked.isNewest && (
        <a href={hrefOf(asked)}>
          <Icon name="back" /> {log.newest}
        </a>
      )}
      {older !== null && (
        <a rel="next" href={hrefOf(asked, { before: String(older) })}>
          {log.older} <Icon name="forward" />
        </a>
      )}
    </nav>
  );
}

function None({ visit, asked, older }: TrailProps & { older: number | null }) {
  const { trail } = visit.view.words;
  const isNarrowed = Object.keys(asked.given).length > 0;
  return (
    <div class="card">
      <Empty
        icon="history"
        title={isNarrowed ? trail.none.title : trail.empty.title}
        text={older === null ? (isNarrowed ? trail.none.text : trail.empty.text) : trail.none.further}
      >
        {isNarrowed && <Button href={TRAIL}>{trail.clear}</Button>}
      </Empty>
    </div>
  );
}

/** What the trail is asked about, by its name. */
function aboutOf(
  { view, db, by }: StaffVisit,
  { filter: { entity, entityId } }: AskedTrail,
): string | undefined {
  if (!entity || !entityId) return undefined;
  const known =
    isNamedKind(entity) && /^\d{1,15}$/.test(entityId) ? { kind: entity, id: Number(entityId) } : undefined;
  const name = known && auditNames(db, by.scope, [known]).get(nameKey(known));
  return name ?? view.words.trail.whole(view.words.trail.entities[entity] ?? entity, entityId);
}

function Filters({ visit, asked }: TrailProps) {
  const { trail } = visit.view.words;
  const { given, faults } = asked;
  const field = (name: string, type: "date" | "text") => (
    <PillField
      name={name}
      type={type}
      label={trail.labels[name] ?? name}
      value={given[name] ?? ""}
      chosen={given[name] !== undefined}
      fault={faults[name]?.[0]}
    />
  );
  const select = (name: string, options: readonly { value: string | number; label: string }[]) => (
    <PillSelect
      name={name}
      label={trail.labels[name] ?? name}
      value={given[name] ?? ""}
      options={[{ value: "", label: trail.any }, ...options]}
      chosen={given[name] !== undefined}
    />
  );
  const about = given["entity"];
  return (
    <div class="filters trail-filters" role="group" aria-label={trail.filters}>
      <FilterForm href={TRAIL} kind="filters">
        {given["actor"] !== undefined && field("actor", "text")}
        {select("staff_id", staffOf(visit, given["staff_id"]))}
        {select(
          "entity",
          Object.entries(trail.entities).map(([value, label]) => ({ value, label })),
        )}
        {(about !== undefined || given["entity_id"] !== undefined) && field("entity_id", "text")}
        {select("action", actionsOf(visit, about, given["action"]))}
        {field("from", "date")}
        {field("to", "date")}
        {field("source", "text")}
        <noscript>
          <Button size="small">{trail.show}</Button>
        </noscript>
      </FilterForm>
      {Object.keys(given).length > 0 && (
        <a class="filter" href={TRAIL}>
          {trail.clear}
        </a>
      )}
      {asked.isNewest && <NewsButton part="trail" text={trail.news} />}
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
