import type { UsageOf } from "../../../../domain/service/sessions/usage-of.ts";
import { Bars } from "../../../pages/charts/bars.tsx";
import { ShareBar } from "../../../pages/parts/bar.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import type { PageContext } from "./context.ts";

const GB = 1e9;

export function UsageCard({ context, usage }: { context: PageContext; usage: UsageOf }) {
  const { visit, phrases } = context;
  const { side, live } = visit.view.words.subscriber;
  const { format } = visit.view;
  const { days, quota, pace } = usage;
  const total = days.reduce((sum, { down, up }) => sum + down + up, 0);
  const share = quota ? quota.used / quota.total : 0;
  return (
    <Card title={side.usage} lead={side.days(days.length)}>
      {total === 0 ? (
        <p class="hint">{side.unused}</p>
      ) : (
        <Bars
          description={side.usageSays(phrases.bytes(total), days.length)}
          series={[{ name: side.usage, tone: "s1" }]}
          bars={days.map(({ period, down, up }, index) => ({
            label: String(period % 100),
            head: format.day(period),
            values: [(down + up) / GB],
            isNow: index === days.length - 1,
          }))}
          value={(value) => format.number(value)}
          exact={(value) => phrases.bytes(value * GB)}
          words={{ table: live.table, when: live.when }}
          kind="low"
        />
      )}
      {quota && (
        <>
          <p class="quota">
            <span>
              <strong>{phrases.bytes(quota.used)}</strong>{" "}
              {quota.since === null
                ? side.usedOf(phrases.bytes(quota.total))
                : side.usedSince(phrases.bytes(quota.total), phrases.near(quota.since))}
            </span>
            <strong>{format.percent(share)}</strong>
          </p>
          <ShareBar
            share={share}
            label={format.percent(share)}
            {...(share >= 1 ? { tone: "bad" } : share > 0.9 ? { tone: "warn" } : {})}
          />
        </>
      )}
      {pace && (
        <p class={pace.isEnough ? "hint" : "hint warn-text"}>
          {(pace.isEnough ? side.enough : side.tooLittle)(phrases.bytes(pace.atEnd), phrases.near(pace.end))}
        </p>
      )}
      <Months context={context} usage={usage} />
    </Card>
  );
}

function Months({
  context: { visit, phrases },
  usage: { months },
}: {
  context: PageContext;
  usage: UsageOf;
}) {
  const { side, live } = visit.view.words.subscriber;
  if (months.length === 0) return null;
  return (
    <details class="months">
      <summary>{side.months}</summary>
      <table class="side-entries">
        <caption class="unseen">{side.months}</caption>
        <thead>
          <tr>
            <th>{side.month}</th>
            <th class="end">{live.down}</th>
            <th class="end">{live.up}</th>
          </tr>
        </thead>
        <tbody>
          {months.toReversed().map(({ period, down, up }) => (
            <tr>
              <td>{visit.view.format.yearMonth(period)}</td>
              <td class="end">{phrases.bytes(down)}</td>
              <td class="end">{phrases.bytes(up)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
