import { type ConsoleRoute, staffForm, staffPage } from "../../guard.ts";
import { poolForms, removePool } from "./form.tsx";
import { showPools } from "./list.tsx";
import { hrefOf } from "./words.ts";
import { POOLS } from "../../parts/hrefs.ts";

/** Addresses that subscribers have for good: how many are in use, and whose. */
export const poolRoutes: readonly ConsoleRoute[] = [
  staffPage(POOLS, showPools),
  ...poolForms,
  staffForm(hrefOf(":id", "/delete"), removePool),
];
