import { printedBatch, type PrintedCard } from "../../../../domain/service/cards/print.ts";
import { cardsOn } from "../../../../domain/service/cards/sheets.ts";
import type { CardBatch } from "../../../../domain/service/cards/standing.ts";
import type { StaffVisit } from "../../guard.ts";
import { makeQrCodes, ticketValues, isTall, type Look, Ticket } from "./ticket.tsx";

export const formatSerial = (serial: number) => String(serial).padStart(3, "0");

interface SheetsProps {
  visit: StaffVisit;
  look: Look;
  batch: CardBatch;
  cards: readonly PrintedCard[];
}

export function Sheets({ visit, look, batch, cards }: SheetsProps) {
  const { sheet } = look;
  const size = cardsOn(sheet);
  const all = Array.from({ length: Math.ceil(cards.length / size) }, (_, at) =>
    cards.slice(at * size, (at + 1) * size),
  );
  const isRoll = sheet === "roll-58" || sheet === "roll-80";
  const tickets = (some: readonly PrintedCard[]) =>
    some.map(({ serial, code }) => <Ticket look={look} serial={serial} code={code} />);
  const rolled = ["ticket-sheet", `on-${sheet}`];
  if (makeQrCodes(look, "").length > 1) rolled.push("with-two");
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
            <div class={`grid-${sheet}`}>{tickets(some)}</div>
            <p>{visit.view.words.cardPrint.foot(printedBatch(batch))}</p>
          </section>
        ),
      )}
    </div>
  );
}

interface HeadProps extends SheetsProps {
  sheet: readonly [at: number, all: number];
}

/** The batch, the cards, and who printed the sheet when. */
function Head({ visit, look, batch, cards, sheet: [at, all] }: HeadProps) {
  const { view, account, now } = visit;
  const { format, words } = view;
  const { head } = words.cardPrint;
  const [first = 1, last = 1] = [cards[0]?.serial, cards.at(-1)?.serial];
  const [what] = ticketValues(look);
  const name = format.name(look.packageName ?? what);
  return (
    <p>
      <span>
        <strong>{head.batch(printedBatch(batch))}</strong>
        {head.cards(name, formatSerial(first), formatSerial(last), String(batch.quantity))}
      </span>
      {batch.sellBy !== null && <span>{head.sellBy(format.date(batch.sellBy))}</span>}
      <span>{head.printed(format.time(now), format.name(account.name))}</span>
      <span>{head.sheet(String(at), String(all))}</span>
    </p>
  );
}
