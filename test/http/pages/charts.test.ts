import { describe, expect, test } from "bun:test";
import { areaPath, linePath } from "../../../src/http/pages/charts/plot.tsx";
import { roundScale, timeTicks } from "../../../src/http/pages/charts/scale.ts";
import { Bars } from "../../../src/http/pages/charts/bars.tsx";
import { StackedAreas } from "../../../src/http/pages/charts/stacked-areas.tsx";
import { makePalette } from "../../../src/http/pages/colors.ts";

describe("axes", () => {
  const scales: [
    most: number,
    options: { count?: number; least?: number; below?: number },
    lines: number[],
  ][] = [
    [1415, {}, [0, 400, 800, 1200, 1600]],
    [69, { count: 2 }, [0, 40, 80]],
    [189_000, { count: 2, least: 100 }, [0, 100_000, 200_000]],
    [1600, {}, [0, 400, 800, 1200, 1600]],
    [1, {}, [0, 1]],
    [0, {}, [0, 1]],
    [120, { least: 100 }, [0, 100, 200]],
    [31, { count: 2, below: 8 }, [-20, 0, 20, 40]],
    [0, { count: 2, below: 400, least: 100 }, [-400, -200, 0]],
  ];
  test.each(scales)("up to %d with %o", (most, options, lines) => {
    expect(roundScale(most, options)).toEqual({ top: lines.at(-1) ?? 0, bottom: lines[0] ?? 0, lines });
  });

  const HOUR = 3600;
  const midnight = Temporal.ZonedDateTime.from({
    timeZone: Temporal.Now.timeZoneId(),
    year: 2030,
    month: 1,
    day: 15,
  });
  const at = Math.floor(midnight.epochMilliseconds / 1000);
  test("times are round local hours, or begins of days", () => {
    const hours = timeTicks(at + 14.5 * HOUR, at + 38.5 * HOUR).map((tick) => (tick.at - at) / HOUR);
    expect(hours).toEqual([16, 20, 24, 28, 32, 36]);
    const days = timeTicks(at - 30 * 24 * HOUR, at + 12 * HOUR);
    expect(days.every(({ isDay }) => isDay)).toBe(true);
    expect(days.at(-1)?.at).toBe(at);
  });
});

test("what is less than nothing hangs beneath the line, and the whole fits", () => {
  const drawn = String(
    Bars({
      description: "Two days",
      series: [
        { name: "Came", tone: "s1" },
        { name: "Left", tone: "s2" },
      ],
      bars: [
        { label: "1", head: "1 Jan", values: [30, -10] },
        { label: "2", head: "2 Jan", values: [0, -20] },
      ],
      value: String,
      words: { table: "As a table", when: "Day" },
    }),
  );
  const pieces = [...drawn.matchAll(/class="(s\d)"[^>]* y="([^"]+)" height="([^"]+)"/g)];
  expect(pieces.map(([, ...of]) => of)).toEqual([
    ["s1", "12.5%", "37.5%"], // of an axis from 40 to -40
    ["s2", "50%", "12.5%"],
    ["s2", "50%", "25%"],
  ]);
  expect(drawn).toContain('class="plot-zero" x1="0" x2="100%" y1="50%" y2="50%"');
});

test("a line breaks where nothing is known, and so does the area below it", () => {
  const over = [[0, 500], [100, 400], undefined, [300, 200], [400, 100]] as const;
  const points = over.map((point): [number, number] | undefined => point && [point[0], point[1]]);
  const floor = points.map((point): [number, number] | undefined => point && [point[0], 1000]);
  expect(linePath(points)).toBe("M0 500L100 400M300 200L400 100");
  expect(areaPath(points, floor)).toBe("M0 500L100 400L100 1000L0 1000ZM300 200L400 100L400 1000L300 1000Z");
});

test("a stacked area says in its table what it draws, escaped", () => {
  const show = (value: number) => String(value);
  const drawn = String(
    StackedAreas({
      description: 'Two routers, "by name"',
      times: [0, 3600],
      series: [
        { name: "<b>Tower</b>", tone: "s1", values: [10, 20], now: "20" },
        { name: "Hill", tone: "s2", values: [5, null], now: "0" },
      ],
      format: { value: show, clock: show, date: show, time: show },
      words: { table: "As a table", when: "Time" },
    }),
  );
  expect(drawn).not.toContain("<b>Tower");
  expect(drawn).toContain('<tr data-at="1"><th scope="row">3600</th><td>20</td><td></td></tr>');
  expect(drawn).not.toContain("style=");
});

describe("colours of series", () => {
  const cases: [color: string, first: string][] = [
    ["#0f6e84", "#b7791f"],
    ["#c07010", "#7a5fc2"],
    ["#808080", "#b7791f"],
  ];
  test.each(cases)("beside %s the first is %s", (color, first) => {
    const { series } = makePalette(color);
    expect(series).toHaveLength(4);
    expect(series[0]?.light).toBe(first);
    expect(new Set(series.map(({ light }) => light)).size).toBe(4);
  });
});
