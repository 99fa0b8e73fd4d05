import { type ConsoleRoute, staffPage } from "../../guard.ts";
import { boxForm, showServer } from "./add.tsx";
import { boxRemoval, showBox } from "./box.tsx";
import { showBoxes } from "./list.tsx";
import { ACCESS_BOXES } from "../../parts/hrefs.ts";

export const accessBoxPageRoutes: readonly ConsoleRoute[] = [
  staffPage(ACCESS_BOXES, showBoxes),
  ...boxForm,
  staffPage(`${ACCESS_BOXES}/server`, showServer),
  staffPage(`${ACCESS_BOXES}/:id`, showBox),
  ...boxRemoval,
];
