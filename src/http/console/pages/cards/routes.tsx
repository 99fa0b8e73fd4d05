import { type ConsoleRoute, staffForm, staffPage } from "../../guard.ts";
import { find } from "./find.tsx";
import { showBatches } from "./list.tsx";
import { CARDS } from "./paths.ts";
import { cardPrintRoutes } from "./print-routes.tsx";

/** Batches of prepaid codes, their cards, and what becomes of them. */
export const cardsPageRoutes: readonly ConsoleRoute[] = [
  staffPage(CARDS, showBatches),
  staffForm(`${CARDS}/find`, find),
  ...cardPrintRoutes,
];
