import { describeSpeed } from "../../parts/phrases.ts";
import { isTopUp } from "../../../../domain/goods/packages/top-up.ts";
import { listPackages, type PricedPackage } from "../../../../domain/goods/packages/packages.ts";
import { type PackageSales, packageSales } from "../../../../domain/around/reports/sales.ts";
import { may, seesWholeIsp } from "../../../../domain/core/actor/actor.ts";
import { formatMinor } from "../../../../domain/core/amounts/money.ts";
import { packageSchema, packageToJson } from "../../../../wire/package.ts";
import { file } from "../../../list.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { page } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { FileButton, list, type ListColumn } from "../../parts/list.tsx";
import { starters } from "./starters.ts";

const HREF = "/console/packages";
const FILE = [...Object.keys(packageSchema.properties), "active", "sold_this_month", "sold_last_month"];
const all = { sort: "name", descending: false, limit: 1000, offset: 0 } as const;

export function showPackages(visit: StaffVisit): Response {
  const { db, by, now, view } = visit;
  const { packages: words } = view.words;
  const { records } = listPackages(db, by, all);
  const sales = new Map(packageSales(db, by, { now }).map((one) => [one.packageId, one]));
  const manages = may(by, "package_manage") && seesWholeIsp(by.scope);
  const head = (
    <div class="page-head">
      <h1>{view.words.places.packages}</h1>
      {records.length > 0 && (
        <div class="actions">
          {manages && (
            <Button href={`${HREF}/new`} kind="solid" icon="plus" dataKey="n" showKey="N">
              {words.new}
            </Button>
          )}
          <FileButton visit={visit} href={`${HREF}.csv`} />
        </div>
      )}
    </div>
  );
  return page(
    visit,
    <Frame visit={visit} title={view.words.places.packages} place="packages">
      {head}
      {records.length === 0 ? (
        <NoPackages visit={visit} manages={manages} />
      ) : (
        <div class="stack">
          <Packages visit={visit} rows={records.map((one) => ({ ...one, sales: sales.get(one.id) }))}>
            <p class="sentence">{describeSales(visit, [...sales.values()], records.length)}</p>
          </Packages>
        </div>
      )}
    </Frame>,
  );
}

function describeSales({ view, by }: StaffVisit, sales: readonly PackageSales[], count: number): string {
  const { format, words, brand } = view;
  const sum = (of: (one: PackageSales) => number) => sales.reduce((all, one) => all + of(one), 0);
  const sold = words.packages.sentence(
    count,
    sum(({ active }) => active),
  );
  if (!may(by, "report_view")) return sold;
  return `${sold} ${words.packages.earned(
    format.sum(
      sum(({ lastMonth }) => lastMonth ?? 0),
      brand.currency,
    ),
  )}`;
}

export function packagesFile({ db, by, now }: StaffVisit): Response {
  const sales = new Map(packageSales(db, by, { now }).map((one) => [one.packageId, one]));
  const toLine = (one: PricedPackage) => {
    const { active = 0, thisMonth, lastMonth } = sales.get(one.id) ?? {};
    const earned = {
      sold_this_month: formatMinor(thisMonth ?? 0),
      sold_last_month: formatMinor(lastMonth ?? 0),
    };
    return { ...packageToJson(one), active, ...(may(by, "report_view") && earned) };
  };
  return file("packages", FILE, [listPackages(db, by, all).records.map(toLine)].values());
}

type SoldPackage = PricedPackage & { readonly sales: PackageSales | undefined };

export const Packages = list<SoldPackage>((visit) => {
  const { view, by } = visit;
  const { format, words } = view;
  const { packages, fairUse } = words;
  const quota = ({ dataQuotaBytes }: SoldPackage) =>
    dataQuotaBytes === 0 ? <span class="soft-text">{packages.noQuota}</span> : format.bytes(dataQuotaBytes);
  const added = ({ topUpBytes, topUpRolls }: SoldPackage) =>
    topUpBytes > 0 && fairUse.facts.addsBytes(format.bytes(topUpBytes), topUpRolls === 1);
  const earned: ListColumn<SoldPackage>[] = [
    {
      title: packages.thisMonth,
      cell: ({ sales }) => format.amount(sales?.thisMonth ?? 0),
      end: true,
      narrow: "low",
      sort: ["this_month", ({ sales }) => sales?.thisMonth ?? 0],
      csv: ["sold_this_month"],
    },
    {
      title: packages.lastMonth,
      cell: ({ sales }) => format.amount(sales?.lastMonth ?? 0),
      word: packages.lastMonthWord,
      end: true,
      sort: ["last_month", ({ sales }) => sales?.lastMonth ?? 0],
      csv: ["sold_last_month"],
    },
  ];
  return {
    name: words.places.packages,
    call: "listPackages",
    columns: [
      {
        title: packages.name,
        cell: ({ id, name, status }) => (
          <>
            <a href={`${HREF}/${id}`}>
              <bdi>{name}</bdi>
            </a>{" "}
            {status === 0 && <Chip>{packages.notSold}</Chip>}
          </>
        ),
        narrow: "lead",
        sort: ["name", ({ name }) => name],
        csv: ["name", "status"],
      },
      {
        title: packages.speed,
        cell: (sold) => (isTopUp(sold) ? fairUse.facts.isTopUp : describeSpeed(view, sold.rateLimit)),
        csv: ["rate_limit"],
      },
      {
        title: packages.span,
        cell: (sold) =>
          isTopUp(sold)
            ? sold.topUpDays > 0 && format.span(sold.topUpDays, "day")
            : format.span(sold.duration, sold.durationUnit),
        narrow: "low",
        csv: ["duration", "duration_unit", "top_up_days"],
      },
      {
        title: packages.quota,
        cell: (sold) => (isTopUp(sold) ? added(sold) : quota(sold)),
        narrow: "low",
        csv: ["data_quota_bytes", "top_up_bytes"],
      },
      {
        title: packages.price(format.currencySign(view.brand.currency)),
        cell: ({ price }) => format.amount(price),
        end: true,
        narrow: "sum",
        sort: ["price", ({ price }) => price],
        csv: ["price"],
      },
      {
        title: packages.active,
        cell: ({ id, sales }) => (
          <a href={`/console/subscribers?package=${id}&status=active`}>{format.number(sales?.active ?? 0)}</a>
        ),
        word: packages.activeWord,
        end: true,
        sort: ["active", ({ sales }) => sales?.active ?? 0],
        csv: ["active"],
      },
      ...(may(by, "report_view") ? earned : []),
    ],
    empty: { icon: "package", title: packages.none, text: packages.noneText },
    file: FILE,
  };
});

function NoPackages({ visit: { view }, manages }: { visit: StaffVisit; manages: boolean }) {
  const { format, words } = view;
  const { packages } = words;
  return (
    <section class="card no-packages">
      <Empty icon="package" title={packages.none} text={packages.noneText}>
        {manages && (
          <Button href={`${HREF}/new`} kind="solid" size="large" icon="plus" dataKey="n" showKey="N">
            {packages.new}
          </Button>
        )}
      </Empty>
      {manages && (
        <div class="starters">
          <p class="hint">{packages.orBegin}</p>
          <ul>
            {starters.map(({ key, price }) => (
              <li class="card">
                <div class="band">
                  <h2>{packages.starters[key].name}</h2>
                  <strong>
                    <span class="soft-text">{format.currencySign(view.brand.currency)}</span> {price}
                  </strong>
                </div>
                <p>{packages.starters[key].what}</p>
                <p class="hint">{packages.starters[key].why}</p>
                <Button href={`${HREF}/new?like=${key}`} size="small">
                  {packages.beginWith}
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
