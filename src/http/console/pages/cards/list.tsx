import { type BatchRecord, listCardBatches } from "../../../../domain/service/cards/batch-list.ts";
import { cardChoices } from "../../../../domain/service/cards/choices.ts";
import { paperBatch } from "../../../../domain/service/cards/print.ts";
import { cardStock, isRunningOut, type StockLine } from "../../../../domain/service/cards/stock.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Select } from "../../../pages/parts/field.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import { page } from "../../answers.tsx";
import { FilterForm } from "../../filter-form.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { ROWS } from "../../log.tsx";
import { pageAsked } from "../../page-links.tsx";
import { Pages } from "../team/paged.tsx";
import { type Asked, askedOf, isNarrowed } from "./asked.ts";
import { FindCard } from "./find.tsx";
import { givesOf, nameOf } from "./gives.ts";
import { viewOf } from "./of-isp.ts";
import { batchHref, CARDS } from "./paths.ts";
import { Stock } from "./stock-bar.tsx";
import { actorName } from "../subscriber/say.ts";

/** Batches, the newest first, with what is left of each. */
export function showBatches(visit: StaffVisit): Response {
  const { db, by, now, query, view } = visit;
  const asked = askedOf(query);
  const offset = (pageAsked(query) - 1) * ROWS;
  const { records, total } = listCardBatches(db, by, { ...asked, limit: ROWS, offset }, { now });
  const makes = may(by, "card_make") && by.scope.salespersonId === null;
  const isEmpty = total === 0 && !isNarrowed(asked);
  const { cards } = view.words;
  return page(
    visit,
    <Frame visit={visit} title={view.words.places.cards} place="cards">
      <div class="page-head">
        <h1>{view.words.places.cards}</h1>
        {!isEmpty && (
          <div class="actions">
            {may(by, "report_view") && (
              <Button href="/console/reports/card-stock" icon="chart">
                {cards.batch.reports}
              </Button>
            )}
            {makes && (
              <Button href={`${CARDS}/new`} kind="solid" icon="plus" dataKey="n" showKey="N">
                {cards.make}
              </Button>
            )}
          </div>
        )}
      </div>
      {isEmpty ? (
        <NoCards visit={visit} makes={makes} />
      ) : (
        <div class="stack">
          <p class="sentence">{stockSentence(visit, cardStock(db, by, { now }))}</p>
          <div class="card card-tools">
            <FindCard visit={visit} />
            <Filters visit={visit} asked={asked} />
          </div>
          {records.length === 0 ? (
            <div class="card">
              <Empty icon="card" title={cards.noneMatch} text={cards.noneMatchText} />
            </div>
          ) : (
            <Rows visit={visit} records={records} />
          )}
          <Pages visit={visit} total={total} limit={ROWS} path={CARDS} />
        </div>
      )}
    </Frame>,
  );
}

function NoCards({ visit: { view, by }, makes }: { visit: StaffVisit; makes: boolean }) {
  const { cards } = view.words;
  const text = by.scope.salespersonId === null ? cards.emptyText : cards.emptyForReseller;
  return (
    <section class="card">
      <Empty icon="card" title={cards.empty} text={text}>
        {makes && (
          <Button href={`${CARDS}/new`} kind="solid" size="large" icon="plus" dataKey="n" showKey="N">
            {cards.make}
          </Button>
        )}
      </Empty>
    </section>
  );
}

/** What is left to sell, and what goes faster than it lasts. */
function stockSentence({ view, by }: StaffVisit, lines: readonly StockLine[]): string {
  const { words, format, brand } = view;
  const { cards } = words;
  // refills of a price are of several ISPs to an operator, whose currencies may differ
  const worth = (price: number) =>
    by.scope.ispId === null ? format.amount(price) : format.sum(price, brand.currency);
  const nameOfLine = ({ kind, packageName, price }: StockLine) =>
    cards.stockName(kind, format.name(packageName ?? worth(price ?? 0)));
  const left = lines.filter((line) => line.left > 0).toSorted((a, b) => b.left - a.left);
  const short = lines.filter(isRunningOut);
  const stock =
    left.length === 0
      ? cards.nothingInStock
      : cards.inStock(left.map((line) => cards.stockPart(nameOfLine(line), format.number(line.left))));
  if (short.length === 0) return stock;
  const running = short.map((line) =>
    cards.runningPart(nameOfLine(line), format.number(line.left), format.number(line.gone)),
  );
  return `${stock} ${cards.runningOut(running)}`;
}

function Filters({ visit: { db, by, view }, asked }: { visit: StaffVisit; asked: Asked }) {
  const { filters, kinds } = view.words.cards;
  const { packages, resellers } = cardChoices(db, by);
  const any = { value: "", label: filters.any };
  const kindOptions = (["access", "refill", "package"] as const).map((value) => ({
    value,
    label: kinds[value],
  }));
  return (
    <FilterForm href={CARDS} kind="money-filters">
      <Select name="kind" label={filters.kind} value={asked.kind ?? ""} options={[any, ...kindOptions]} />
      <Select
        name="package"
        label={filters.package}
        value={asked.packageId ?? ""}
        options={[any, ...packages.map(({ id, name }) => ({ value: id, label: name }))]}
      />
      {by.scope.salespersonId === null && (
        <Select
          name="reseller"
          label={filters.reseller}
          value={asked.resellerId === 0 ? "none" : (asked.resellerId ?? "")}
          options={[
            any,
            { value: "none", label: filters.isp },
            ...resellers.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
      <Select
        name="show"
        label={filters.open}
        value={asked.isOpen ? "open" : ""}
        options={[
          { value: "", label: filters.all },
          { value: "open", label: filters.onlyOpen },
        ]}
      />
      <Button size="small">{filters.show}</Button>
    </FilterForm>
  );
}

function Rows({ visit, records }: { visit: StaffVisit; records: readonly BatchRecord[] }) {
  const { now } = visit;
  const { words, format } = visit.view;
  const { table, theIsp, kinds } = words.cards;
  const views = new Map([...new Set(records.map(({ ispId }) => ispId))].map((id) => [id, viewOf(visit, id)]));
  const [currency, ...others] = new Set([...views.values()].map(({ brand }) => brand.currency));
  const isMixed = currency === undefined || others.length > 0;
  const columns = [
    { title: table.batch },
    { title: table.what },
    { title: isMixed ? table.priceAlone : table.price(format.currencySign(currency)), end: true },
    { title: table.holder, low: true },
    { title: table.made, low: true },
    { title: table.cards },
  ];
  return (
    <Table caption={table.caption} columns={columns} kind="short-rows batch-rows">
      {records
        .map((batch) => ({ batch, view: views.get(batch.ispId) ?? visit.view }))
        .map(({ batch, view }) => (
          <tr>
            <td class="lead">
              <a class="mono" href={batchHref(batch.id)}>
                {paperBatch(batch)}
              </a>
            </td>
            <td class="batch-what">
              <bdi>{nameOf(view, batch)}</bdi> {batch.kind === "package" && <Chip>{kinds.package}</Chip>}
              <span class="hint">{givesOf(view, batch).join(", ")}</span>
            </td>
            <td class="end sum">
              {isMixed ? format.sum(batch.price, view.brand.currency) : format.amount(batch.price)}
            </td>
            <td class="low">
              {batch.resellerName === null ? (
                <span class="soft-text">{theIsp}</span>
              ) : (
                <bdi>{batch.resellerName}</bdi>
              )}
            </td>
            <td class="low">
              {table.madeBy(
                format.near(batch.createdAt, now),
                batch.makerName ?? actorName(view.words, batch.actor ?? ""),
              )}
            </td>
            <td class="batch-stock">
              <Stock
                view={view}
                batch={batch}
                href={(standing) => `${batchHref(batch.id)}?standing=${standing}`}
              />
            </td>
          </tr>
        ))}
    </Table>
  );
}
