import { type BatchRecord, listCardBatches } from "../../../../domain/service/cards/batch-list.ts";
import { cardChoices } from "../../../../domain/service/cards/choices.ts";
import { printedBatch } from "../../../../domain/service/cards/print.ts";
import { cardStock, isRunningOut, type StockLine } from "../../../../domain/service/cards/stock.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { page } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import type { Filter } from "../../parts/filters.tsx";
import { list, USUAL } from "../../parts/list.tsx";
import { pageCounted, ROWS } from "../../parts/pager.tsx";
import { readQuery, isNarrowed } from "./query.ts";
import { FindCard } from "./find.tsx";
import { describeGives, packageOrRefill } from "../../parts/card-gives.ts";
import { ispView } from "../../parts/isp-view.ts";
import { batchHref, CARDS } from "../../parts/hrefs.ts";
import { Stock } from "./stock-bar.tsx";
import { actorName } from "../../parts/phrases.ts";

export function showBatches(visit: StaffVisit): Response {
  const { db, by, now, query, view } = visit;
  const filter = readQuery(query);
  const { records, total } = pageCounted(query, ROWS, (paging) =>
    listCardBatches(db, by, { ...filter, ...paging }, { now }),
  );
  const makes = may(by, "card_make") && by.scope.salespersonId === null;
  const isEmpty = total === 0 && !isNarrowed(filter);
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
          <div class="card">
            <FindCard visit={visit} />
          </div>
          <Batches visit={visit} rows={records} total={total} limit={ROWS} />
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

function stockSentence({ view, by }: StaffVisit, lines: readonly StockLine[]): string {
  const { words, format, brand } = view;
  const { cards } = words;
  // an operator sees refills of several ISPs, whose currencies may differ
  const worth = (price: number) =>
    by.scope.ispId === null ? format.amount(price) : format.sum(price, brand.currency);
  const lineName = ({ kind, packageName, price }: StockLine) =>
    cards.stockName(kind, format.name(packageName ?? worth(price ?? 0)));
  const left = lines.filter((line) => line.left > 0).toSorted((a, b) => b.left - a.left);
  const short = lines.filter(isRunningOut);
  const stock =
    left.length === 0
      ? cards.nothingInStock
      : cards.inStock(left.map((line) => cards.stockPart(lineName(line), line.left)));
  if (short.length === 0) return stock;
  const running = short.map((line) => cards.runningPart(lineName(line), line.left, line.gone));
  return `${stock} ${cards.runningOut(running)}`;
}

function buildFilters({ db, by, view }: StaffVisit): readonly Filter[] {
  const { filters, kinds } = view.words.cards;
  const { packages, resellers } = cardChoices(db, by);
  const named = (rows: readonly { id: number; name: string }[]) =>
    rows.map(({ id, name }) => ({ value: id, label: name }));
  const holder: Filter = {
    name: "reseller",
    kind: "choice",
    label: filters.reseller,
    options: [{ value: "none", label: filters.isp }, ...named(resellers)],
  };
  return [
    {
      name: "show",
      kind: "views",
      label: filters.open,
      options: [
        { value: "", label: filters.all },
        { value: "open", label: filters.onlyOpen },
      ],
    },
    {
      name: "kind",
      kind: "choice",
      label: filters.kind,
      options: (["access", "refill", "package"] as const).map((value) => ({ value, label: kinds[value] })),
    },
    { name: "package", kind: "choice", label: filters.package, options: named(packages) },
    ...(by.scope.salespersonId === null ? [holder] : []),
  ];
}

export const Batches = list<BatchRecord>((visit, records) => {
  const { words, format } = visit.view;
  const { table, theIsp, kinds, noneMatch, noneMatchText } = words.cards;
  const views = new Map(
    [...new Set(records.map(({ ispId }) => ispId))].map((id) => [id, ispView(visit, id)]),
  );
  const viewIn = ({ ispId }: BatchRecord) => views.get(ispId) ?? visit.view;
  const [currency, ...others] = new Set([...views.values()].map(({ brand }) => brand.currency));
  const isMixed = currency === undefined || others.length > 0;
  return {
    name: table.caption,
    call: "listCardBatches",
    kind: USUAL,
    filters: buildFilters(visit),
    columns: [
      {
        title: table.batch,
        cell: (batch) => (
          <a class="mono" href={batchHref(batch.id)}>
            {printedBatch(batch)}
          </a>
        ),
        narrow: "lead",
      },
      {
        title: table.what,
        cell: (batch) => (
          <>
            <bdi>{packageOrRefill(viewIn(batch), batch)}</bdi>{" "}
            {batch.kind === "package" && <Chip>{kinds.package}</Chip>}
            <span class="hint">{describeGives(viewIn(batch), batch).join(visit.view.words.list.comma)}</span>
          </>
        ),
        kind: "whole",
      },
      {
        title: isMixed ? table.priceAlone : table.price(format.currencySign(currency)),
        cell: (batch) =>
          isMixed ? format.sum(batch.price, viewIn(batch).brand.currency) : format.amount(batch.price),
        end: true,
        narrow: "sum",
      },
      {
        title: table.holder,
        cell: ({ resellerName }) =>
          resellerName === null ? <span class="soft-text">{theIsp}</span> : <bdi>{resellerName}</bdi>,
        narrow: "low",
      },
      {
        title: table.made,
        cell: ({ createdAt, makerName, actor }) =>
          table.madeBy(format.near(createdAt, visit.now), makerName ?? actorName(words, actor ?? "")),
        narrow: "low",
      },
      {
        title: table.cards,
        cell: (batch) => (
          <Stock
            view={viewIn(batch)}
            batch={batch}
            href={(standing) => `${batchHref(batch.id)}?standing=${standing}`}
          />
        ),
        kind: "whole",
      },
    ],
    empty: { icon: "card", title: noneMatch, text: noneMatchText },
  };
});
