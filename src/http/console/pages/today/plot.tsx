import { may } from "../../../../domain/core/actor/actor.ts";
import { localDay } from "../../../../domain/core/time/time.ts";
import { type CurveSpan, onlineCurve, trafficCurve } from "../../../../domain/around/today/lines.ts";
import { type AreaSeries, StackedAreas } from "../../../pages/charts/stacked-areas.tsx";
import { PlotKeys, type Tone } from "../../../pages/charts/plot.tsx";
import { Rate } from "../../../pages/charts/rate.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Segments } from "../../../pages/parts/tabs.tsx";
import { zoomScript, zoomStyle } from "../../assets.ts";
import type { ConsoleView } from "../../view.ts";
import type { StaffVisit } from "../../guard.ts";
import { refreshing } from "./live.ts";

interface Drawn {
  readonly plot: "online" | "traffic";
  readonly span: CurveSpan;
}

const tones: readonly Tone[] = ["s1", "s2", "s3", "s4"];

/** Sessions or traffic over a day or a month. */
export function PlotCard({ visit }: { visit: StaffVisit }) {
  const { query, view } = visit;
  const drawn: Drawn = {
    plot: query.get("plot") === "traffic" ? "traffic" : "online",
    span: query.get("span") === "month" ? "month" : "day",
  };
  const { plot } = view.words.today;
  const isOnline = drawn.plot === "online";
  const titles = isOnline
    ? { day: plot.onlineDay, month: plot.onlineMonth }
    : { day: plot.trafficDay, month: plot.trafficMonth };
  return (
    <Card
      id="today-plot"
      kind="today-plot"
      title={titles[drawn.span]}
      lead={isOnline ? (drawn.span === "month" ? plot.mostOfDay : plot.byRouter) : plot.allRouters}
      aside={
        <>
          <Keys view={view} drawn={drawn} />
          {drawn.span === "month" && may(visit.by, "report_view") && <Zoom view={view} drawn={drawn} />}
          <Choice view={view} drawn={drawn} />
        </>
      }
      live={drawn.span === "day" ? refreshing(`/console/today/plot?${queryOf(drawn)}`, ["sessions"]) : {}}
    >
      {isOnline ? (
        <OnlinePlot visit={visit} span={drawn.span} />
      ) : (
        <TrafficPlot visit={visit} span={drawn.span} />
      )}
    </Card>
  );
}

const queryOf = ({ plot, span }: Drawn) => `plot=${plot}&span=${span}`;

function Keys({ view: { words }, drawn }: { view: ConsoleView; drawn: Drawn }) {
  const { plot } = words.today;
  if (drawn.plot === "online")
    return (
      <PlotKeys
        keys={[{ mark: "dash", text: drawn.span === "day" ? plot.sameYesterday : plot.monthBefore }]}
      />
    );
  return (
    <PlotKeys
      keys={[
        { mark: "s1", text: plot.down },
        { mark: "s5", text: plot.up },
      ]}
    />
  );
}

function Choice({ view: { words }, drawn }: { view: ConsoleView; drawn: Drawn }) {
  const { plot } = words.today;
  const other = drawn.plot === "online" ? "traffic" : "online";
  const tab = (label: string, to: Drawn) => ({
    label,
    href: `/console?${queryOf(to)}`,
    current: queryOf(to) === queryOf(drawn),
  });
  return (
    <Segments
      label={plot.choose}
      tabs={[
        tab(plot.day, { ...drawn, span: "day" }),
        tab(plot.month, { ...drawn, span: "month" }),
        tab(other === "traffic" ? plot.traffic : plot.sessions, { ...drawn, plot: other }),
      ]}
    />
  );
}

/** For who has a script: the same by hours, to zoom into. */
function Zoom({ view: { words }, drawn: { plot } }: { view: ConsoleView; drawn: Drawn }) {
  return (
    <button
      class="button outline small"
      type="button"
      hidden
      data-zoom={`/console/today/hours?plot=${plot}`}
      data-script={zoomScript.path}
      data-style={zoomStyle.path}
      data-hint={words.today.plot.zoomHint}
    >
      {words.today.plot.zoom}
    </button>
  );
}

function timesOf({ format, now }: ConsoleView) {
  return {
    clock: (at: number) => format.timeNear(at, at),
    date: (at: number) => format.day(localDay(at)),
    time: (at: number) => format.timeNear(at, now),
  };
}

interface PlotProps {
  visit: StaffVisit;
  span: CurveSpan;
  /** One router; absent: all of them. */
  nasId?: number;
}

/** Before the first point: what is open by now. */
function NoneYet({ view: { format, words }, open }: { view: ConsoleView; open: number }) {
  const { plot } = words.today;
  if (open === 0) return <Empty icon="sessions" title={plot.none} text={plot.noneHint} />;
  return <Empty icon="sessions" title={plot.open(format.number(open))} text={plot.begins} />;
}

/** Open sessions over time. */
export function OnlinePlot({ visit, span, nasId }: PlotProps) {
  const { db, by, now, view } = visit;
  const { format, words } = view;
  const { plot, charts } = words.today;
  const curve = onlineCurve(db, by, { span, nasId }, { now });
  if (curve.routers.length === 0) return <NoneYet view={view} open={curve.open ?? 0} />;
  const series = seriesOf(curve.routers, view);
  const sums = curve.times.map((_, index) =>
    series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0),
  );
  return (
    <StackedAreas
      description={(span === "day" ? plot.describe : plot.describeMonth)(
        format.number(sums.at(-1) ?? 0),
        format.number(Math.max(...sums)),
        series.map(({ name, now: figure }) => plot.ofRouter(name, figure)).join(", "),
      )}
      times={curve.times}
      series={series}
      before={{ name: span === "day" ? plot.sameYesterday : plot.monthBefore, values: curve.before }}
      events={
        span === "month" ? [] : curve.outages.map(({ name, from, to }) => eventOf(view, name, from, to))
      }
      format={{ value: (value) => format.number(value), ...timesOf(view) }}
      words={charts}
    />
  );
}

function eventOf({ format, words }: ConsoleView, name: string, at: number, to: number | null) {
  const { plot } = words.today;
  const clock = (time: number) => format.timeNear(time, time);
  if (to === null) return { at, text: plot.awaySince(name, clock(at)), mood: "bad" as const };
  return { at, text: plot.away(name, clock(at)), more: plot.awayUntil(clock(to)), mood: "bad" as const };
}

type Curves = ReturnType<typeof onlineCurve>["routers"];

/** The four with the most sessions, the largest at the bottom; what the others have together. */
function seriesOf(routers: Curves, { format, words }: ConsoleView): AreaSeries[] {
  const last = (values: readonly (number | null)[]) => values.findLast((value) => value !== null) ?? 0;
  const sorted = routers.toSorted((a, b) => last(b.values) - last(a.values));
  const named = sorted.slice(0, tones.length).map(({ name, values }, index) => ({
    name,
    tone: tones[index] ?? "s5",
    values,
    now: format.number(last(values)),
  }));
  const rest = sorted.slice(tones.length);
  if (rest.length === 0) return named;
  const values = (rest[0]?.values ?? []).map((_, index) =>
    rest.reduce<number | null>((sum, router) => {
      const value = router.values[index] ?? null;
      return value === null ? sum : (sum ?? 0) + value;
    }, null),
  );
  return [...named, { name: words.today.plot.others, tone: "s5", values, now: format.number(last(values)) }];
}

/** What routers carried over time. */
export function TrafficPlot({ visit, span, nasId }: PlotProps) {
  const { db, by, now, view } = visit;
  const { format, words } = view;
  const { plot, charts } = words.today;
  const points = trafficCurve(db, by, { span, nasId }, { now });
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || first === last)
    return <Empty icon="sessions" title={plot.none} text={plot.noneHint} />;
  return (
    <Rate
      kind="tall"
      description={plot.describeTraffic(format.rate(Math.max(...points.map(({ down }) => down))))}
      from={first.at}
      to={last.at}
      points={points}
      format={{ value: (bits) => format.rate(bits), ...timesOf(view) }}
      words={{ ...charts, down: plot.down, up: plot.up }}
    />
  );
}
