import type { Seconds } from "../../../domain/core/time/time.ts";
import {
  areaPath,
  type ChartWords,
  level,
  linePath,
  Moment,
  type Mood,
  Plot,
  Stretched,
  Times,
} from "./plot.tsx";
import { percent, roundScale, type Scale } from "./scale.ts";
import { largest } from "./stacked-areas.tsx";

export interface RatePoint {
  readonly at: Seconds;
  /** Bits a second; null: a gap. */
  readonly down: number | null;
  readonly up: number | null;
}

interface RateProps {
  description: string;
  from: Seconds;
  to: Seconds;
  points: readonly RatePoint[];
  /** The package's rate: `package 30 M`. */
  limit?: { value: number; text: string };
  /** Gaps: silence, no session. */
  spans?: readonly { from: Seconds; to: Seconds; mood: Mood }[];
  moments?: readonly { at: Seconds; text: string; mood: Mood }[];
  format: {
    /** `20 M` of an axis. */
    value: (bits: number) => string;
    clock: (at: Seconds) => string;
    date: (at: Seconds) => string;
    time: (at: Seconds) => string;
  };
  words: ChartWords & { down: string; up: string };
  caption?: string;
  kind?: string;
  /** The lowest top of the axis. */
  least?: number;
}

/** A limit this many times above would flatten the rest. */
const BEYOND = 4;

export function Rate(props: RateProps) {
  const {
    description,
    from,
    to,
    points,
    limit,
    spans = [],
    moments = [],
    format,
    words,
    kind = "",
    least = 1000,
  } = props;
  const most = largest(points.flatMap(({ down, up }) => [down, up]));
  const isBeyond = limit !== undefined && most > 0 && limit.value > most * BEYOND;
  const scale = roundScale(isBeyond ? most : largest([limit?.value, most]), { count: 2, least });
  const down = along(props, scale, ({ down }) => down);
  const floor = down.map((point): [number, number] | undefined => point && [point[0], 1000]);
  return (
    <Plot
      kind={`rate ${kind}`}
      description={description}
      scale={scale}
      value={format.value}
      below={<Times from={from} to={to} clock={format.clock} date={format.date} />}
      caption={props.caption}
      columns={[words.down, words.up]}
      rows={toRows(props)}
      words={words}
    >
      {spans.map((span) => (
        <rect
          class={span.mood}
          x={percent(Math.max(span.from, from) - from, to - from)}
          width={percent(Math.min(span.to, to) - Math.max(span.from, from), to - from)}
          y="0"
          height="100%"
        />
      ))}
      <Stretched>
        <g class="s1">
          <path class="plot-fill" d={areaPath(down, floor)} />
          <path class="plot-line" d={linePath(down)} />
        </g>
        <path class="plot-line s5" d={linePath(along(props, scale, ({ up }) => up))} />
      </Stretched>
      {limit && (isBeyond ? <Beyond text={limit.text} /> : <Limit {...limit} scale={scale} />)}
      {moments.map((moment) => (
        <Moment {...moment} from={from} to={to} kind="edge" />
      ))}
    </Plot>
  );
}

function Limit({ value, text, scale }: { value: number; text: string; scale: Scale }) {
  return (
    <g class="plot-limit">
      <line x1="0" x2="100%" {...level(scale, value)} />
      <text x="4" y={percent(scale.top - value, scale.top)} dy="-5">
        {text}
      </text>
    </g>
  );
}

/** The label of a limit above the drawing. */
function Beyond({ text }: { text: string }) {
  return (
    <g class="plot-limit">
      <text x="4" y="0" dy="-5">
        {text} ↑
      </text>
    </g>
  );
}

function along({ points, from, to }: RateProps, { top }: Scale, of: (point: RatePoint) => number | null) {
  return points.map((point): [number, number] | undefined => {
    const value = of(point);
    return value === null
      ? undefined
      : [((point.at - from) / (to - from)) * 1000, 1000 - (value / top) * 1000];
  });
}

const ROWS = 100;

function toRows({ points, from, to, format }: RateProps) {
  const each = Math.ceil(points.length / ROWS);
  const record = (value: number | null) => (value === null ? "" : format.value(value));
  return points.flatMap(({ at, down, up }, index) =>
    (points.length - 1 - index) % each === 0
      ? [{ at: (at - from) / (to - from), head: format.time(at), cells: [record(down), record(up)] }]
      : [],
  );
}
