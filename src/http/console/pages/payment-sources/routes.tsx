import { type ConsoleRoute, staffForm, staffPage } from "../../guard.ts";
import { askDisabling, askRemoval, disable, enable, remove } from "./actions.tsx";
import { create, editSource, newSource, save } from "./form.tsx";
import { choosePreset, showSources } from "./list.tsx";
import { askRotation, rotate } from "./secret.tsx";
import { SOURCES } from "./shown.ts";
import { showSource } from "./source.tsx";

const SOURCE = `${SOURCES}/:id`;

/** Who tells of payments. */
export const paymentSourcePageRoutes: readonly ConsoleRoute[] = [
  staffPage(SOURCES, showSources),
  staffPage(`${SOURCES}/new`, choosePreset),
  staffPage(`${SOURCES}/new/:preset`, newSource),
  staffForm(`${SOURCES}/new/:preset`, create),
  staffPage(SOURCE, showSource),
  staffPage(`${SOURCE}/edit`, editSource),
  staffForm(`${SOURCE}/edit`, save),
  staffPage(`${SOURCE}/rotate`, askRotation),
  staffForm(`${SOURCE}/rotate`, rotate),
  staffForm(`${SOURCE}/enable`, enable),
  staffPage(`${SOURCE}/disable`, askDisabling),
  staffForm(`${SOURCE}/disable`, disable),
  staffPage(`${SOURCE}/delete`, askRemoval),
  staffForm(`${SOURCE}/delete`, remove),
];
