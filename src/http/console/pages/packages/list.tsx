import { isTopUp } from "../../../../domain/goods/packages/top-up.ts";
import { listPackages, type PricedPackage } from "../../../../domain/goods/packages/packages.ts";
import { type PackageSales, packageSales } from "../../../../domain/around/reports/sales.ts";
import { may, seesWholeIsp } from "../../../../domain/core/actor/actor.ts";
import { packageSchema, shownPackage } from "../../../../wire/package.ts";
import { shortFile } from "../../../list.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import { page } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import type { ConsoleView } from "../../view.ts";
import { starters } from "./starters.ts";

const HREF = "/console/packages";
const all = { sort: "name", descending: false, limit: 1000, offset: 0 } as const;

/** What is sold, to how many, and what it earns. */
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
          <Button href={`${HREF}.csv`} icon="download">
            {view.words.money.csv}
          </Button>
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
        <Rows visit={visit} records={records} sales={sales} />
      )}
    </Frame>,
  );
}

export function packagesFile({ db, by }: StaffVisit): Response {
  return shortFile("listPackages", packageSchema, listPackages(db, by, all).records.map(shownPackage));
}

interface RowsProps {
  visit: StaffVisit;
  records: readonly PricedPackage[];
  sales: ReadonlyMap<number, PackageSales>;
}

function Rows({ visit: { view, by }, records, sales }: RowsProps) {
  const { format, words } = view;
  const { packages } = words;
  const known = [...sales.values()];
  const showsMoney = may(by, "report_view");
  const active = known.reduce((sum, one) => sum + one.active, 0);
  const earned = known.reduce((sum, one) => sum + (one.lastMonth ?? 0), 0);
  const currency = view.brand.currency;
  const columns = [
    { title: packages.name },
    { title: packages.speed },
    { title: packages.span, low: true },
    { title: packages.quota, low: true },
    { title: packages.price(format.currencySign(currency)), end: true },
    { title: packages.active, end: true },
    ...(showsMoney
      ? [
          { title: packages.thisMonth, end: true, low: true },
          { title: packages.lastMonth, end: true },
        ]
      : []),
  ];
  return (
    <div class="stack">
      <p class="sentence">
        {packages.sentence(records.length, format.number(active))}{" "}
        {showsMoney && packages.earned(format.sum(earned, currency))}
      </p>
      <Table caption={words.places.packages} columns={columns} kind="short-rows">
        {records.map((sold) => {
          const one = sales.get(sold.id);
          return (
            <tr>
              <td class="lead">
                <a href={`${HREF}/${sold.id}`}>
                  <bdi>{sold.name}</bdi>
                </a>{" "}
                {sold.status === 0 && <Chip>{packages.notSold}</Chip>}
              </td>
              <Terms view={view} sold={sold} />
              <td class="end sum">{format.amount(sold.price)}</td>
              <td class="end">
                <a href={`/console/subscribers?package=${sold.id}&status=active`}>
                  {format.number(one?.active ?? 0)}
                </a>{" "}
                <span class="row-word">{packages.activeWord}</span>
              </td>
              {showsMoney && <td class="end low">{format.amount(one?.thisMonth ?? 0)}</td>}
              {showsMoney && (
                <td class="end">
                  {format.amount(one?.lastMonth ?? 0)} <span class="row-word">{packages.lastMonthWord}</span>
                </td>
              )}
            </tr>
          );
        })}
      </Table>
    </div>
  );
}

/** How fast, for how long and how much; of a top-up what it adds. */
function Terms({ view, sold }: { view: ConsoleView; sold: PricedPackage }) {
  const { format, words } = view;
  const { isTopUp: word, addsBytes } = words.fairUse.facts;
  if (isTopUp(sold)) {
    const { topUpBytes, topUpDays, topUpRolls } = sold;
    return (
      <>
        <td>{word}</td>
        <td class="low">{topUpDays > 0 && format.span(topUpDays, "day")}</td>
        <td class="low">{topUpBytes > 0 && addsBytes(format.bytes(topUpBytes), topUpRolls === 1)}</td>
      </>
    );
  }
  return (
    <>
      <td>{speedOf(view, sold.rateLimit)}</td>
      <td class="low">{format.span(sold.duration, sold.durationUnit)}</td>
      <td class="low">
        {sold.dataQuotaBytes === 0 ? (
          <span class="soft-text">{words.packages.noQuota}</span>
        ) : (
          format.bytes(sold.dataQuotaBytes)
        )}
      </td>
    </>
  );
}

/** `30 / 10 Mbit/s`, to the subscriber first; or that there is no limit. */
export function speedOf({ format, words }: ConsoleView, rateLimit: string | null): string {
  const speed = format.speed(rateLimit);
  if (!speed) return words.packages.noLimit;
  const [down, unit] = speed.down.split(" ");
  return speed.up.endsWith(` ${unit}`)
    ? `${down} / ${speed.up}`
    : words.packages.downUp(speed.down, speed.up);
}

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
                <div class="starter-head">
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
