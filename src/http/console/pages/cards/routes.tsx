import { type ConsoleRoute, staffForm, staffPage, type StaffVisit } from "../../guard.ts";
import { batchFile, showBatch } from "./batch.tsx";
import { batchVoid } from "./batch-void.tsx";
import { cardVoid, unlock } from "./card-actions.tsx";
import { showCard } from "./card.tsx";
import { find } from "./find.tsx";
import { showBatches } from "./list.tsx";
import { create, NEW, newBatchPage, summaryPart } from "./new.tsx";
import { BATCHES, CARDS, cardHref } from "../../parts/hrefs.ts";
import { cardPrintRoutes } from "./print-routes.tsx";
import { askSell, sell } from "./sell.tsx";
import { askStrip, sellStrip, tellStrip } from "./strip.tsx";
import { stripReceipt } from "./strip-receipt.tsx";
import { cardNumber } from "../../../../domain/goods/codes/codes.ts";
import { cardSessions } from "../../../../domain/service/cards/lately.ts";
import { cardById } from "../../../../domain/service/cards/list.ts";
import { page } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import { pageIn, ROWS } from "../../parts/pager.tsx";
import { Sessions } from "./card-lists.tsx";
import { readCardId } from "./paths.ts";

const BATCH = `${BATCHES}/:id`;
const CARD = `${CARDS}/:id`;

export const cardsPageRoutes: readonly ConsoleRoute[] = [
  staffPage(CARDS, showBatches),
  staffForm(`${CARDS}/find`, find),
  staffPage(NEW, newBatchPage),
  staffForm(NEW, create),
  staffForm(`${CARDS}/told`, summaryPart),
  staffPage(BATCH, showBatch),
  staffPage(`${BATCH}/cards.csv`, batchFile),
  staffPage(`${BATCH}/sell`, askStrip),
  staffForm(`${BATCH}/sell`, sellStrip),
  staffForm(`${BATCH}/sell/told`, tellStrip),
  staffPage(`${BATCH}/receipt`, stripReceipt),
  ...batchVoid,
  staffPage(CARD, showCard),
  staffPage(`${CARD}/sessions`, showCardSessions),
  staffPage(`${CARD}/sell`, askSell),
  staffForm(`${CARD}/sell`, sell),
  staffForm(`${CARD}/unlock`, unlock),
  ...cardVoid,
  ...cardPrintRoutes,
];

function showCardSessions(visit: StaffVisit): Response {
  const { db, by, now, query, view } = visit;
  const card = cardById(db, by, readCardId(visit), { now });
  const { id, sessions: total } = card;
  const offset = (pageIn(query, { total, limit: ROWS }) - 1) * ROWS;
  const sessions = cardSessions(db, by, card, { limit: ROWS, offset });
  const { card: phrases } = view.words.cards;
  const title = phrases.sessionsTitle(cardNumber(id));
  return page(
    visit,
    <Frame visit={visit} title={title} place="cards" back={{ href: cardHref(id), label: phrases.showCard }}>
      <div class="page-head">
        <h1>{title}</h1>
      </div>
      <div class={sessions.length === 0 ? "card" : "stack"}>
        <Sessions visit={{ ...visit, view }} rows={sessions} total={total} limit={ROWS} />
      </div>
    </Frame>,
  );
}
