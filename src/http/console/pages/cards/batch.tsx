import { type BatchRecord, cardBatchById } from "../../../../domain/service/cards/batch-list.ts";
import { cardNumber, DIGITS } from "../../../../domain/goods/codes/codes.ts";
import { type CardRow, listCards } from "../../../../domain/service/cards/list.ts";
import { printedBatch, printedNumber } from "../../../../domain/service/cards/print.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import type { Seconds } from "../../../../domain/core/time/time.ts";
import { cardToJson } from "../../../../wire/card.ts";
import { file } from "../../../list.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Chip, type Tone } from "../../../pages/parts/chip.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { Segments } from "../../../pages/parts/tabs.tsx";
import { page } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { FileButton, list, type ListColumn } from "../../parts/list.tsx";
import { pageIn, ROWS } from "../../parts/pager.tsx";
import type { ConsoleView } from "../../view.ts";
import { AuditLogLink } from "../../parts/audit-log-link.tsx";
import { standingQuery } from "./query.ts";
import { describeGives, packageOrRefill } from "../../parts/card-gives.ts";
import { ispView } from "../../parts/isp-view.ts";
import { readBatchId } from "./paths.ts";
import { CARDS, batchHref, cardHref } from "../../parts/hrefs.ts";
import { maySell } from "./sells.ts";
import {
  countIn,
  stockFilter,
  nameIn,
  cardStanding,
  type StandingName,
  Stock,
  type StockName,
  stockNames,
} from "./stock-bar.tsx";
import { actorName } from "../../parts/phrases.ts";

export function showBatch(visit: StaffVisit): Response {
  const { db, by, now, query } = visit;
  const batch = cardBatchById(db, by, readBatchId(visit), { now });
  const view = ispView(visit, batch.ispId);
  const standing = query.has("standing") || batch.counts.new === 0 ? standingQuery(query) : "new";
  const filter = { batchId: batch.id, ...(standing && stockFilter(standing)) };
  const total = standing ? countIn(batch, standing) : batch.quantity;
  const offset = (pageIn(query, { total, limit: ROWS }) - 1) * ROWS;
  const { records } = listCards(db, by, filter, { limit: ROWS, offset, now });
  const { batch: phrases } = view.words.cards;
  const sells = maySell(by, batch);
  const context = (card: CardRow): CardLine => ({ ...card, sells });
  const href = batchHref(batch.id);
  const title = phrases.title(printedBatch(batch));
  return page(
    visit,
    <Frame visit={visit} title={title} place="cards" back={{ href: CARDS, label: view.words.places.cards }}>
      <Head visit={visit} batch={batch} title={title} />
      <div class="stack">
        <p class="sentence">{batchLead(view, batch)}</p>
        <div class="split">
          <div>
            <Card title={phrases.stock}>
              <Stock view={view} batch={batch} href={(one) => `${href}?standing=${one}`} />
            </Card>
            <Standings view={view} batch={batch} current={standing} />
            <Cards visit={{ ...visit, view }} rows={records.map(context)} total={total} limit={ROWS} />
          </div>
          <Card
            title={phrases.what}
            aside={<AuditLogLink visit={visit} entity="card_batch" entityId={batch.id} />}
          >
            <BatchFacts view={view} batch={batch} />
          </Card>
        </div>
      </div>
    </Frame>,
  );
}

function Head({ visit, batch, title }: { visit: StaffVisit; batch: BatchRecord; title: string }) {
  const { view, by } = visit;
  const { batch: phrases } = view.words.cards;
  const href = batchHref(batch.id);
  const isToSell = batch.counts.new > 0 && maySell(by, batch);
  const isLeft = batch.counts.new + batch.counts.sold + batch.counts.active > 0;
  return (
    <div class="page-head">
      <h1>
        {title} <span class="soft-text">{packageOrRefill(view, batch)}</span>
      </h1>
      {batch.voidedAt !== null && (
        <Chip tone="bad">{phrases.voided(view.format.near(batch.voidedAt, visit.now))}</Chip>
      )}
      <div class="actions">
        {may(by, "card_make") && (
          <Button href={`${href}/print`} icon="print" {...(isLeft && { kind: "solid" as const })} dataKey="p">
            {phrases.print}
          </Button>
        )}
        {isToSell && (
          <Button href={`${href}/sell`} {...(!may(by, "card_make") && { kind: "solid" as const })} drawer>
            {phrases.strip.open}
          </Button>
        )}
        <FileButton visit={visit} href={`${href}/cards.csv`} />
        {may(by, "card_void") && (
          <Button href={`${href}/void`} kind="danger" drawer>
            {phrases.void}
          </Button>
        )}
      </div>
    </div>
  );
}

function batchLead(view: ConsoleView, batch: BatchRecord): string {
  const { making } = view.words.cards;
  const { quantity, price } = batch;
  const [first = "", ...more] = describeGives(view, batch);
  const cards = making.cardsOf(quantity, first);
  const each = batch.kind === "refill" ? [] : [making.each(view.format.sum(price, view.brand.currency))];
  return `${[cards, ...more, ...each].join(view.words.list.comma)}.`;
}

function BatchFacts({ view, batch }: { view: ConsoleView; batch: BatchRecord }) {
  const { batch: phrases, theIsp, table } = view.words.cards;
  const { format, brand } = view;
  const { resellerPrice, chargeOn, sellBy, useBy, needsSale } = batch;
  const own = format.sum(resellerPrice ?? 0, brand.currency);
  const pays =
    chargeOn === null ? null : chargeOn === "handover" ? phrases.atHandover(own) : phrases.atUse(own);
  return (
    <Facts
      facts={[
        [phrases.price, format.sum(batch.price, brand.currency)],
        [phrases.holder, batch.resellerName === null ? theIsp : <bdi>{batch.resellerName}</bdi>],
        [phrases.pays, pays],
        ...(batch.kind === "access"
          ? [[phrases.needsSale, needsSale === 1 ? phrases.opensNothing : phrases.works] as const]
          : []),
        [phrases.sellBy, sellBy === null ? null : format.date(sellBy)],
        [phrases.useBy, useBy === null ? null : format.date(useBy)],
        [phrases.codes, describeCodes(view, batch)],
        [
          phrases.made,
          table.madeBy(
            format.time(batch.createdAt),
            batch.makerName ?? actorName(view.words, batch.actor ?? ""),
          ),
        ],
        [phrases.note, batch.note === null ? null : <bdi>{batch.note}</bdi>],
      ]}
    />
  );
}

function describeCodes({ words }: ConsoleView, { prefix, length, alphabet }: BatchRecord): string {
  const { batch: phrases } = words.cards;
  if (length === null || alphabet === null) return phrases.imported;
  const form =
    alphabet === DIGITS ? phrases.digits : alphabet.length > 30 ? phrases.letters : phrases.symbols;
  return phrases.codesOf(prefix.length + length, form);
}

function Standings({
  view: { words, format },
  batch,
  current,
}: {
  view: ConsoleView;
  batch: BatchRecord;
  current: StockName | undefined;
}) {
  const { batch: phrases, standings: names } = words.cards;
  const { id, quantity } = batch;
  const href = batchHref(id);
  const all = {
    href: `${href}?standing=all`,
    label: phrases.all,
    count: format.number(quantity),
    current: current === undefined,
  };
  const tabs = stockNames
    .filter((name) => countIn(batch, name) > 0 || name === current)
    .map((name) => ({
      href: `${href}?standing=${name}`,
      label: names[nameIn(batch, name)],
      count: format.number(countIn(batch, name)),
      current: name === current,
    }));
  return <Segments label={phrases.cards} tabs={[all, ...tabs]} />;
}

const tones: Readonly<Partial<Record<StandingName, Tone>>> = {
  active: "good",
  expired: "warn",
  void: "bad",
};

function StandingWord({ view, card }: { view: ConsoleView; card: CardRow }) {
  const { standing } = card;
  const name = cardStanding(card);
  const tone = tones[name];
  const word = view.words.cards.standings[name];
  if (tone !== undefined) return <Chip tone={tone}>{word}</Chip>;
  return standing === "new" || standing === "sold" ? <>{word}</> : <span class="soft-text">{word}</span>;
}

/** `sells`: whether the viewer may sell cards of this batch. */
type CardLine = CardRow & { readonly sells: boolean };

export const Cards = list<CardLine>(({ view, now }, cards) => {
  const { batch: phrases } = view.words.cards;
  const near = (at: Seconds | null) => (at === null ? "" : view.format.near(at, now));
  const printed = ({ batchId, serial }: CardRow) => printedNumber({ id: batchId }, serial);
  const sell: ListColumn<CardLine> = {
    title: <span class="unseen">{phrases.sell}</span>,
    cell: (card) =>
      card.standing === "new" && (
        <Button
          href={`${cardHref(card.id)}/sell`}
          size="small"
          label={phrases.sellThis(printed(card))}
          drawer
        >
          {phrases.sell}
        </Button>
      ),
    end: true,
    narrow: "act",
    kind: "row-act",
  };
  return {
    name: phrases.cards,
    columns: [
      {
        title: phrases.columns.paper,
        cell: (card) => (
          <a class="mono" href={cardHref(card.id)}>
            {printed(card)}
          </a>
        ),
        narrow: "lead",
        csv: ["paper"],
      },
      { title: phrases.columns.number, cell: ({ id }) => cardNumber(id), kind: "mono", csv: ["card"] },
      {
        title: phrases.columns.standing,
        cell: (card) => <StandingWord view={view} card={card} />,
        narrow: "sum",
        csv: ["standing"],
      },
      {
        title: phrases.columns.sold,
        cell: ({ soldAt, sellerName }) =>
          soldAt === null ? "" : phrases.soldBy(near(soldAt), sellerName ?? ""),
        narrow: "low",
        csv: ["sold_at", "sold_by"],
      },
      {
        title: phrases.columns.used,
        cell: ({ firstUsedAt, redeemedBy, redeemerName }) => (
          <>
            {near(firstUsedAt)}
            {redeemedBy !== null && (
              <>
                {" "}
                <a href={`/console/subscribers/${redeemedBy}`}>
                  <bdi>{redeemerName}</bdi>
                </a>
              </>
            )}
          </>
        ),
        csv: ["first_used_at", "redeemed_by"],
      },
      { title: phrases.columns.ends, cell: ({ endsAt }) => near(endsAt), narrow: "low", csv: ["ends_at"] },
      ...(cards.some(({ sells }) => sells) ? [sell] : []),
    ],
    empty: { icon: "card", title: phrases.noCards, text: phrases.noCardsText },
    file: FILE,
  };
});

const FILE_ROWS = 500;
const FILE = [
  ...["card", "paper", "standing", "price", "sold_at", "sold_by", "receipt", "first_used_at", "ends_at"],
  ...["used_seconds", "used_octets", "mac_address", "redeemed_by", "voided_at", "void_reason"],
];

export function batchFile(visit: StaffVisit): Response {
  const { db, by, now, query } = visit;
  const { id } = cardBatchById(db, by, readBatchId(visit), { now });
  const standing = standingQuery(query);
  const pages = function* () {
    for (let offset = 0; ; offset += FILE_ROWS) {
      const { records } = listCards(
        db,
        by,
        { batchId: id, ...(standing && stockFilter(standing)) },
        { limit: FILE_ROWS, offset, now },
      );
      yield records.map(toLine);
      if (records.length < FILE_ROWS) return;
    }
  };
  return file(`cards-${printedBatch({ id })}`, FILE, pages());
}

function toLine(row: CardRow) {
  const card = cardToJson(row);
  return {
    ...card,
    card: card.number,
    paper: card.paper_number,
    receipt: card.receipt_number,
    sold_by: card.sold_by_name,
    redeemed_by: card.redeemed_by_name,
    used_octets: card.used_bytes,
  };
}
