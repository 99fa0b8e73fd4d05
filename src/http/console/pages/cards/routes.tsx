import { type ConsoleRoute, staffForm, staffPage } from "../../guard.ts";
import { batchFile, showBatch } from "./batch.tsx";
import { askVoidBatch, voidBatch } from "./batch-void.tsx";
import { askVoid, makeVoid, unlock } from "./card-actions.tsx";
import { showCard } from "./card.tsx";
import { find } from "./find.tsx";
import { showBatches } from "./list.tsx";
import { create, NEW, newBatchPage, told } from "./new.tsx";
import { BATCHES, CARDS } from "./paths.ts";
import { cardPrintRoutes } from "./print-routes.tsx";
import { askSell, sell } from "./sell.tsx";
import { showCardSessions } from "./sessions.tsx";
import { askStrip, sellStrip, tellStrip } from "./strip.tsx";
import { stripReceipt } from "./strip-receipt.tsx";

const BATCH = `${BATCHES}/:id`;
const CARD = `${CARDS}/:id`;

/** Batches of prepaid codes, their cards, and what becomes of them. */
export const cardsPageRoutes: readonly ConsoleRoute[] = [
  staffPage(CARDS, showBatches),
  staffForm(`${CARDS}/find`, find),
  staffPage(NEW, newBatchPage),
  staffForm(NEW, create),
  staffForm(`${CARDS}/told`, told),
  staffPage(BATCH, showBatch),
  staffPage(`${BATCH}/cards.csv`, batchFile),
  staffPage(`${BATCH}/sell`, askStrip),
  staffForm(`${BATCH}/sell`, sellStrip),
  staffForm(`${BATCH}/sell/told`, tellStrip),
  staffPage(`${BATCH}/receipt`, stripReceipt),
  staffPage(`${BATCH}/void`, askVoidBatch),
  staffForm(`${BATCH}/void`, voidBatch),
  staffPage(CARD, showCard),
  staffPage(`${CARD}/sessions`, showCardSessions),
  staffPage(`${CARD}/sell`, askSell),
  staffForm(`${CARD}/sell`, sell),
  staffForm(`${CARD}/unlock`, unlock),
  staffPage(`${CARD}/void`, askVoid),
  staffForm(`${CARD}/void`, makeVoid),
  ...cardPrintRoutes,
];
