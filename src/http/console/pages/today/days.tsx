import { type ExpirationDay, sumDaysAhead } from "../../../../domain/around/today/expirations.ts";
import { takenByDay } from "../../../../domain/around/today/money.ts";
import { localDay } from "../../../../domain/core/time/time.ts";
import { seesMoney } from "../../../../domain/core/actor/actor.ts";
import { type Bar, Bars } from "../../../pages/charts/bars.tsx";
import { PlotKeys } from "../../../pages/charts/plot.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Count } from "../../../pages/parts/chip.tsx";
import type { StaffVisit } from "../../guard.ts";
import type { ConsoleView } from "../../view.ts";
import { readAhead, readReceived } from "./once.ts";
import { expiring } from "./links.ts";
import { refreshing } from "./live.ts";

const DAYS = 14;
/** Minor units of one unit. */
const UNIT = 100;

/** What was taken by day, beside the month before. */
export function TakenDays({ visit }: { visit: StaffVisit }) {
  const { db, by, now, view } = visit;
  const { format, words } = view;
  const { takenDays, charts } = words.today;
  const days = takenByDay(db, by, { days: DAYS }, { now });
  const { currency, methods } = readReceived(visit);
  const today = localDay(now);
  const before = takenDays.sameDay(format.month(days.at(-1)?.dayBefore ?? today));
  const money = (minor: number) => format.amount(minor);
  const parts = methods.map(({ method, taken }) =>
    takenDays.method(words.pay.methodName(method).toLocaleLowerCase(words.tag), money(taken)),
  );
  return (
    <Card
      id="today-taken"
      title={takenDays.title}
      lead={format.currencySign(currency)}
      aside={
        <PlotKeys
          keys={[
            { mark: "s1", text: format.month(today) },
            { mark: "tick", text: before },
          ]}
        />
      }
      live={refreshing("/console/today/taken", ["money"])}
    >
      <Bars
        description={takenDays.describe(
          DAYS,
          format.sum(
            days.reduce((sum, { taken }) => sum + taken, 0),
            currency,
          ),
        )}
        series={[{ name: words.today.taken, tone: "s1" }]}
        before={before}
        bars={days.map(({ day, taken, before: earlier, dayBefore }) => ({
          label: format.number(day % 100),
          head: format.weekday(day),
          values: [taken],
          before: earlier,
          says: takenDays.says(format.weekday(day), money(taken), format.day(dayBefore), money(earlier)),
          isNow: day === today,
          figure: day === today ? format.amount(taken, { round: true }) : undefined,
        }))}
        value={(minor) => format.amount(minor, { round: true })}
        exact={money}
        least={UNIT}
        caption={`${takenDays.until(format.timeNear(now, now))}${words.list.colon}${parts.join(" · ") || takenDays.nothing}`}
        words={charts}
      />
    </Card>
  );
}

/** Services that end, and with money who has too little. */
export function Expirations({ visit }: { visit: StaffVisit }) {
  const { by, view } = visit;
  const { format, words } = view;
  const { expirations, charts } = words.today;
  const days = readAhead(visit);
  const total = sumDaysAhead(days);
  const hasMoney = seesMoney(by);
  const hasReady = total.expiring > total.needMoney + total.renewing;
  const series = hasMoney
    ? [
        { name: expirations.needMoney, tone: "s1" as const },
        { name: expirations.renew, tone: "up" as const },
        ...(hasReady ? [{ name: expirations.ready, tone: "rest" as const }] : []),
      ]
    : [{ name: expirations.all, tone: "s1" as const }];
  const [count, short] = [format.number(total.expiring), format.number(total.needMoney)];
  return (
    <Card
      id="today-expirations"
      title={expirations.title}
      lead={<Count>{count}</Count>}
      aside={hasMoney && <PlotKeys keys={series.map(({ name, tone }) => ({ mark: tone, text: name }))} />}
      live={refreshing("/console/today/expirations", ["money"])}
    >
      <Bars
        description={hasMoney ? expirations.describe(count, short) : expirations.describeAll(count)}
        series={series}
        bars={days.map((day, index) => toBar(view, day, { series: series.length, isNow: index === 0 }))}
        value={(of) => format.number(of)}
        caption={expirations.opens}
        words={charts}
      />
    </Card>
  );
}

function toBar(
  { format, words }: ConsoleView,
  { day, expiring: count, needMoney, renewing }: ExpirationDay,
  { series, isNow }: { series: number; isNow: boolean },
): Bar {
  const { expirations } = words.today;
  const [date, all] = [format.weekday(day), format.number(count)];
  const hasMoney = series > 1;
  return {
    label: format.number(day % 100),
    head: date,
    values: hasMoney ? [needMoney, renewing, count - needMoney - renewing].slice(0, series) : [count],
    says: hasMoney ? expirations.says(date, all, needMoney) : expirations.saysAll(date, all),
    href: expiring(day, day, "active"),
    isNow,
    figure: isNow ? all : undefined,
  };
}
