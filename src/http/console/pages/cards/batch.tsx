import { type BatchRecord, cardBatchById } from "../../../../domain/service/cards/batch-list.ts";
import { cardNumber, DIGITS } from "../../../../domain/goods/codes/codes.ts";
import { type CardRow, listCards } from "../../../../domain/service/cards/list.ts";
import { paperBatch, paperNumber } from "../../../../domain/service/cards/print.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { formatTime, type Seconds } from "../../../../domain/core/time/time.ts";
import { file } from "../../../list.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Chip, type Tone } from "../../../pages/parts/chip.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import { Segments } from "../../../pages/parts/tabs.tsx";
import { page } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { ROWS } from "../../log.tsx";
import { pageAsked } from "../../page-links.tsx";
import type { ConsoleView } from "../../view.ts";
import { Pages } from "../team/paged.tsx";
import { TrailLink } from "../trail/link.tsx";
import { standingAsked } from "./asked.ts";
import { givesOf, nameOf } from "./gives.ts";
import { viewOf } from "./of-isp.ts";
import { CARDS, batchHref, batchIdOf, cardHref } from "./paths.ts";
import { sellsOf } from "./sells.ts";
import {
  countIn,
  filterOf,
  nameIn,
  standingOfCard,
  type StandingName,
  Stock,
  type StockName,
  stockNames,
} from "./stock-bar.tsx";
import { actorName } from "../subscriber/say.ts";

/** A batch: what its cards give, how they stand, and each of them. */
export function showBatch(visit: StaffVisit): Response {
  const { db, by, now, query } = visit;
  const batch = cardBatchById(db, by, batchIdOf(visit), { now });
  const view = viewOf(visit, batch.ispId);
  const standing = query.has("standing") || batch.counts.new === 0 ? standingAsked(query) : "new";
  const offset = (pageAsked(query) - 1) * ROWS;
  const { records, total } = listCards(
    db,
    by,
    { batchId: batch.id, ...(standing && filterOf(standing)) },
    { limit: ROWS, offset, now },
  );
  const { batch: say } = view.words.cards;
  const href = batchHref(batch.id);
  const title = say.title(paperBatch(batch));
  return page(
    visit,
    <Frame {...{ visit, title, place: "cards" }} back={{ href: CARDS, label: view.words.places.cards }}>
      <Head visit={visit} batch={batch} title={title} />
      <div class="stack">
        <p class="sentence">{leadOf(view, batch)}</p>
        <div class="columns">
          <div>
            <Card title={say.stock}>
              <Stock view={view} batch={batch} href={(one) => `${href}?standing=${one}`} />
            </Card>
            <Standings view={view} batch={batch} current={standing} />
            {records.length === 0 ? (
              <div class="card">
                <Empty icon="card" title={say.noCards} text={say.noCardsText} />
              </div>
            ) : (
              <Rows visit={visit} view={view} batch={batch} records={records} />
            )}
            <Pages visit={visit} total={total} limit={ROWS} path={href} />
          </div>
          <Card title={say.what} aside={<TrailLink visit={visit} entity="card_batch" entityId={batch.id} />}>
            <BatchFacts view={view} batch={batch} />
          </Card>
        </div>
      </div>
    </Frame>,
  );
}

function Head({ visit, batch, title }: { visit: StaffVisit; batch: BatchRecord; title: string }) {
  const { view, by } = visit;
  const { batch: say } = view.words.cards;
  const href = batchHref(batch.id);
  const isToSell = batch.counts.new > 0 && sellsOf(by, batch);
  const isLeft = batch.counts.new + batch.counts.sold + batch.counts.active > 0;
  return (
    <div class="page-head">
      <h1>
        {title} <span class="soft-text">{nameOf(view, batch)}</span>
      </h1>
      {batch.voidedAt !== null && (
        <Chip tone="bad">{say.voided(view.format.near(batch.voidedAt, visit.now))}</Chip>
      )}
      <div class="actions">
        {may(by, "card_make") && (
          <Button href={`${href}/print`} icon="print" {...(isLeft && { kind: "solid" as const })} dataKey="p">
            {say.print}
          </Button>
        )}
        {isToSell && (
          <Button href={`${href}/sell`} {...(!may(by, "card_make") && { kind: "solid" as const })} drawer>
            {say.strip.open}
          </Button>
        )}
        <Button href={`${href}/cards.csv`} icon="download">
          {say.csv}
        </Button>
        {may(by, "card_void") && (
          <Button href={`${href}/void`} kind="danger" drawer>
            {say.void}
          </Button>
        )}
      </div>
    </div>
  );
}

/** `210 cards of 1 hour, from the first login, one device, US$1.00 each.` */
function leadOf(view: ConsoleView, batch: BatchRecord): string {
  const { making } = view.words.cards;
  const { quantity, price } = batch;
  const [first = "", ...more] = givesOf(view, batch);
  const cards = making.cardsOf(view.format.number(quantity), quantity === 1, first);
  const each = batch.kind === "refill" ? [] : [making.each(view.format.sum(price, view.brand.currency))];
  return `${[cards, ...more, ...each].join(", ")}.`;
}

function BatchFacts({ view, batch }: { view: ConsoleView; batch: BatchRecord }) {
  const { batch: say, theIsp, table } = view.words.cards;
  const { format, brand } = view;
  const { resellerPrice, chargeOn, sellBy, useBy, needsSale } = batch;
  const own = format.sum(resellerPrice ?? 0, brand.currency);
  const pays = chargeOn === null ? null : chargeOn === "handover" ? say.atHandover(own) : say.atUse(own);
  return (
    <Facts
      facts={[
        [say.price, format.sum(batch.price, brand.currency)],
        [say.holder, batch.resellerName === null ? theIsp : <bdi>{batch.resellerName}</bdi>],
        [say.pays, pays],
        ...(batch.kind === "access"
          ? [[say.needsSale, needsSale === 1 ? say.opensNothing : say.works] as const]
          : []),
        [say.sellBy, sellBy === null ? null : format.date(sellBy)],
        [say.useBy, useBy === null ? null : format.date(useBy)],
        [say.codes, codesOf(view, batch)],
        [
          say.made,
          table.madeBy(
            format.time(batch.createdAt),
            batch.makerName ?? actorName(view.words, batch.actor ?? ""),
          ),
        ],
        [say.note, batch.note === null ? null : <bdi>{batch.note}</bdi>],
      ]}
    />
  );
}

function codesOf({ words, format }: ConsoleView, { prefix, length, alphabet }: BatchRecord): string {
  const { batch: say } = words.cards;
  if (length === null || alphabet === null) return say.imported;
  const form = alphabet === DIGITS ? say.digits : alphabet.length > 30 ? say.letters : say.symbols;
  return say.codesOf(format.number(prefix.length + length), form);
}

/** One of the standings, with how many there are. */
function Standings({
  view: { words, format },
  batch,
  current,
}: {
  view: ConsoleView;
  batch: BatchRecord;
  current: StockName | undefined;
}) {
  const { batch: say, standings: names } = words.cards;
  const { id, quantity } = batch;
  const href = batchHref(id);
  const all = {
    href: `${href}?standing=all`,
    label: say.all,
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
  return <Segments label={say.cards} tabs={[all, ...tabs]} />;
}

const tones: Readonly<Partial<Record<StandingName, Tone>>> = {
  ...{ active: "good", expired: "warn", void: "bad" },
};

/** Normal is a word; a chip is for what differs. */
function StandingWord({ view, card }: { view: ConsoleView; card: CardRow }) {
  const { standing } = card;
  const name = standingOfCard(card);
  const tone = tones[name];
  const word = view.words.cards.standings[name];
  if (tone !== undefined) return <Chip tone={tone}>{word}</Chip>;
  return standing === "new" || standing === "sold" ? <>{word}</> : <span class="soft-text">{word}</span>;
}

interface RowsProps {
  visit: StaffVisit;
  view: ConsoleView;
  batch: BatchRecord;
  records: readonly CardRow[];
}

function Rows({ visit, view, batch, records }: RowsProps) {
  const { now } = visit;
  const sells = sellsOf(visit.by, batch);
  const { batch: say } = view.words.cards;
  const { format } = view;
  const columns = [
    { title: say.columns.paper },
    { title: say.columns.number },
    { title: say.columns.standing },
    { title: say.columns.sold, low: true },
    { title: say.columns.used },
    { title: say.columns.ends, low: true },
    ...(sells ? [{ title: <span class="unseen">{say.sell}</span> }] : []),
  ];
  const near = (at: Seconds | null) => (at === null ? "" : format.near(at, now));
  return (
    <Table caption={say.cards} columns={columns} kind="short-rows">
      {records.map((card) => (
        <tr>
          <td class="lead">
            <a class="mono" href={cardHref(card.id)}>
              {paperNumber({ id: card.batchId }, card.serial)}
            </a>
          </td>
          <td class="mono">{cardNumber(card.id)}</td>
          <td class="sum">
            <StandingWord view={view} card={card} />
          </td>
          <td class="low">
            {card.soldAt === null ? "" : say.soldBy(near(card.soldAt), card.sellerName ?? "")}
          </td>
          <td>
            {near(card.firstUsedAt)}
            {card.redeemedBy !== null && (
              <>
                {" "}
                <a href={`/console/subscribers/${card.redeemedBy}`}>
                  <bdi>{card.redeemerName}</bdi>
                </a>
              </>
            )}
          </td>
          <td class="low">{near(card.endsAt)}</td>
          {sells && (
            <td class="end row-act">
              {card.standing === "new" && (
                <Button
                  href={`${cardHref(card.id)}/sell`}
                  size="small"
                  label={say.sellThis(paperNumber({ id: card.batchId }, card.serial))}
                  drawer
                >
                  {say.sell}
                </Button>
              )}
            </td>
          )}
        </tr>
      ))}
    </Table>
  );
}

const FILE_ROWS = 500;
const fileColumns = [
  ...["card", "paper", "standing", "price", "sold_at", "sold_by", "receipt", "first_used_at", "ends_at"],
  ...["used_seconds", "used_octets", "mac_address", "redeemed_by", "voided_at", "void_reason"],
];

/** The cards of a batch as a file, without their codes. */
export function batchFile(visit: StaffVisit): Response {
  const { db, by, now, query } = visit;
  const { id } = cardBatchById(db, by, batchIdOf(visit), { now });
  const standing = standingAsked(query);
  const pages = function* () {
    for (let offset = 0; ; offset += FILE_ROWS) {
      const { records } = listCards(
        db,
        by,
        { batchId: id, ...(standing && filterOf(standing)) },
        { limit: FILE_ROWS, offset, now },
      );
      yield records.map(lineOf);
      if (records.length < FILE_ROWS) return;
    }
  };
  return file(`cards-${paperBatch({ id })}`, fileColumns, pages());
}

function lineOf(card: CardRow) {
  const time = (at: Seconds | null) => (at === null ? null : formatTime(at));
  return {
    card: cardNumber(card.id),
    paper: paperNumber({ id: card.batchId }, card.serial),
    standing: card.standing,
    price: card.price / 100,
    sold_at: time(card.soldAt),
    sold_by: card.sellerName,
    receipt: card.receipt,
    first_used_at: time(card.firstUsedAt),
    ends_at: time(card.endsAt),
    used_seconds: card.usedSeconds,
    used_octets: card.usedOctets,
    mac_address: card.lockedMac,
    redeemed_by: card.redeemerName,
    voided_at: time(card.voidedAt),
    void_reason: card.voidReason,
  };
}
