import { type ConsoleRoute, staffForm, staffPage } from "../../guard.ts";
import { poolForms, removePool } from "./form.tsx";
import { showPools } from "./list.tsx";
import { poolHref } from "./words.ts";
import { POOLS } from "../../parts/hrefs.ts";

export const poolRoutes: readonly ConsoleRoute[] = [
  staffPage(POOLS, showPools),
  ...poolForms,
  staffForm(poolHref(":id", "/delete"), removePool),
];
