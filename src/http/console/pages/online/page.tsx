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
import { LiveChip, PauseButton } from "../../live/parts.tsx";
import { type AskedOnline, hrefOf, isNarrowed, PAGE_ROWS, PATH } from "./asked.ts";
import { readOnline, type ShownOnline } from "./read.ts";
import { OnlineTable } from "./table.tsx";

/** Seconds between two looks of an open page: two hundred of them cost a tenth of what each second would. */
const EVERY = 10;

interface PartProps {
  visit: StaffVisit;
  asked: AskedOnline;
  shown: ShownOnline;
}

/** Who is online, the fastest first. */
export function OnlinePage({ visit, asked }: { visit: StaffVisit; asked: AskedOnline }) {
  const shown = readOnline(visit, asked);
  return (
    <Frame visit={visit} title={visit.view.words.places.online} place="online">
      <Head visit={visit} asked={asked} shown={shown} />
      <OnlineBoard visit={visit} asked={asked} shown={shown} />
    </Frame>
  );
}

/** What is asked for again while the page is open. */
export function OnlineBoard({ visit, asked, shown }: PartProps) {
  return (
    <section
      id="online"
      class="stack live-part online"
      data-live="sessions"
      data-every={EVERY}
      data-hold
      hx-get={hrefOf(asked, { page: asked.page })}
      hx-trigger="refresh"
      hx-target="this"
      hx-swap="outerMorph"
    >
      <CutOff visit={visit} shown={shown} />
      <Sums visit={visit} asked={asked} shown={shown} />
      <Filters visit={visit} asked={asked} shown={shown} />
      <List visit={visit} asked={asked} shown={shown} />
    </section>
  );
}

function Head({ visit, asked, shown }: PartProps) {
  const { words } = visit.view;
  const { online } = words;
  const mayEnd = may(visit.by, "subscriber_disconnect");
  return (
    <header class="page-head">
      <h1>{words.places.online}</h1>
      <LiveChip live={online.live(EVERY)} paused={online.paused} />
      <div class="actions">
        <PauseButton label={online.pause} />
        <Button href={hrefOf(asked, {}, `${PATH}.csv`)} icon="download">
          {online.csv}
        </Button>
        {mayEnd && shown.sessions > 0 && (
          <Button
            href={`${PATH}/end-all${asked.nasId ? `?router=${asked.nasId}` : ""}`}
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
function CutOff({ visit: { view }, shown: { lines } }: Pick<PartProps, "visit" | "shown">) {
  const boxes = [...new Set(lines.flatMap(({ cutOff }) => cutOff ?? []))];
  if (boxes.length === 0) return null;
  return <Note kind="wait">{view.words.online.cutOff(boxes)}</Note>;
}

/** What all lines carry together, now and in the last hour. */
function Sums({ visit: { view, db, now }, asked, shown: { routers, hour } }: PartProps) {
  const { online } = view.words;
  const figures = figuresOf(view);
  const meant = routers.filter(({ nasId }) => asked.nasId === undefined || asked.nasId === nasId);
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
      <Sum label={online.up} {...up} hint={heardHint(meant, view)} />
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
function heardHint(routers: readonly RouterOnline[], view: StaffVisit["view"]): string {
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

function Filters({ visit, asked, shown: { routers, sessions, confined } }: PartProps) {
  const { online } = visit.view.words;
  const { format } = visit.view;
  const tabs = routers.flatMap(({ nasId, name, sessions: count, isSilent }) =>
    nasId === null || name === null
      ? []
      : [
          {
            href: hrefOf(asked, { nasId }),
            label: (
              <>
                <Dot state={isSilent ? "refused" : "online"} />
                <bdi>{name}</bdi>
                {isSilent && <span class="unseen">{online.silent}</span>}
              </>
            ),
            count: format.number(count),
            current: asked.nasId === nasId,
          },
        ],
  );
  const all = {
    href: hrefOf(asked, { nasId: undefined }),
    label: online.all,
    count: format.number(sessions),
    current: asked.nasId === undefined,
  };
  return (
    <div class="filters" role="group" aria-label={online.filters}>
      <Segments label={online.routers} tabs={[all, ...tabs]} />
      {may(visit.by, "subscriber_view") && <Choices visit={visit} asked={asked} />}
      <a
        class={asked.twoHouses ? "filter chosen" : "filter"}
        href={hrefOf(asked, { twoHouses: asked.twoHouses ? undefined : true })}
        title={online.twoHousesHint}
        {...(asked.twoHouses && { "aria-current": "true" as const })}
      >
        <Icon name="people" />
        {online.twoHouses}
      </a>
      <a
        class={asked.payPage ? "filter chosen" : "filter"}
        href={hrefOf(asked, { payPage: asked.payPage ? undefined : true })}
        {...(asked.payPage && { "aria-current": "true" as const })}
      >
        {online.payPage} <span class="tab-count">{format.number(confined)}</span>
      </a>
    </div>
  );
}

function Choices({ visit: { db, by, view }, asked }: Pick<PartProps, "visit" | "asked">) {
  const { online } = view.words;
  const { packages, areas } = listChoices(db, by);
  return (
    <>
      <Choice
        label={online.package}
        any={online.any}
        chosen={asked.packageId}
        choices={packages}
        href={(packageId) => hrefOf(asked, { packageId })}
      />
      <Choice
        label={online.area}
        any={online.any}
        chosen={asked.areaId}
        choices={areas}
        href={(areaId) => hrefOf(asked, { areaId })}
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

function List({ visit, asked, shown: { lines, total } }: PartProps) {
  const { online } = visit.view.words;
  if (lines.length === 0 && !isNarrowed(asked))
    return (
      <div class="card">
        <Empty icon="sessions" title={online.empty.title} text={online.empty.text} />
      </div>
    );
  if (lines.length === 0)
    return (
      <div class="card">
        <Empty icon="sessions" title={online.none.title} text={online.none.text}>
          <Button href={PATH}>{online.none.clear}</Button>
        </Empty>
      </div>
    );
  const answers = visit.needs.answered.of(visit.sessionKey, visit.now);
  return (
    <div>
      <OnlineTable visit={visit} asked={asked} lines={lines} answers={answers} />
      <Foot visit={visit} asked={asked} total={total} />
      <Bar visit={visit} />
    </div>
  );
}

function Foot({ visit, asked, total }: { visit: StaffVisit; asked: AskedOnline; total: number }) {
  const { online } = visit.view.words;
  const { number } = { number: (value: number) => visit.view.format.number(value) };
  const from = (asked.page - 1) * PAGE_ROWS;
  return (
    <div class="pages">
      <span>
        {online.range(
          number(Math.min(total, from + 1)),
          number(Math.min(total, from + PAGE_ROWS)),
          number(total),
        )}
      </span>
      {asked.page > 1 && (
        <a rel="prev" href={hrefOf(asked, { page: asked.page - 1 })}>
          {online.newer}
        </a>
      )}
      {from + PAGE_ROWS < total && (
        <a rel="next" href={hrefOf(asked, { page: asked.page + 1 })}>
          {online.older}
        </a>
      )}
    </div>
  );
}

/** What can be done to the sessions that are ticked. */
function Bar({ visit: { view, by, formToken } }: { visit: StaffVisit }) {
  const { online } = view.words;
  const path = `${PATH}/end-chosen`;
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
