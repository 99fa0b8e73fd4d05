import { type ConsoleRoute, staffForm, staffPage } from "../../guard.ts";
import { batchFile, showBatch } from "./batch.tsx";
import { batchVoid } from "./batch-void.tsx";
import { cardVoid, unlock } from "./card-actions.tsx";
import { showCard } from "./card.tsx";
import { find } from "./find.tsx";
import { showBatches } from "./list.tsx";
import { create, NEW, newBatchPage, summaryPart } from "./new.tsx";
import { BATCHES, CARDS } from "../../parts/hrefs.ts";
import { cardPrintRoutes } from "./print-routes.tsx";
import { askSell, sell } from "./sell.tsx";
import { showCardSessions } from "./sessions.tsx";
import { askStrip, sellStrip, tellStrip } from "./strip.tsx";
import { stripReceipt } from "./strip-receipt.tsx";

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
