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
import { Empty } from "../../../pages/parts/empty.tsx";
import { Field } from "../../../pages/parts/field.tsx";
import { Menu } from "../../../pages/parts/menu.tsx";
import { Segments } from "../../../pages/parts/tabs.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { FileButton } from "../../parts/list.tsx";
import { Older } from "../../parts/pager.tsx";
import { LiveChip, NewsButton, PauseButton } from "../../live/parts.tsx";
import { type LoginsQuery, hrefOf, isNarrowed, partOf } from "./query.ts";
import { LOGINS } from "../../parts/hrefs.ts";
import { reasonName } from "../../parts/phrases.ts";
import { Side } from "./side.tsx";
import { DecisionTable } from "./table.tsx";

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
      <Head visit={visit} query={query} hour={hour} />
      <div class="split">
        <div>
          <Filters visit={visit} query={query} />
          <LoginList visit={visit} query={query} wide={wide} />
        </div>
        <LoginSide visit={visit} query={query} hour={hour} />
      </div>
    </Frame>
  );
}

/** What is asked for again when something was decided; not while somebody has scrolled down. */
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
      hx-get={partOf(query, "list")}
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

function Head({ visit, query, hour }: PartProps & { hour: DecisionsNow }) {
  const { logins, places } = visit.view.words;
  const { format } = visit.view;
  const rejected = hour.rejected.reduce((sum, one) => sum + one.logins, 0);
  const tab = (label: string, accepted: 0 | 1 | undefined, count?: number) => ({
    href: hrefOf(query, { accepted, reason: undefined }),
    label,
    count: count === undefined ? undefined : format.number(count),
    current: query.accepted === accepted,
  });
  return (
    <header class="page-head">
      <h1>{places.logins}</h1>
      {query.before === undefined && <LiveChip live={logins.live} paused={logins.paused} />}
      <Segments
        label={logins.outcome}
        tabs={[
          tab(logins.all, undefined),
          tab(logins.rejected, 0, rejected),
          tab(logins.accepted, 1, hour.accepted),
        ]}
      />
      <div class="actions">
        <span class="hint">{logins.newest}</span>
        <PauseButton label={logins.pause} />
        <FileButton visit={visit} href={`${LOGINS}.csv`} />
      </div>
    </header>
  );
}

function Filters({ visit, query }: PartProps) {
  const { view, db, by } = visit;
  const { logins } = view.words;
  const reasons = Object.keys(outcomes).filter(
    (reason) => query.accepted === undefined || Number(reason.startsWith("accepted")) === query.accepted,
  );
  const choices = may(by, "subscriber_view") ? listChoices(db, by) : undefined;
  const routers = choices?.nas ?? [];
  const router = routers.find(({ id }) => id === query.nasId)?.name;
  return (
    <div class="filters" role="group" aria-label={logins.filters}>
      <Menu
        label={logins.reason}
        value={query.reason === undefined ? logins.any : reasonName(view, query.reason)}
        chosen={query.reason !== undefined}
      >
        <a href={hrefOf(query, { reason: undefined })}>{logins.any}</a>
        {reasons.map((reason) => (
          <a
            href={hrefOf(query, { reason })}
            {...(reason === query.reason && { "aria-current": "true" as const })}
          >
            {reasonName(view, reason)}
          </a>
        ))}
      </Menu>
      {routers.length > 0 && (
        <Menu label={logins.router} value={<bdi>{router ?? logins.any}</bdi>} chosen={router !== undefined}>
          <a href={hrefOf(query, { nasId: undefined })}>{logins.any}</a>
          {routers.map(({ id, name }) => (
            <a
              href={hrefOf(query, { nasId: id })}
              {...(id === query.nasId && { "aria-current": "true" as const })}
            >
              <bdi>{name}</bdi>
            </a>
          ))}
        </Menu>
      )}
      <WhoFilter visit={visit} query={query} />
      <Menu
        label={logins.kind}
        value={query.kind === undefined ? logins.any : logins.kinds[query.kind]}
        chosen={query.kind !== undefined}
      >
        <a href={hrefOf(query, { kind: undefined })}>{logins.any}</a>
        {(["pppoe", "hotspot", "unknown"] as const).map((kind) => (
          <a href={hrefOf(query, { kind })} {...(kind === query.kind && { "aria-current": "true" as const })}>
            {logins.kinds[kind]}
          </a>
        ))}
      </Menu>
      {query.before === undefined && <NewsButton part="logins" text={logins.news} />}
    </div>
  );
}

function WhoFilter({ visit, query }: PartProps) {
  const { logins } = visit.view.words;
  const who = query.mac ?? query.username;
  const others = new URL(hrefOf(query, { mac: undefined, username: undefined }), "http://localhost")
    .searchParams;
  return (
    <Menu label={logins.nameOrMac} value={<bdi>{who ?? logins.any}</bdi>} chosen={who !== undefined}>
      <form action={LOGINS} method="get" class="stack">
        {[...others].map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <Field
          name="who"
          label={logins.nameOrMac}
          value={who ?? ""}
          help={logins.nameOrMacHelp}
          attributes={{ autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: 253 }}
        />
        <Button size="small">{logins.show}</Button>
      </form>
    </Menu>
  );
}

function Rows({ visit, query, found: { rows, older } }: PartProps & { found: Decisions }) {
  const { logins } = visit.view.words;
  if (rows.length > 0)
    return (
      <>
        <DecisionTable visit={visit} query={query} rows={rows} />
        <Older visit={visit} last={older ?? undefined}>
          {older !== null && rows.length < PAGE_ROWS && <span>{logins.lookedAt}</span>}
        </Older>
      </>
    );
  const isEmpty = !isNarrowed(query) && query.before === undefined;
  return (
    <div class="card">
      <Empty
        icon="leave"
        title={isEmpty ? logins.empty.title : logins.none.title}
        text={isEmpty ? logins.empty.text : logins.none.text}
      >
        {older !== null && <Button href={hrefOf(query, { before: older })}>{logins.none.older}</Button>}
        {!isEmpty && <Button href={LOGINS}>{logins.none.clear}</Button>}
      </Empty>
    </div>
  );
}
