import { type ConsoleRoute, staffForm, staffPage } from "../../guard.ts";
import { askAssignment, askDismissal, assign, dismiss } from "./assign.tsx";
import { bankPageRoutes } from "./bank/routes.tsx";
import { GUESSED } from "./bank/addresses.ts";
import { askGuessed, bookGuessed } from "./guessed.tsx";
import { showArrived } from "./list.tsx";
import { showIncoming } from "./one.tsx";
import { showRaw } from "./raw.tsx";
import { ARRIVED } from "./shown.ts";

/** Money that arrived by itself, and whose it is. */
export const arrivedPageRoutes: readonly ConsoleRoute[] = [
  staffPage(ARRIVED, showArrived),
  ...bankPageRoutes,
  staffPage(GUESSED, (visit) => askGuessed(visit)),
  staffForm(GUESSED, bookGuessed),
  staffPage(`${ARRIVED}/:id`, showIncoming),
  staffPage(`${ARRIVED}/:id/assign`, askAssignment),
  staffForm(`${ARRIVED}/:id/assign`, assign),
  staffPage(`${ARRIVED}/:id/dismiss`, askDismissal),
  staffForm(`${ARRIVED}/:id/dismiss`, dismiss),
  staffForm(`${ARRIVED}/:id/raw`, showRaw),
];
