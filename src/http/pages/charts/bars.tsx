import { type ChartWords, level, Plot, type Tone } from "./plot.tsx";
import { heightFromTop, percent, roundScale, type Scale } from "./scale.ts";
import { largest } from "./stacked-areas.tsx";

export interface Bar {
  /** `15`. */
  readonly label: string;
  /** In the table: `Tue 15 Jan`. */
  readonly head: string;
  /** By series, from the bottom; negative ones hang below the line. */
  readonly values: readonly number[];
  /** The compared value: a tick. */
  readonly before?: number;
  readonly figure?: string | undefined;
  readonly pointed?: string | undefined;
  /** The tooltip; by default the row. */
  readonly says?: string;
  readonly href?: string;
  /** Emphasized. */
  readonly isNow?: boolean;
  readonly isLit?: boolean;
}

interface BarsProps {
  description: string;
  series: readonly { name: string; tone: Tone }[];
  /** The compared column's head. */
  before?: string;
  bars: readonly Bar[];
  value: (value: number) => string;
  /** Exact, where the axis rounds. */
  exact?: (value: number) => string;
  caption?: string;
  words: ChartWords;
  least?: number;
  /** Lines of the axis, roughly. */
  lines?: number;
  kind?: string;
}

export function Bars(props: BarsProps) {
  const {
    description,
    series,
    before,
    bars,
    value,
    exact = value,
    words,
    least = 1,
    lines = 2,
    kind = "",
  } = props;
  const most = largest(bars.flatMap((bar) => [sumBar(bar), bar.before]));
  const below = largest(bars.flatMap((bar) => [sumBelow(bar), -(bar.before ?? 0)]));
  const scale = roundScale(most, { count: lines, least, below });
  return (
    <Plot
      kind={`bars ${bars.length > 16 ? "many" : ""} ${kind}`}
      description={description}
      scale={scale}
      value={value}
      hasLinks={bars.some(({ href }) => href !== undefined)}
      below={bars.map((bar, index) => (
        <text
          class={`${bar.isNow || bar.isLit ? "now" : ""} ${minor(bars, index)}`}
          x={percent(index + 0.5, bars.length)}
          y="100%"
          dy="17"
        >
          {bar.label}
        </text>
      ))}
      caption={props.caption}
      columns={[...series.map(({ name }) => name), ...(before === undefined ? [] : [before])]}
      rows={bars.map((bar, index) => ({
        at: (index + 0.5) / bars.length,
        head: bar.head,
        cells: [...bar.values.map(exact), ...(before === undefined ? [] : [exact(bar.before ?? 0)])],
        ...(bar.says !== undefined && { says: bar.says }),
      }))}
      words={words}
    >
      {bars.map((bar, index) => (
        <OneBar
          bar={bar}
          index={index}
          count={bars.length}
          tones={series.map(({ tone }) => tone)}
          scale={scale}
        />
      ))}
    </Plot>
  );
}

interface OneBarProps {
  bar: Bar;
  index: number;
  count: number;
  tones: readonly Tone[];
  scale: Scale;
}

function OneBar(props: OneBarProps) {
  const { bar, index, count } = props;
  const drawing = (
    <>
      <rect
        class={bar.isLit ? "plot-slot lit" : "plot-slot"}
        x={percent(index, count)}
        y="0"
        width={percent(1, count)}
        height="100%"
      />
      <Pieces {...props} />
    </>
  );
  if (bar.href === undefined) return <g data-bar={index}>{drawing}</g>;
  return (
    <a href={bar.href} data-bar={index} aria-label={bar.says ?? `${bar.head}: ${bar.figure ?? sumBar(bar)}`}>
      {drawing}
    </a>
  );
}

const WIDE = 0.6;
const FEW = 8;
const barsWidth = (count: number) => WIDE * Math.min(1, count / FEW);
const LINE = 0.18;

function Pieces({ bar, index, count, tones, scale }: OneBarProps) {
  const wide = barsWidth(count);
  const left = (1 - wide) / 2;
  const beyond = wide / 12;
  const before = bar.before ?? 0;
  // above a tick that would cover it
  const isNear = before > sumBar(bar) && before - sumBar(bar) < (scale.top - scale.bottom) * LINE;
  const figure = bar.figure ?? bar.pointed;
  let [over, under] = [0, 0];
  return (
    <>
      {bar.values.map((value, at) => {
        if (value === 0) return null;
        if (value > 0) over += value;
        else under += value;
        return (
          <rect
            class={tones[at] ?? "rest"}
            x={percent(index + left, count)}
            width={percent(wide, count)}
            y={heightFromTop(scale, value > 0 ? over : under - value)}
            height={percent(Math.abs(value), scale.top - scale.bottom)}
            rx="2"
          />
        );
      })}
      {bar.before !== undefined && (
        <line
          x1={percent(index + left - beyond, count)}
          x2={percent(index + 1 + beyond - left, count)}
          {...level(scale, bar.before)}
        />
      )}
      {figure !== undefined && (
        <text
          class={bar.figure === undefined ? "plot-figure pointed" : "plot-figure"}
          x={percent(index + 0.5, count)}
          y={heightFromTop(scale, isNear ? before : over)}
          dy="-6"
        >
          {figure}
        </text>
      )}
    </>
  );
}

/** Labels hidden on narrow drawings, counted from the last, and on all. */
function minor(bars: readonly Bar[], index: number): string {
  const fromLast = bars.length - 1 - index;
  if (bars.length > 16) return fromLast % 7 === 0 ? "" : "never";
  return bars.length > 8 && fromLast % 2 === 1 ? "minor" : "";
}

function sumBar({ values }: Bar): number {
  return values.reduce((sum, value) => sum + Math.max(0, value), 0);
}

function sumBelow({ values }: Bar): number {
  return values.reduce((sum, value) => sum + Math.max(0, -value), 0);
}
