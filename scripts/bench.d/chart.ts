import type { Results } from "./report.ts";
import { spread } from "./tables.ts";

const BAR = 16;
const GAP = 26;
const LEFT = 190;
const WIDTH = 760;
const COLOURS: Record<string, string> = {
  gatehouse: "#0b7a75",
  "freeradius-files": "#b0b7c3",
  "freeradius-sqlite": "#8892a6",
  "freeradius-postgresql": "#5c677d",
};

/** Bars of answers a second at 32 in flight, one group for each kind of work; whiskers are the range of the rounds. */
export function chart({ samples, machine, date }: Results): string {
  const loads = [...new Set(samples.map((one) => one.case))].filter((load) =>
    load.endsWith(", 32 in flight"),
  );
  const targets = [...new Set(samples.map(({ target }) => target))];
  const most = Math.max(1, ...samples.filter((one) => loads.includes(one.case)).map(({ rate }) => rate));
  const x = (rate: number) => LEFT + (rate / most) * (WIDTH - LEFT - 90);
  const parts: string[] = [];
  let y = 44;
  for (const load of loads) {
    parts.push(`<text x="8" y="${y + 12}" class="work">${load.replace(", 32 in flight", "")}</text>`);
    for (const target of targets) {
      const rate = spread(samples, target, load, (one) => one.rate);
      if (!rate) continue;
      const middle = y + BAR / 2;
      parts.push(
        `<rect x="${LEFT}" y="${y}" width="${(x(rate.median) - LEFT).toFixed(1)}" height="${BAR - 3}" fill="${COLOURS[target] ?? "#999"}"/>`,
        `<path d="M${x(rate.low).toFixed(1)} ${middle - 2}H${x(rate.high).toFixed(1)}" stroke="#222" stroke-width="1.5"/>`,
        `<text x="${(Math.max(x(rate.median), x(rate.high)) + 6).toFixed(1)}" y="${y + 11}">${Math.round(rate.median).toLocaleString("en-US")}</text>`,
        `<text x="${LEFT - 6}" y="${y + 11}" text-anchor="end">${target}</text>`,
      );
      y += BAR;
    }
    y += GAP - BAR;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + 20}" font-family="sans-serif" font-size="11" fill="#222">
<rect width="100%" height="100%" fill="#fff"/>
<style>.work { font-weight: bold; }</style>
<text x="8" y="20" font-size="14" font-weight="bold">Answers a second, 20,000 subscribers, 32 requests in flight</text>
${parts.join("\n")}
<text x="8" y="${y + 10}" fill="#666">${machine}, ${date}</text>
</svg>
`;
}
