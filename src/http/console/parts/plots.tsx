import { localDay } from "../../../domain/core/time/time.ts";
import { type CurveSpan, onlineCurve, trafficCurve } from "../../../domain/around/today/lines.ts";
import { type AreaSeries, StackedAreas } from "../../pages/charts/stacked-areas.tsx";
import type { Tone } from "../../pages/charts/plot.tsx";
import { Rate } from "../../pages/charts/rate.tsx";
import { Empty } from "../../pages/parts/empty.tsx";
import type { ConsoleView } from "../view.ts";
import type { StaffVisit } from "../guard.ts";

export const tones: readonly Tone[] = ["s1", "s2", "s3", "s4"];

export function timeFormats({ format, now }: ConsoleView) {
  return {
    clock: (at: number) => format.timeNear(at, at),
    date: (at: number) => format.day(localDay(at)),
    time: (at: number) => format.timeNear(at, now),
  };
}

export interface PlotProps {
  visit: StaffVisit;
  span: CurveSpan;
  /** Absent: all routers. */
  nasId?: number;
}

/** What stands there before the first point, with the open sessions. */
export function NoneYet({ view: { words }, open }: { view: ConsoleView; open: number }) {
  const { plot } = words.today;
  if (open === 0) return <Empty icon="sessions" title={plot.none} text={plot.noneHint} />;
  return <Empty icon="sessions" title={plot.open(open)} text={plot.begins} />;
}

export function OnlinePlot({ visit, span, nasId }: PlotProps) {
  const { db, by, now, openSessions, view } = visit;
  const { format, words } = view;
  const { plot, charts } = words.today;
  const curve = onlineCurve(db, by, { span, nasId }, { now, openSessions });
  if (curve.routers.length === 0) return <NoneYet view={view} open={curve.open ?? 0} />;
  const series = buildSeries(curve.routers, view);
  const sums = curve.times.map((_, index) =>
    series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0),
  );
  return (
    <StackedAreas
      description={(span === "day" ? plot.describe : plot.describeMonth)(
        format.number(sums.at(-1) ?? 0),
        format.number(Math.max(...sums)),
        series.map(({ name, now: figure }) => plot.ofRouter(name, figure)).join(view.words.list.comma),
      )}
      times={curve.times}
      series={series}
      before={{ name: span === "day" ? plot.sameYesterday : plot.monthBefore, values: curve.before }}
      events={
        span === "month" ? [] : curve.outages.map(({ name, from, to }) => toEvent(view, name, from, to))
      }
      format={{ value: (value) => format.number(value), ...timeFormats(view) }}
      words={charts}
    />
  );
}

export function toEvent({ format, words }: ConsoleView, name: string, at: number, to: number | null) {
  const { plot } = words.today;
  const clock = (time: number) => format.timeNear(time, time);
  if (to === null) return { at, text: plot.awaySince(name, clock(at)), mood: "bad" as const };
  return { at, text: plot.away(name, clock(at)), more: plot.awayUntil(clock(to)), mood: "bad" as const };
}

export type Curves = ReturnType<typeof onlineCurve>["routers"];

/** The four routers with most sessions, the largest at the bottom, and the sum of the others. */
export function buildSeries(routers: Curves, { format, words }: ConsoleView): AreaSeries[] {
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

export function TrafficPlot({ visit, span, nasId }: PlotProps) {
  const { db, by, now, view } = visit;
  const { format, words } = view;
  const { plot, charts } = words.today;
  const points = trafficCurve(db, by, { span, nasId }, { now });
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || first === last)
    return <Empty icon="sessions" title={plot.noTraffic} text={plot.noTrafficHint} />;
  return (
    <Rate
      kind="tall"
      description={plot.describeTraffic(format.rate(Math.max(...points.map(({ down }) => down))))}
      from={first.at}
      to={last.at}
      points={points}
      format={{ value: (bits) => format.rate(bits), ...timeFormats(view) }}
      words={{ ...charts, down: plot.down, up: plot.up }}
    />
  );
}
