import { type ConsoleRoute, staffForm, staffPage } from "../../guard.ts";
import { addPool, newPool, removePool, savePool, showPool } from "./form.tsx";
import { showPools } from "./list.tsx";
import { POOLS } from "./shown.ts";

const ONE = `${POOLS}/:id`;

/** Addresses that subscribers have for good: how many are in use, and whose. */
export const poolRoutes: readonly ConsoleRoute[] = [
  staffPage(POOLS, showPools),
  staffPage(`${POOLS}/new`, (visit) => newPool(visit)),
  staffForm(`${POOLS}/new`, addPool),
  staffPage(ONE, (visit) => showPool(visit)),
  staffForm(`${ONE}/edit`, savePool),
  staffForm(`${ONE}/delete`, removePool),
];
