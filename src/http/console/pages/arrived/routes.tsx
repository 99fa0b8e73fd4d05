import { type ConsoleRoute, staffForm, staffPage } from "../../guard.ts";
import { assignment, dismissal } from "./assign.tsx";
import { bankPageRoutes } from "./bank/routes.tsx";
import { GUESSED } from "./bank/addresses.ts";
import { askGuessed, bookGuessed } from "./guessed.tsx";
import { showArrived } from "./list.tsx";
import { showIncoming } from "./one.tsx";
import { showRaw } from "./raw.tsx";
import { ARRIVED } from "../../parts/hrefs.ts";

export const arrivedPageRoutes: readonly ConsoleRoute[] = [
  staffPage(ARRIVED, showArrived),
  ...bankPageRoutes,
  staffPage(GUESSED, (visit) => askGuessed(visit)),
  staffForm(GUESSED, bookGuessed),
  staffPage(`${ARRIVED}/:id`, showIncoming),
  ...assignment,
  ...dismissal,
  staffForm(`${ARRIVED}/:id/raw`, showRaw),
];
