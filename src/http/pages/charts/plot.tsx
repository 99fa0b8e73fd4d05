import type { Child } from "hono/jsx";
import type { Seconds } from "../../../domain/core/time/time.ts";
import { heightFromTop, percent, type Scale, timeTicks } from "./scale.ts";

export type Tone = "s1" | "s2" | "s3" | "s4" | "s5" | "up" | "rest";
export type Mood = "bad" | "warn" | "good";

/** Words of a chart in the reader's language. */
export interface ChartWords {
  /** `As a table`. */
  readonly table: string;
  /** `Time`. */
  readonly when: string;
}

/** A table row, also the tooltip. */
export interface PlotRow {
  /** 0 to 1. */
  readonly at: number;
  readonly head: string;
  readonly cells: readonly string[];
  /** A longer tooltip. */
  readonly says?: string;
}

interface PlotProps {
  /** Further classes: kind, height (`tall`, `low`). */
  kind: string;
  /** One sentence for screen readers. */
  description: string;
  scale: Scale;
  value: (value: number) => string;
  below: Child;
  /** Labels at the right. */
  beside?: Child;
  legend?: Child;
  /** Replaced by tooltips. */
  caption?: Child;
  columns: readonly string[];
  rows: readonly PlotRow[];
  words: ChartWords;
  /** An image may have no links. */
  hasLinks?: boolean;
  children: Child;
}

/** A drawing with axes, and its table. Coordinates are percentages: it fits any width, CSS gives the height, text keeps its size. */
export function Plot(props: PlotProps) {
  const {
    kind,
    description,
    scale,
    value,
    below,
    beside,
    legend,
    caption,
    hasLinks = false,
    children,
  } = props;
  const labels = scale.lines.map(value);
  const isWide = labels.some((label) => label.length > 6);
  return (
    <figure class={`plot ${kind}`} data-plot>
      <div class={isWide ? "plot-frame wide" : "plot-frame"}>
        <svg aria-hidden="true">
          {scale.lines.map((line, index) => (
            <text x="100%" y={heightFromTop(scale, line)} dx="-8" dy="4">
              {labels[index]}
            </text>
          ))}
        </svg>
        <svg class="plot-drawing" role={hasLinks ? "group" : "img"} aria-label={description}>
          {scale.lines
            .filter((line) => line !== 0)
            .map((line) => (
              <line x1="0" x2="100%" {...level(scale, line)} />
            ))}
          {children}
          <line class="plot-zero" x1="0" x2="100%" {...level(scale, 0)} />
          <g aria-hidden="true">{below}</g>
        </svg>
        {beside !== undefined && <svg aria-hidden="true">{beside}</svg>}
      </div>
      {legend}
      <div>
        <figcaption class="plot-caption">{caption}</figcaption>
        <PlotTable {...props} />
      </div>
    </figure>
  );
}

function PlotTable({ description, columns, rows, words }: PlotProps) {
  return (
    <details>
      <summary>{words.table}</summary>
      <div tabindex={0} role="region" aria-label={description}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.when}</th>
              {columns.map((column) => (
                <th scope="col">{column}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ at, head, cells, says: text }) => (
              <tr
                data-at={Math.round(at * 10_000) / 10_000}
                {...(text !== undefined && { "data-says": text })}
              >
                <th scope="row">{head}</th>
                {cells.map((cell) => (
                  <td>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

/** A horizontal line. */
export function level(scale: Scale, value: number): { y1: string; y2: string } {
  const y = heightFromTop(scale, value);
  return { y1: y, y2: y };
}

/** Beyond this share a label would overflow. */
const LAST = 0.97;

interface TimesProps {
  from: Seconds;
  to: Seconds;
  /** `16:00`. */
  clock: (at: Seconds) => string;
  /** `15 Jan`. */
  date: (at: Seconds) => string;
}

/** Round times; every second on narrow drawings. */
export function Times({ from, to, clock, date }: TimesProps) {
  const ticks = timeTicks(from, to);
  return (
    <>
      {ticks.map(({ at, isDay }, index) => (
        <text
          class={`${index % 2 === 1 ? "minor" : ""} ${at - from > (to - from) * LAST ? "last" : ""}`}
          x={percent(at - from, to - from)}
          y="100%"
          dy="17"
        >
          {isDay ? date(at) : clock(at)}
        </text>
      ))}
    </>
  );
}

/** A legend entry's symbol. */
interface PlotKey {
  readonly mark: Tone | "dash" | "tick";
  readonly text: string;
  readonly figure?: string;
}

/** A legend, in the card's head. */
export function PlotKeys({ keys, kind = "" }: { keys: readonly PlotKey[]; kind?: string }) {
  return (
    <ul class={`plot-keys ${kind}`}>
      {keys.map(({ mark, text, figure }) => (
        <li>
          <svg class={mark} viewBox="0 0 16 10" aria-hidden="true">
            <Mark mark={mark} />
          </svg>
          {text}
          {figure !== undefined && <b>{figure}</b>}
        </li>
      ))}
    </ul>
  );
}

function Mark({ mark }: { mark: PlotKey["mark"] }) {
  if (mark === "dash" || mark === "tick") return <line x1="0" x2="16" y1="5" y2="5" />;
  return <rect x="6" width="10" height="10" rx="2" />;
}

/** The line through points of a stretched 1000 by 1000 drawing, with gaps. */
export function linePath(points: readonly ([number, number] | undefined)[]): string {
  let path = "";
  let isDown = false;
  for (const point of points) {
    if (point) path += `${isDown ? "L" : "M"}${Math.round(point[0])} ${Math.round(point[1])}`;
    isDown = point !== undefined;
  }
  return path;
}

/** The area between two lines, run by run. */
export function areaPath(
  over: readonly ([number, number] | undefined)[],
  under: readonly ([number, number] | undefined)[],
): string {
  let path = "";
  for (let start = 0; start < over.length; start += 1) {
    if (!over[start]) continue;
    let end = start;
    while (end < over.length && over[end]) end += 1;
    path += `${linePath([...over.slice(start, end)])}${linePath(under.slice(start, end).reverse()).replace("M", "L")}Z`;
    start = end;
  }
  return path;
}

/** Lines keep their width. */
export function Stretched({ children }: { children: Child }) {
  return (
    <svg width="100%" height="100%" viewBox="0 0 1000 1000" preserveAspectRatio="none">
      {children}
    </svg>
  );
}

interface EventProps {
  at: Seconds;
  from: Seconds;
  to: Seconds;
  text: string;
  /** Appended where there is room. */
  more?: string | undefined;
  mood: Mood;
}

/** A vertical line with its label. */
export function Moment({ at, from, to, text, more, mood, kind }: EventProps & { kind: "event" | "edge" }) {
  const share = (at - from) / (to - from);
  const x = percent(at - from, to - from);
  const anchor = share < 0.15 ? "start" : share > 0.85 || kind === "edge" ? "end" : "middle";
  const y = kind === "event" ? "14%" : "0";
  return (
    <g class={`plot-moment ${mood} ${kind}`}>
      <line x1={x} x2={x} y1={kind === "event" ? "20%" : "0"} y2="100%" />
      {kind === "event" && <circle cx={x} cy="20%" r="3" />}
      <text
        x={x}
        y={y}
        dy={kind === "event" ? "2" : "11"}
        dx={anchor === "middle" ? 0 : anchor === "end" ? -6 : 6}
        text-anchor={anchor}
      >
        {text}
        {more !== undefined && <tspan class="minor"> {more}</tspan>}
      </text>
    </g>
  );
}
