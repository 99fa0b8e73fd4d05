import type { Child } from "hono/jsx";
import {
  paperBatch,
  paperNumber,
  printableBatch,
  printCards,
  type PrintedCard,
  reprintCard,
} from "../../../../domain/cards/print.ts";
import { codeInFile, printedCode } from "../../../../domain/cards/codes.ts";
import { cardsOn, mostAtOnce } from "../../../../domain/cards/sheets.ts";
import type { CardBatch } from "../../../../domain/cards/standing.ts";
import { pathId } from "../../../form.ts";
import { file } from "../../../list.ts";
import { Document } from "../../../pages/document.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { page } from "../../answers.tsx";
import { consoleScript, consoleStyle } from "../../assets.ts";
import type { StaffVisit } from "../../guard.ts";
import { CARDS, chosenLook, Lacks } from "./look.tsx";
import { codesOf, given, isTall, type Look, Ticket } from "./ticket.tsx";

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The cards of a range on their sheets, as they are printed; at the most what one page holds, and links to the others. */
export function showSheets(visit: StaffVisit): Response {
  const { db, by, now, query, params, view } = visit;
  const batchId = pathId("batch", params["id"] ?? null);
  const batch = printableBatch(db, by, { batchId });
  const { look } = chosenLook(visit, batch);
  const most = mostAtOnce(look.sheet);
  const from = numberOf(query.get("from"), 1);
  const last = numberOf(query.get("to"), batch.quantity);
  const to = Math.min(last, from + most - 1);
  const { cards, leftOut } = printCards(db, by, { batchId, from, to }, { now });
  const { cardPrint: words } = view.words;
  const [first, end] = [serialOf(from), serialOf(to)];
  const shown = words.rangeOf(first, end, view.format.number(batch.quantity));
  return paper(visit, look, {
    title: words.sheetTitle(paperBatch(batch), first, end),
    back: visit.path,
    tools: <Others visit={visit} batch={batch} range={{ from, to }} most={most} />,
    notes: (
      <>
        <p class="hint">
          {shown}. {leftOut > 0 && words.leftOut(leftOut)} {words.hintScale}
        </p>
        <Lacks visit={visit} look={look} />
      </>
    ),
    sheets:
      cards.length === 0 ? (
        <Empty icon="card" title={words.none} text={words.noneText} />
      ) : (
        <Sheets visit={visit} look={look} batch={batch} cards={cards} />
      ),
  });
}

/** One card again, which was lost: on paper as all others, at the first place of its sheet. */
export function printAgain(visit: StaffVisit): Response {
  const { db, by, now, params, view } = visit;
  const { batch, card } = reprintCard(db, by, { id: pathId("card", params["id"] ?? null) }, { now });
  const { look } = chosenLook(visit, batch);
  const { cardPrint: words } = view.words;
  return paper(visit, look, {
    title: words.again(card.number),
    back: `${CARDS}/${card.id}`,
    notes: (
      <>
        <p class="hint">{words.hintScale}</p>
        <Lacks visit={visit} look={look} />
      </>
    ),
    sheets: <Sheets visit={visit} look={look} batch={batch} cards={[card]} />,
  });
}

/** The codes of a batch as a file, for a printer that has its own way; void cards are not in it. */
export function codesFile({ db, by, now, params }: StaffVisit): Response {
  const batchId = pathId("batch", params["id"] ?? null);
  const { quantity } = printableBatch(db, by, { batchId });
  const { batch, cards } = printCards(db, by, { batchId, from: 1, to: quantity, as: "file" }, { now });
  const rows = cards.map(({ number, serial, code, state }) => ({
    number,
    on_paper: paperNumber(batch, serial),
    code: codeInFile(code),
    printed_code: printedCode(code),
    state,
  }));
  const names = ["number", "on_paper", "code", "printed_code", "state"];
  const response = file(`cards-${paperBatch(batch)}`, names, [rows].values());
  response.headers.set("cache-control", "no-store");
  response.headers.set("referrer-policy", "no-referrer");
  return response;
}

function numberOf(text: string | null, otherwise: number): number {
  return text === null || text.trim() === "" ? otherwise : Number(text);
}

const serialOf = (serial: number) => String(serial).padStart(3, "0");

interface Printed {
  readonly title: string;
  readonly back: string;
  readonly tools?: Child;
  readonly notes: Child;
  readonly sheets: Child;
}

function paper(visit: StaffVisit, { brand }: Look, { title, back, tools, notes, sheets }: Printed): Response {
  const { view, query } = visit;
  const { cardPrint: words } = view.words;
  return page(
    visit,
    <Document
      lang={view.words.tag}
      dir={view.words.dir}
      brand={brand}
      title={title}
      kind="printed"
      styles={[consoleStyle.path]}
      scripts={[consoleScript.path]}
      root={query.get("print") === "1" ? { "data-print-now": "yes" } : {}}
    >
      <nav class="paper-tools no-print">
        <Button href={back} icon="back">
          {words.back}
        </Button>
        {tools}
        <button type="button" class="button solid" hidden data-print>
          {words.print}
        </button>
      </nav>
      <main>
        <h1 class="unseen">{title}</h1>
        <div class="ticket-notes no-print">{notes}</div>
        {sheets}
      </main>
    </Document>,
  );
}

interface OthersProps {
  visit: StaffVisit;
  batch: CardBatch;
  range: Range;
  most: number;
}

/** The ranges before and after, as long as a page holds. */
function Others({ visit: { path, query, view }, batch, range: { from, to }, most }: OthersProps) {
  const { cardPrint: words } = view.words;
  const href = (first: number) => {
    const asked = new URLSearchParams(query);
    asked.set("from", String(first));
    asked.set("to", String(Math.min(batch.quantity, first + most - 1)));
    return `${path}?${asked}`;
  };
  return (
    <>
      {from > 1 && <Button href={href(Math.max(1, from - most))}>{words.previous}</Button>}
      {to < batch.quantity && <Button href={href(to + 1)}>{words.next}</Button>}
    </>
  );
}

interface SheetsProps {
  visit: StaffVisit;
  look: Look;
  batch: CardBatch;
  cards: readonly PrintedCard[];
}

function Sheets({ visit, look, batch, cards }: SheetsProps) {
  const { sheet } = look;
  const size = cardsOn(sheet);
  const all = Array.from({ length: Math.ceil(cards.length / size) }, (_, at) =>
    cards.slice(at * size, (at + 1) * size),
  );
  const isRoll = sheet === "roll-58" || sheet === "roll-80";
  const tickets = (some: readonly PrintedCard[]) =>
    some.map(({ serial, code }) => <Ticket look={look} serial={serial} code={code} />);
  const rolled = ["ticket-sheet", `on-${sheet}`];
  if (codesOf(look, "").length > 1) rolled.push("with-two");
  if (isTall(look, cards[0]?.code ?? "")) rolled.push("tall");
  const roll = rolled.join(" ");
  return (
    <div class="ticket-sheets" tabindex={0} role="group" aria-label={visit.view.words.cardPrint.sheet}>
      {all.map((some, at) =>
        isRoll ? (
          <section class={roll}>{tickets(some)}</section>
        ) : (
          <section class="ticket-sheet on-a4">
            <Head visit={visit} look={look} batch={batch} cards={some} sheet={[at + 1, all.length]} />
            <div class={`ticket-grid grid-${sheet}`}>{tickets(some)}</div>
            <p class="ticket-under">{visit.view.words.cardPrint.foot(paperBatch(batch))}</p>
          </section>
        ),
      )}
    </div>
  );
}

interface HeadProps extends SheetsProps {
  sheet: readonly [at: number, all: number];
}

/** Of what batch a sheet is, which cards are on it, and who printed it when. */
function Head({ visit, look, batch, cards, sheet: [at, all] }: HeadProps) {
  const { view, account, now } = visit;
  const { format, words } = view;
  const { head } = words.cardPrint;
  const [first = 1, last = 1] = [cards[0]?.serial, cards.at(-1)?.serial];
  const [what] = given(look);
  const name = format.name(look.packageName ?? what);
  return (
    <p class="ticket-head">
      <span>
        <strong>{head.batch(paperBatch(batch))}</strong>
        {head.cards(name, serialOf(first), serialOf(last), String(batch.quantity))}
      </span>
      {batch.sellBy !== null && <span>{head.sellBy(format.date(batch.sellBy))}</span>}
      <span>{head.printed(format.time(now), format.name(account.name))}</span>
      <span>{head.sheet(String(at), String(all))}</span>
    </p>
  );
}
