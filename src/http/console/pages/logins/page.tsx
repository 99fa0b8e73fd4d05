import {
  type Decisions,
  type DecisionsNow,
  decisions,
  decisionsNow,
} from "../../../../domain/service/access/decisions.ts";
import { outcomes } from "../../../../domain/service/access/outcomes.ts";
import { listChoices } from "../../../../domain/goods/subscribers/choices.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { lastHour } from "../../../../domain/money/sums/traffic-now.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Field } from "../../../pages/parts/field.tsx";
import { Menu } from "../../../pages/parts/menu.tsx";
import { Segments } from "../../../pages/parts/tabs.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { LiveChip, NewsButton, PauseButton } from "../../live/parts.tsx";
import { type AskedLogins, hrefOf, isNarrowed, partOf, PATH } from "./asked.ts";
import { reasonName } from "./said.tsx";
import { Side } from "./side.tsx";
import { DecisionTable } from "./table.tsx";

const PAGE_ROWS = 50;
const NEWEST = Number.MAX_SAFE_INTEGER;

interface PartProps {
  visit: StaffVisit;
  asked: AskedLogins;
}

/** Decisions about logins as they happen. */
export function LoginsPage({ visit, asked }: PartProps) {
  const { db, by, now, view } = visit;
  const hour = decisionsNow(db, by, { now });
  return (
    <Frame visit={visit} title={view.words.places.logins} place="logins">
      <Head visit={visit} asked={asked} hour={hour} />
      <div class="columns">
        <div>
          <Filters visit={visit} asked={asked} />
          <LoginList visit={visit} asked={asked} />
        </div>
        <LoginSide visit={visit} asked={asked} hour={hour} />
      </div>
    </Frame>
  );
}

/** What is asked for again when something was decided; not while somebody has scrolled down. */
export function LoginList({ visit, asked }: PartProps) {
  const { db, by } = visit;
  const found = decisions(db, by, asked, { limit: PAGE_ROWS, before: asked.before ?? NEWEST });
  const isNewest = asked.before === undefined;
  const live = isNewest ? { "data-live": "logins", "data-every": "2", "data-hold": "top" } : {};
  return (
    <section
      id="logins"
      class="stack live-part"
      {...live}
      hx-get={partOf(asked, "list")}
      hx-trigger="refresh"
      hx-target="this"
      hx-swap="outerMorph"
    >
      <Rows visit={visit} asked={asked} found={found} />
    </section>
  );
}

export function LoginSide({ visit, asked, hour }: PartProps & { hour?: DecisionsNow }) {
  const { db, by, now } = visit;
  const minutes = lastHour(db, by, { nasId: asked.nasId }, { now });
  return <Side visit={visit} asked={asked} hour={hour ?? decisionsNow(db, by, { now })} minutes={minutes} />;
}

function Head({ visit, asked, hour }: PartProps & { hour: DecisionsNow }) {
  const { logins, places } = visit.view.words;
  const { format } = visit.view;
  const rejected = hour.rejected.reduce((sum, one) => sum + one.logins, 0);
  const tab = (label: string, accepted: 0 | 1 | undefined, count?: number) => ({
    href: hrefOf(asked, { accepted, reason: undefined }),
    label,
    count: count === undefined ? undefined : format.number(count),
    current: asked.accepted === accepted,
  });
  return (
    <header class="page-head">
      <h1>{places.logins}</h1>
      {asked.before === undefined && <LiveChip live={logins.live} paused={logins.paused} />}
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
        <Button href={hrefOf(asked, {}, `${PATH}.csv`)} icon="download">
          {logins.csv}
        </Button>
      </div>
    </header>
  );
}

function Filters({ visit, asked }: PartProps) {
  const { view, db, by } = visit;
  const { logins } = view.words;
  const reasons = Object.keys(outcomes).filter(
    (reason) => asked.accepted === undefined || Number(reason.startsWith("accepted")) === asked.accepted,
  );
  const choices = may(by, "subscriber_view") ? listChoices(db, by) : undefined;
  const routers = choices?.nas ?? [];
  const router = routers.find(({ id }) => id === asked.nasId)?.name;
  return (
    <div class="filters" role="group" aria-label={logins.filters}>
      <Menu
        label={logins.reason}
        value={asked.reason === undefined ? logins.any : reasonName(view, asked.reason)}
        chosen={asked.reason !== undefined}
      >
        <a href={hrefOf(asked, { reason: undefined })}>{logins.any}</a>
        {reasons.map((reason) => (
          <a
            href={hrefOf(asked, { reason })}
            {...(reason === asked.reason && { "aria-current": "true" as const })}
          >
            {reasonName(view, reason)}
          </a>
        ))}
      </Menu>
      {routers.length > 0 && (
        <Menu label={logins.router} value={<bdi>{router ?? logins.any}</bdi>} chosen={router !== undefined}>
          <a href={hrefOf(asked, { nasId: undefined })}>{logins.any}</a>
          {routers.map(({ id, name }) => (
            <a
              href={hrefOf(asked, { nasId: id })}
              {...(id === asked.nasId && { "aria-current": "true" as const })}
            >
              <bdi>{name}</bdi>
            </a>
          ))}
        </Menu>
      )}
      <WhoFilter visit={visit} asked={asked} />
      <Menu
        label={logins.kind}
        value={asked.kind === undefined ? logins.any : logins.kinds[asked.kind]}
        chosen={asked.kind !== undefined}
      >
        <a href={hrefOf(asked, { kind: undefined })}>{logins.any}</a>
        {(["pppoe", "hotspot", "unknown"] as const).map((kind) => (
          <a href={hrefOf(asked, { kind })} {...(kind === asked.kind && { "aria-current": "true" as const })}>
            {logins.kinds[kind]}
          </a>
        ))}
      </Menu>
      {asked.before === undefined && <NewsButton part="logins" text={logins.news} />}
    </div>
  );
}

function WhoFilter({ visit, asked }: PartProps) {
  const { logins } = visit.view.words;
  const who = asked.mac ?? asked.username;
  const others = new URL(hrefOf(asked, { mac: undefined, username: undefined }), "http://localhost")
    .searchParams;
  return (
    <Menu label={logins.nameOrMac} value={<bdi>{who ?? logins.any}</bdi>} chosen={who !== undefined}>
      <form action={PATH} method="get" class="stack">
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

function Rows({ visit, asked, found: { rows, older } }: PartProps & { found: Decisions }) {
  const { logins } = visit.view.words;
  if (rows.length > 0)
    return (
      <>
        <DecisionTable visit={visit} asked={asked} rows={rows} />
        {older !== null && (
          <div class="pages">
            <a rel="next" href={hrefOf(asked, { before: older })}>
              {visit.view.words.log.older}
            </a>
            {rows.length < PAGE_ROWS && <span>{logins.lookedAt}</span>}
          </div>
        )}
      </>
    );
  const isEmpty = !isNarrowed(asked) && asked.before === undefined;
  return (
    <div class="card">
      <Empty
        icon="leave"
        title={isEmpty ? logins.empty.title : logins.none.title}
        text={isEmpty ? logins.empty.text : logins.none.text}
      >
        {older !== null && <Button href={hrefOf(asked, { before: older })}>{logins.none.older}</Button>}
        {!isEmpty && <Button href={PATH}>{logins.none.clear}</Button>}
      </Empty>
    </div>
  );
}
