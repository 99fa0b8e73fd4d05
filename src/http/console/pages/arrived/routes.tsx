import { type ConsoleRoute, staffForm, staffPage } from "../../guard.ts";
import { askAssignment, askDismissal, assign, dismiss } from "./assign.tsx";
import { showArrived } from "./list.tsx";
import { showIncoming } from "./one.tsx";
import { ARRIVED } from "./shown.ts";

/** Money that arrived by itself, and whose it is. */
export const arrivedPageRoutes: readonly ConsoleRoute[] = [
  staffPage(ARRIVED, showArrived),
  staffPage(`${ARRIVED}/:id`, showIncoming),
  staffPage(`${ARRIVED}/:id/assign`, askAssignment),
  staffForm(`${ARRIVED}/:id/assign`, assign),
  staffPage(`${ARRIVED}/:id/dismiss`, askDismissal),
  staffForm(`${ARRIVED}/:id/dismiss`, dismiss),
];
