import { cardPrintRoutes } from "./print-routes.tsx";
import type { ConsoleRoute } from "../../guard.ts";

/** Batches of prepaid codes, their cards, and what becomes of them. */
export const cardsPageRoutes: readonly ConsoleRoute[] = [...cardPrintRoutes];
