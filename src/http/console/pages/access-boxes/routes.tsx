import { type ConsoleRoute, staffForm, staffPage } from "../../guard.ts";
import { create, newBox, showServer } from "./add.tsx";
import { askRemoval, remove, showBox } from "./box.tsx";
import { showBoxes } from "./list.tsx";
import { ACCESS_BOXES } from "./shown.ts";

/** The machines that answer routers for these books. */
export const accessBoxPageRoutes: readonly ConsoleRoute[] = [
  staffPage(ACCESS_BOXES, showBoxes),
  staffPage(`${ACCESS_BOXES}/new`, newBox),
  staffForm(`${ACCESS_BOXES}/new`, create),
  staffPage(`${ACCESS_BOXES}/server`, showServer),
  staffPage(`${ACCESS_BOXES}/:id`, showBox),
  staffPage(`${ACCESS_BOXES}/:id/remove`, askRemoval),
  staffForm(`${ACCESS_BOXES}/:id/remove`, remove),
];
