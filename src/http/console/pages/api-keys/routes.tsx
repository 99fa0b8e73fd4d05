import { type ConsoleRoute, staffPage } from "../../guard.ts";
import { KEYS } from "../../parts/hrefs.ts";
import { keyForms } from "./form.tsx";
import { showKey } from "./key.tsx";
import { showKeys } from "./list.tsx";

/** Keys of programs. */
export const keyPageRoutes: readonly ConsoleRoute[] = [
  staffPage(KEYS, showKeys),
  ...keyForms,
  staffPage(`${KEYS}/:id`, showKey),
];
