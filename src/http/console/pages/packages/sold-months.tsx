import type { PricedPackage } from "../../../../domain/goods/packages/packages.ts";
import { reportSales } from "../../../../domain/around/reports/money.ts";
import { localDay, startOfDay } from "../../../../domain/core/time/time.ts";
import { monthsEarlier } from "../../../../domain/around/today/money.ts";
import type { Isps } from "../../../../domain/money/sums/isps.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { Bars } from "../../../pages/charts/bars.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import type { StaffVisit } from "../../guard.ts";
import { listPeriods } from "../../parts/periods.ts";
import { ispView } from "../../parts/isp-view.ts";

/** A year, with the current month. */
const MONTHS = 12;
/** Minor units of one unit. */
const UNIT = 100;

const firstOfMonth = (day: number) => Math.floor(day / 100) * 100 + 1;

export function SoldMonths({ visit, sold, isps }: { visit: StaffVisit; sold: PricedPackage; isps: Isps }) {
  const { db, by, now } = visit;
  if (!may(by, "report_view")) return null;
  const { format, words, brand } = ispView(visit, sold.ispId);
  const { list, packages, reports, today } = words;
  const range = { from: startOfDay(firstOfMonth(monthsEarlier(localDay(now), MONTHS - 1))), to: now };
  const { rows } = reportSales(db, by, { ...range, by: ["month"], only: { packageId: sold.id } }, isps);
  if (rows.length === 0) return null;
  const sums = new Map(rows.map(({ month, net }) => [month, net]));
  const months = listPeriods(range, "month");
  const [money, name] = [(minor: number) => format.sum(minor, brand.currency), packages.soldMonths];
  return (
    <Card title={name} lead={format.currencySign(brand.currency)}>
      <Bars
        description={name}
        series={[{ name: packages.sales, tone: "s1" }]}
        bars={months.map((month, index) => ({
          label: format.shortMonth(month),
          head: format.yearMonth(month),
          values: [sums.get(month) ?? 0],
          says: `${format.yearMonth(month)}${list.colon}${money(sums.get(month) ?? 0)}`,
          href: `/console/reports/sales?per=month&package_id=${sold.id}`,
          isNow: index === months.length - 1,
        }))}
        value={(minor) => format.amount(minor, { round: true })}
        exact={(minor) => format.amount(minor)}
        least={UNIT}
        words={{ ...today.charts, when: reports.when }}
      />
    </Card>
  );
}
