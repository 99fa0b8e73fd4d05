import {
  type Decisions,
  type DecisionsNow,
  decisions,
  decisionsNow,
} from "../../../../domain/service/access/decisions.ts";
import { outcomes } from "../../../../domain/service/access/outcomes.ts";
import { listChoices } from "../../../../domain/goods/subscribers/choices.ts";
import { may, type Widened, widened } from "../../../../domain/core/actor/actor.ts";
import { lastHour } from "../../../../domain/money/sums/traffic-now.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { type Filter, FilterBar } from "../../parts/filters.tsx";
import { FileButton, None } from "../../parts/list.tsx";
import { Older } from "../../parts/pager.tsx";
import { LiveChip, NewsButton, PauseButton } from "../../live/parts.tsx";
import { type LoginsQuery, loginsHref, isNarrowed, kinds, partHref } from "./query.ts";
import { LOGINS } from "../../parts/hrefs.ts";
import { reasonName } from "../../parts/phrases.ts";
import { Side } from "./side.tsx";
import { Decisions as DecisionTable } from "./table.tsx";

const PAGE_ROWS = 50;
const NEWEST = Number.MAX_SAFE_INTEGER;

interface PartProps {
  visit: StaffVisit;
  query: LoginsQuery;
}

interface ListProps extends PartProps {
  wide?: Widened;
}

export function LoginsPage({ visit, query }: PartProps) {
  const { db, by, now, view } = visit;
  const wide = widened(db, by.scope);
  const hour = decisionsNow(db, by, { now, wide });
  return (
    <Frame visit={visit} title={view.words.places.logins} place="logins">
      <Head visit={visit} query={query} />
      <div class="split">
        <div>
          <FilterBar visit={visit} filters={buildFilters(visit, query, hour)}>
            {query.before === undefined && <NewsButton part="logins" text={view.words.logins.news} />}
          </FilterBar>
          <LoginList visit={visit} query={query} wide={wide} />
        </div>
        <LoginSide visit={visit} query={query} hour={hour} />
      </div>
    </Frame>
  );
}

/** Loads itself again after decisions, unless somebody has scrolled down. */
export function LoginList({ visit, query, wide = widened(visit.db, visit.by.scope) }: ListProps) {
  const { db, by } = visit;
  const found = decisions(db, by, query, { limit: PAGE_ROWS, before: query.before ?? NEWEST, wide });
  const isNewest = query.before === undefined;
  const live = isNewest ? { "data-live": "logins", "data-every": "2", "data-hold": "top" } : {};
  return (
    <section
      id="logins"
      class="stack live-part"
      {...live}
      hx-get={partHref(query, "list")}
      hx-trigger="refresh"
      hx-target="this"
      hx-swap="outerMorph"
    >
      <Rows visit={visit} query={query} found={found} />
    </section>
  );
}

export function LoginSide({ visit, query, hour }: PartProps & { hour?: DecisionsNow }) {
  const { db, by, now } = visit;
  const minutes = lastHour(db, by, { nasId: query.nasId }, { now });
  return <Side visit={visit} query={query} hour={hour ?? decisionsNow(db, by, { now })} minutes={minutes} />;
}

function Head({ visit, query }: PartProps) {
  const { keys, logins, places } = visit.view.words;
  return (
    <header class="page-head">
      <h1>{places.logins}</h1>
      {query.before === undefined && <LiveChip live={logins.live} paused={logins.paused} />}
      <div class="actions">
        <span class="hint">{logins.newest}</span>
        <PauseButton label={logins.pause} space={keys.space} />
        <FileButton visit={visit} href={`${LOGINS}.csv`} />
      </div>
    </header>
  );
}

/** Result, reason, router, person, kind. */
function buildFilters({ view, db, by }: StaffVisit, { accepted }: LoginsQuery, hour: DecisionsNow): Filter[] {
  const { logins } = view.words;
  const { format } = view;
  const rejected = hour.rejected.reduce((sum, one) => sum + one.logins, 0);
  const reasons = Object.keys(outcomes).filter(
    (reason) => accepted === undefined || Number(reason.startsWith("accepted")) === accepted,
  );
  const routers = may(by, "subscriber_view") ? listChoices(db, by).nas : [];
  const of = routers.map(({ id, name: label }) => ({ value: id, label }));
  return [
    {
      name: "outcome",
      kind: "views",
      label: logins.outcome,
      drops: ["reason"],
      options: [
        { value: "", label: logins.all },
        { value: "rejected", label: logins.rejected, count: format.number(rejected) },
        { value: "accepted", label: logins.accepted, count: format.number(hour.accepted) },
      ],
    },
    {
      name: "reason",
      kind: "choice",
      label: logins.reason,
      options: reasons.map((value) => ({ value, label: reasonName(view, value) })),
    },
    ...(of.length > 0
      ? [{ name: "router", kind: "choice", label: logins.router, options: of } as const]
      : []),
    {
      name: "who",
      kind: "text",
      label: logins.nameOrMac,
      hint: logins.nameOrMacHelp,
      attributes: { autocapitalize: "none", spellcheck: "false", maxlength: 253 },
    },
    {
      name: "kind",
      kind: "choice",
      label: logins.kind,
      options: kinds.map((value) => ({ value, label: logins.kinds[value] })),
    },
  ];
}

function Rows({ visit, query, found: { rows, older } }: PartProps & { found: Decisions }) {
  const { logins } = visit.view.words;
  if (rows.length > 0)
    return (
      <>
        <div>
          <DecisionTable visit={visit} rows={rows} />
        </div>
        <Older visit={visit} last={older ?? undefined}>
          {older !== null && rows.length < PAGE_ROWS && <span>{logins.lookedAt}</span>}
        </Older>
      </>
    );
  const isLess = isNarrowed(query) || query.before !== undefined || older !== null;
  return (
    <None
      visit={visit}
      empty={{ icon: "leave", ...logins.empty }}
      isNarrowed={isLess}
      text={older !== null && logins.none.text}
    >
      {older !== null && <Button href={loginsHref(query, { before: older })}>{logins.none.older}</Button>}
    </None>
  );
}
