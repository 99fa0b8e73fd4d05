import { listChoices } from "../../../../domain/goods/subscribers/choices.ts";
import type { RouterOnline } from "../../../../domain/service/sessions/online-routers.ts";
import { setting } from "../../../../domain/core/settings/settings.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { Rate } from "../../../pages/charts/rate.tsx";
import { FormToken } from "../../../pages/document.tsx";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Dot } from "../../../pages/parts/chip.tsx";
import { ChosenBar } from "../../choosing.tsx";
import { cachedFigures } from "../../figures.ts";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { type Filter, FilterBar } from "../../parts/filters.tsx";
import { FileButton } from "../../parts/list.tsx";
import { LiveChip, PauseButton } from "../../live/parts.tsx";
import { type OnlineQuery, onlineHref, isNarrowed, PAGE_ROWS } from "./query.ts";
import { ONLINE } from "../../parts/hrefs.ts";
import { readOnline, type OnlineView } from "./read.ts";
import { Lines } from "./table.tsx";

/** Seconds between updates: two hundred open pages cost a tenth of what each second would. */
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
      class="stack live-part"
      data-live="sessions"
      data-every={EVERY}
      data-hold
      hx-get={onlineHref(query, { page: query.page })}
      hx-trigger="refresh"
      hx-target="this"
      hx-swap="outerMorph"
    >
      <CutOff visit={visit} board={board} />
      <Sums visit={visit} query={query} board={board} />
      <FilterBar visit={visit} filters={buildFilters(visit, board)} />
      <List visit={visit} query={query} board={board} />
    </section>
  );
}

function Head({ visit, query, board }: PartProps) {
  const { words } = visit.view;
  const { keys, online } = words;
  const mayEnd = may(visit.by, "subscriber_disconnect");
  return (
    <header class="page-head">
      <h1>{words.places.online}</h1>
      <LiveChip live={online.live(EVERY)} paused={online.paused} />
      <div class="actions">
        <PauseButton label={online.pause} space={keys.space} />
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

/** Access boxes of these lines that are cut off. */
function CutOff({ visit: { view }, board: { lines } }: Pick<PartProps, "visit" | "board">) {
  const boxes = [...new Set(lines.flatMap(({ cutOff }) => cutOff ?? []))];
  if (boxes.length === 0) return null;
  return <Note kind="wait">{view.words.online.cutOff(boxes)}</Note>;
}

/** Traffic now and in the last hour. */
function Sums({ visit: { view, db, now }, query, board: { routers, hour } }: PartProps) {
  const { online } = view.words;
  const figures = cachedFigures(view);
  const meant = routers.filter(({ nasId }) => query.nasId === undefined || query.nasId === nasId);
  const sum = (of: (router: RouterOnline) => number) => meant.reduce((all, router) => all + of(router), 0);
  const down = figures.rate(sum(({ rateOutput }) => rateOutput));
  const up = figures.rate(sum(({ rateInput }) => rateInput));
  const [first, last] = [hour[0], hour.at(-1)];
  return (
    <div class="card">
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

/** The age of the newest report. */
function lastSeenHint(routers: readonly RouterOnline[], view: StaffVisit["view"]): string {
  const silent = routers.filter(({ isSilent }) => isSilent).length;
  const { online } = view.words;
  return silent === 0 ? online.allReport : online.silentRouters(silent);
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

function buildFilters({ db, by, view }: StaffVisit, { routers, sessions, confined }: OnlineView): Filter[] {
  const { online } = view.words;
  const { format } = view;
  const ways = routers.flatMap(({ nasId, name, sessions: count, isSilent }) =>
    nasId === null || name === null
      ? []
      : [
          {
            value: nasId,
            label: name,
            count: format.number(count),
            mark: <RouterMark view={view} isSilent={isSilent} />,
          },
        ],
  );
  const all = { value: "", label: online.all, count: format.number(sessions) };
  const choices = may(by, "subscriber_view") ? listChoices(db, by) : undefined;
  const one = (name: "package" | "area", rows: readonly Choice[] = []): Filter[] => {
    const options = rows.map(({ id, name: label }) => ({ value: id, label }));
    return options.length === 0 ? [] : [{ name, kind: "choice", label: online[name], options }];
  };
  return [
    { name: "router", kind: "views", label: online.routers, options: [all, ...ways] },
    ...one("package", choices?.packages),
    ...one("area", choices?.areas),
    { name: "houses", kind: "tick", label: online.twoHouses, hint: online.twoHousesHint, icon: "people" },
    { name: "pay", kind: "tick", label: online.payPage, count: format.number(confined) },
  ];
}

interface Choice {
  readonly id: number;
  readonly name: string;
}

function RouterMark({ view, isSilent }: Pick<StaffVisit, "view"> & { isSilent: boolean }) {
  return (
    <>
      <Dot state={isSilent ? "refused" : "online"} />
      {isSilent && <span class="unseen">{view.words.online.silent}</span>}
    </>
  );
}

function List({ visit, query, board: { lines, total } }: PartProps) {
  const answers = visit.needs.answered.of(visit.sessionKey, visit.now);
  const rows = lines.map((line) => ({ line, noted: answers.get(line.id) }));
  return (
    <div>
      <Lines visit={visit} rows={rows} total={total} limit={PAGE_ROWS} isNarrowed={isNarrowed(query)} />
      {rows.length > 0 && <Bar visit={visit} />}
    </div>
  );
}

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
