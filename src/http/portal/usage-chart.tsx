import type { UsageDay } from "../../domain/desk/portal/usage-chart.ts";
import type { View } from "./layout.tsx";

/** Pixels down, percent across, so that it fits any screen. */
const TOP = 14;
const PLOT = 190;
const HEIGHT = TOP + PLOT + 26;

/** Bars above and below a line, and a table. */
export function UsageChart({ view, days }: { view: View; days: readonly UsageDay[] }) {
  const { words, format } = view;
  const { home } = words;
  const down = days.reduce((sum, day) => sum + day.down, 0);
  const up = days.reduce((sum, day) => sum + day.up, 0);
  if (down + up === 0)
    return (
      <section class="card chart-card">
        <h2>{home.usage}</h2>
        <p class="hint">{home.noUsage}</p>
      </section>
    );
  return (
    <section class="card chart-card" data-chart>
      <div class="chart-head">
        <h2>{home.usage}</h2>
        <p class="hint" data-readout>
          {words.labelled(home.total, format.bytes(down + up))}
        </p>
        <ul class="legend">
          <li class="down">{`${home.down} ${format.bytes(down)}`}</li>
          <li class="up">{`${home.up} ${format.bytes(up)}`}</li>
        </ul>
      </div>
      <Bars view={view} days={days} label={home.chart(format.bytes(down), format.bytes(up))} />
      <Numbers view={view} days={days} />
    </section>
  );
}

function Bars({
  view: { words, format },
  days,
  label,
}: {
  view: View;
  days: readonly UsageDay[];
  label: string;
}) {
  const top = roundUp(Math.max(...days.map(({ down }) => down)));
  const most = Math.max(...days.map(({ up }) => up));
  const below = top === 0 ? roundUp(most) : most;
  const perPixel = (top + below) / PLOT;
  const zero = TOP + top / perPixel;
  const slot = 100 / days.length;
  const toY = (octets: number) => Math.round(zero - octets / perPixel) + 0.5;
  const lines = [top, top / 2].filter((octets) => octets > 0);
  return (
    <svg class="chart" role="img" aria-label={label} width="100%" height={HEIGHT}>
      <g class="lines">
        {lines.map((octets) => (
          <line x1="0" x2="100%" y1={toY(octets)} y2={toY(octets)} />
        ))}
      </g>
      {days.map(({ day, down, up }, index) => {
        const x = index * slot;
        const height = down / perPixel;
        return (
          <g class="day" data-day={words.home.dayUse(format.day(day), format.bytes(down), format.bytes(up))}>
            <rect class="hit" x={percent(x)} y={TOP} width={percent(slot)} height={PLOT} />
            {down > 0 && (
              <rect
                class="down"
                {...bar(x, slot)}
                y={round(zero - Math.max(1, height))}
                height={round(Math.max(1, height))}
                rx="2"
              />
            )}
            {up > 0 && (
              <rect
                class="up"
                {...bar(x, slot)}
                y={round(zero + 1)}
                height={round(Math.max(1, up / perPixel))}
                rx="2"
              />
            )}
          </g>
        );
      })}
      <g class="lines">
        {lines.map((octets) => (
          <text x="0" y={toY(octets) - 4}>
            {format.bytes(octets)}
          </text>
        ))}
      </g>
      <line class="zero" x1="0" x2="100%" y1={toY(0)} y2={toY(0)} />
      {days.map(({ day }, index) =>
        (days.length - 1 - index) % 7 === 0 ? (
          <text class="date" x={percent((index + 0.5) * slot)} y={HEIGHT - 6}>
            {format.day(day)}
          </text>
        ) : null,
      )}
    </svg>
  );
}

function Numbers({ view: { words, format }, days }: { view: View; days: readonly UsageDay[] }) {
  const { home } = words;
  return (
    <details class="numbers">
      <summary>{home.table}</summary>
      <div class="scroll" tabindex={0} role="region" aria-label={home.usage}>
        <table>
          <thead>
            <tr>
              <th scope="col">{home.day}</th>
              <th scope="col">{home.down}</th>
              <th scope="col">{home.up}</th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ day, down, up }) => (
              <tr>
                <th scope="row">{format.day(day)}</th>
                <td>{format.bytes(down)}</td>
                <td>{format.bytes(up)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

/** The next number that halves well. */
function roundUp(octets: number): number {
  if (octets <= 0) return 0;
  const power = 10 ** Math.floor(Math.log10(octets));
  return ([1, 1.2, 1.6, 2, 3, 4, 5, 6, 8].find((step) => step * power >= octets) ?? 10) * power;
}

function bar(x: number, slot: number) {
  return { x: percent(x + slot * 0.18), width: percent(slot * 0.64) };
}

const percent = (value: number) => `${round(value)}%`;
const round = (value: number) => Math.round(value * 100) / 100;
