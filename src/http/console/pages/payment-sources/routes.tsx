import { type ConsoleRoute, staffPage } from "../../guard.ts";
import { sourceConfirmations } from "./actions.tsx";
import { sourceForms } from "./form.tsx";
import { choosePreset, showSources } from "./list.tsx";
import { sourceRotation } from "./secret.tsx";
import { SOURCES } from "./words.ts";
import { showSource } from "./source.tsx";

const SOURCE = `${SOURCES}/:id`;

export const paymentSourcePageRoutes: readonly ConsoleRoute[] = [
  staffPage(SOURCES, showSources),
  staffPage(`${SOURCES}/new`, choosePreset),
  ...sourceForms,
  staffPage(SOURCE, showSource),
  ...sourceRotation,
  ...sourceConfirmations,
];
