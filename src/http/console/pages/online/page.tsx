import { listChoices } from "../../../../domain/goods/subscribers/choices.ts";
import type { RouterOnline } from "../../../../domain/service/sessions/online-routers.ts";
import { setting } from "../../../../domain/core/settings/settings.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { Rate } from "../../../pages/charts/rate.tsx";
import { FormToken } from "../../../pages/document.tsx";
import { Icon } from "../../../pages/icons.tsx";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Dot } from "../../../pages/parts/chip.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Menu } from "../../../pages/parts/menu.tsx";
import { Segments } from "../../../pages/parts/tabs.tsx";
import { ChosenBar } from "../../choosing.tsx";
import { figuresOf } from "../../figures.ts";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { FileButton } from "../../parts/list.tsx";
import { Pages } from "../../parts/pager.tsx";
import { LiveChip, PauseButton } from "../../live/parts.tsx";
import { type OnlineQuery, hrefOf, isNarrowed, PAGE_ROWS } from "./query.ts";
import { ONLINE } from "../../parts/hrefs.ts";
import { readOnline, type OnlineView } from "./read.ts";
import { OnlineTable } from "./table.tsx";

/** Seconds between two looks of an open page: two hundred of them cost a tenth of what each second would. */
const EVERY = 10;

interface PartProps {
  visit: StaffVisit;
  query: OnlineQuery;
  board: OnlineView;
}

export function OnlinePage({ visit, query }: { visit: StaffVisit; query: OnlineQuery }) {
  const board = readOnline(visit, query);
  return (
    <Frame visit={visit} title={visit.view.words.places.online} place="online">
      <Head visit={visit} query={query} board={board} />
      <OnlineBoard visit={visit} query={query} board={board} />
    </Frame>
  );
}

/** What is asked for again while the page is open. */
export function OnlineBoard({ visit, query, board }: PartProps) {
  return (
    <section
      id="online"
      class="stack live-part online"
      data-live="sessions"
      data-every={EVERY}
      data-hold
      hx-get={hrefOf(query, { page: query.page })}
      hx-trigger="refresh"
      hx-target="this"
      hx-swap="outerMorph"
    >
      <CutOff visit={visit} board={board} />
      <Sums visit={visit} query={query} board={board} />
      <Filters visit={visit} query={query} board={board} />
      <List visit={visit} query={query} board={board} />
    </section>
  );
}

function Head({ visit, query, board }: PartProps) {
  const { words } = visit.view;
  const { online } = words;
  const mayEnd = may(visit.by, "subscriber_disconnect");
  return (
    <header class="page-head">
      <h1>{words.places.online}</h1>
      <LiveChip live={online.live(EVERY)} paused={online.paused} />
      <div class="actions">
        <PauseButton label={online.pause} />
        <FileButton visit={visit} href={`${ONLINE}.csv`} />
        {mayEnd && board.sessions > 0 && (
          <Button
            href={`${ONLINE}/end-all${query.nasId ? `?router=${query.nasId}` : ""}`}
            kind="danger"
            icon="power"
            drawer
          >
            {online.endRouter}
          </Button>
        )}
      </div>
    </header>
  );
}

/** Which access boxes of these lines are cut off. */
function CutOff({ visit: { view }, board: { lines } }: Pick<PartProps, "visit" | "board">) {
  const boxes = [...new Set(lines.flatMap(({ cutOff }) => cutOff ?? []))];
  if (boxes.length === 0) return null;
  return <Note kind="wait">{view.words.online.cutOff(boxes)}</Note>;
}

/** What all lines carry together, now and in the last hour. */
function Sums({ visit: { view, db, now }, query, board: { routers, hour } }: PartProps) {
  const { online } = view.words;
  const figures = figuresOf(view);
  const meant = routers.filter(({ nasId }) => query.nasId === undefined || query.nasId === nasId);
  const sum = (of: (router: RouterOnline) => number) => meant.reduce((all, router) => all + of(router), 0);
  const down = figures.rate(sum(({ rateOutput }) => rateOutput));
  const up = figures.rate(sum(({ rateInput }) => rateInput));
  const [first, last] = [hour[0], hour.at(-1)];
  return (
    <div class="card sums-row">
      <Sum
        label={online.down}
        {...down}
        hint={online.reports(view.format.duration(setting(db, "acct_interim_interval")))}
      />
      <Sum label={online.up} {...up} hint={lastSeenHint(meant, view)} />
      {first && last && (
        <Rate
          kind="low"
          description={online.chart(`${down.value} ${down.unit}`, `${up.value} ${up.unit}`)}
          from={first.at}
          to={Math.max(last.at, now - 60)}
          points={hour}
          format={{
            value: (bits) => figures.axis(bits),
            clock: (at) => figures.time(at),
            date: (at) => figures.day(at),
            time: (at) => figures.time(at),
          }}
          words={online.chartWords}
        />
      )}
    </div>
  );
}

/** How old the newest report is. */
function lastSeenHint(routers: readonly RouterOnline[], view: StaffVisit["view"]): string {
  const silent = routers.filter(({ isSilent }) => isSilent).length;
  const { online } = view.words;
  return silent === 0 ? online.allReport : online.silentRouters(view.format.number(silent));
}

function Sum({ label, value, unit, hint }: { label: string; value: string; unit: string; hint: string }) {
  return (
    <div class="sum">
      <span class="label">{label}</span>
      <span class="value">
        {value} <span class="unit">{unit}</span>
      </span>
      <span class="hint">{hint}</span>
    </div>
  );
}

function Filters({ visit, query, board: { routers, sessions, confined } }: PartProps) {
  const { online } = visit.view.words;
  const { format } = visit.view;
  const tabs = routers.flatMap(({ nasId, name, sessions: count, isSilent }) =>
    nasId === null || name === null
      ? []
      : [
          {
            href: hrefOf(query, { nasId }),
            label: (
              <>
                <Dot state={isSilent ? "refused" : "online"} />
                <bdi>{name}</bdi>
                {isSilent && <span class="unseen">{online.silent}</span>}
              </>
            ),
            count: format.number(count),
            current: query.nasId === nasId,
          },
        ],
  );
  const all = {
    href: hrefOf(query, { nasId: undefined }),
    label: online.all,
    count: format.number(sessions),
    current: query.nasId === undefined,
  };
  return (
    <div class="filters" role="group" aria-label={online.filters}>
      <Segments label={online.routers} tabs={[all, ...tabs]} />
      {may(visit.by, "subscriber_view") && <Choices visit={visit} query={query} />}
      <a
        class={query.twoHouses ? "filter chosen" : "filter"}
        href={hrefOf(query, { twoHouses: query.twoHouses ? undefined : true })}
        title={online.twoHousesHint}
        {...(query.twoHouses && { "aria-current": "true" as const })}
      >
        <Icon name="people" />
        {online.twoHouses}
      </a>
      <a
        class={query.payPage ? "filter chosen" : "filter"}
        href={hrefOf(query, { payPage: query.payPage ? undefined : true })}
        {...(query.payPage && { "aria-current": "true" as const })}
      >
        {online.payPage} <span class="tab-count">{format.number(confined)}</span>
      </a>
    </div>
  );
}

function Choices({ visit: { db, by, view }, query }: Pick<PartProps, "visit" | "query">) {
  const { online } = view.words;
  const { packages, areas } = listChoices(db, by);
  return (
    <>
      <Choice
        label={online.package}
        any={online.any}
        chosen={query.packageId}
        choices={packages}
        href={(packageId) => hrefOf(query, { packageId })}
      />
      <Choice
        label={online.area}
        any={online.any}
        chosen={query.areaId}
        choices={areas}
        href={(areaId) => hrefOf(query, { areaId })}
      />
    </>
  );
}

interface ChoiceProps {
  label: string;
  any: string;
  chosen: number | undefined;
  choices: readonly { readonly id: number; readonly name: string }[];
  href: (id: number | undefined) => string;
}

function Choice({ label, any, chosen, choices, href }: ChoiceProps) {
  if (choices.length === 0) return null;
  const name = choices.find(({ id }) => id === chosen)?.name ?? any;
  return (
    <Menu label={label} value={<bdi>{name}</bdi>} chosen={chosen !== undefined}>
      <a href={href(undefined)}>{any}</a>
      {choices.map((choice) => (
        <a href={href(choice.id)} {...(choice.id === chosen && { "aria-current": "true" as const })}>
          <bdi>{choice.name}</bdi>
        </a>
      ))}
    </Menu>
  );
}

function List({ visit, query, board: { lines, total } }: PartProps) {
  const { online } = visit.view.words;
  if (lines.length === 0 && !isNarrowed(query))
    return (
      <div class="card">
        <Empty icon="sessions" title={online.empty.title} text={online.empty.text} />
      </div>
    );
  if (lines.length === 0)
    return (
      <div class="card">
        <Empty icon="sessions" title={online.none.title} text={online.none.text}>
          <Button href={ONLINE}>{online.none.clear}</Button>
        </Empty>
      </div>
    );
  const answers = visit.needs.answered.of(visit.sessionKey, visit.now);
  return (
    <div>
      <OnlineTable visit={visit} lines={lines} answers={answers} />
      <Pages visit={visit} total={total} limit={PAGE_ROWS} />
      <Bar visit={visit} />
    </div>
  );
}

/** What can be done to the sessions that are ticked. */
function Bar({ visit: { view, by, formToken } }: { visit: StaffVisit }) {
  const { online } = view.words;
  const path = `${ONLINE}/end-chosen`;
  if (!may(by, "subscriber_disconnect")) return null;
  const here = { "hx-post": path, "hx-target": "#toasts", "hx-swap": "beforeend" };
  return (
    <ChosenBar label={online.bar} action={path} method="post" counted={online.chosen} attributes={here}>
      <FormToken value={formToken} />
      <Button kind="danger" size="small" icon="power">
        {online.endChosen}
      </Button>
    </ChosenBar>
  );
}
