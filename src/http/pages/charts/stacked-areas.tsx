import type { Seconds } from "../../../domain/core/time/time.ts";
import {
  areaPath,
  type ChartWords,
  linePath,
  Moment,
  type Mood,
  Plot,
  PlotKeys,
  type PlotRow,
  Stretched,
  Times,
  type Tone,
} from "./plot.tsx";
import { percent, roundScale, type Scale } from "./scale.ts";

export interface AreaSeries {
  readonly name: string;
  readonly tone: Tone;
  /** By time; null: unknown. */
  readonly values: readonly (number | null)[];
  /** The current value. */
  readonly now: string;
}

interface StackedAreasProps {
  description: string;
  times: readonly Seconds[];
  series: readonly AreaSeries[];
  before?: { name: string; values: readonly (number | null)[] };
  events?: readonly { at: Seconds; text: string; more?: string; mood: Mood }[];
  format: {
    value: (value: number) => string;
    clock: (at: Seconds) => string;
    date: (at: Seconds) => string;
    time: (at: Seconds) => string;
  };
  words: ChartWords;
  least?: number;
  kind?: string;
}

export function StackedAreas(props: StackedAreasProps) {
  const { description, times, series, before, events = [], format, words, least = 1, kind = "tall" } = props;
  const [from = 0, to = 1] = [times[0], times.at(-1)];
  const floors = stacked(series, times.length);
  const top = floors.at(-1) ?? [];
  const scale = roundScale(largest([...top, ...(before?.values ?? [])]), { least });
  return (
    <Plot
      kind={`areas ${kind}`}
      description={description}
      scale={scale}
      value={format.value}
      below={<Times from={from} to={to} clock={format.clock} date={format.date} />}
      beside={<Names series={series} floors={floors} scale={scale} />}
      legend={
        <PlotKeys
          kind="narrow"
          keys={series.map(({ tone, name, now }) => ({ mark: tone, text: name, figure: now }))}
        />
      }
      columns={[...series.map(({ name }) => name), ...(before ? [before.name] : [])]}
      rows={toRows(props)}
      words={words}
    >
      <Stretched>
        {series.map(({ tone }, index) => (
          <Area
            tone={tone}
            over={points(props, floors[index + 1], scale)}
            under={points(props, floors[index], scale)}
          />
        ))}
        {before && <path class="plot-before" d={linePath(points(props, before.values, scale))} />}
      </Stretched>
      {events.map((event) => (
        <Moment {...event} from={from} to={to} kind="event" />
      ))}
    </Plot>
  );
}

type Points = readonly ([number, number] | undefined)[];

function Area({ tone, over, under }: { tone: Tone; over: Points; under: Points }) {
  return (
    <g class={tone}>
      <path class="plot-fill" d={areaPath(over, under)} />
      <path class="plot-line" d={linePath(over)} />
    </g>
  );
}

/** Cumulative sums; null: all unknown. */
function stacked(series: readonly AreaSeries[], length: number): (number | null)[][] {
  const isKnown = Array.from({ length }, (_, index) =>
    series.some(({ values }) => (values[index] ?? null) !== null),
  );
  let floor = isKnown.map((known): number | null => (known ? 0 : null));
  const floors = [floor];
  for (const { values } of series) {
    floor = floor.map((sum, index) => (sum === null ? null : sum + (values[index] ?? 0)));
    floors.push(floor);
  }
  return floors;
}

function points(
  { times }: StackedAreasProps,
  values: readonly (number | null)[] = [],
  scale: Scale,
): ([number, number] | undefined)[] {
  const [from = 0, to = 1] = [times[0], times.at(-1)];
  return times.map((at, index) => {
    const value = values[index] ?? null;
    if (value === null) return undefined;
    return [((at - from) / (to - from)) * 1000, 1000 - (value / scale.top) * 1000];
  });
}

/** Labels in the middle of their areas. */
function Names({
  series,
  floors,
  scale,
}: {
  series: readonly AreaSeries[];
  floors: (number | null)[][];
  scale: Scale;
}) {
  const last = (values: readonly (number | null)[] = []) => values.findLast((value) => value !== null) ?? 0;
  const middles = series.map(
    (_, index) => 1 - (last(floors[index]) + last(floors[index + 1])) / 2 / scale.top,
  );
  return (
    <>
      {apart(middles).map((y, index) => {
        const { name = "", tone = "up", now = "" } = series[index] ?? {};
        return (
          <g class={tone}>
            <svg y={percent(y, 1)} overflow="visible">
              <rect x="8" y="-4" width="8" height="8" rx="2" />
            </svg>
            <text x="22" y={percent(y, 1)} dy="4">
              {cut(name)}
            </text>
            <text class="figure" x="100%" y={percent(y, 1)} dy="4">
              {now}
            </text>
          </g>
        );
      })}
    </>
  );
}

const LINE = 0.085;

/** Heights moved apart by a line's height. */
function apart(heights: readonly number[]): number[] {
  let below = 1 + LINE;
  const pushed = heights.map((height) => (below = Math.min(height, below - LINE)));
  const over = Math.max(0, -Math.min(0, ...pushed));
  return pushed.map((height) => height + over);
}

function cut(name: string): string {
  return name.length > 12 ? `${name.slice(0, 11)}…` : name;
}

const ROWS = 100;

function toRows({ times, series, before, format }: StackedAreasProps): PlotRow[] {
  const [from = 0, to = 1] = [times[0], times.at(-1)];
  const each = Math.ceil(times.length / ROWS);
  const record = (value: number | null | undefined) =>
    value === null || value === undefined ? "" : format.value(value);
  return times.flatMap((at, index) =>
    (times.length - 1 - index) % each === 0
      ? [
          {
            at: (at - from) / (to - from),
            head: format.time(at),
            cells: [
              ...series.map(({ values }) => record(values[index])),
              ...(before ? [record(before.values[index])] : []),
            ],
          },
        ]
      : [],
  );
}

export function largest(values: readonly (number | null | undefined)[]): number {
  let most = 0;
  for (const value of values) if (value !== null && value !== undefined && value > most) most = value;
  return most;
}
