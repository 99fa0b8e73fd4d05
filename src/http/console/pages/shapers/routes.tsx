import { type ConsoleRoute, staffPage } from "../../guard.ts";
import { SHAPERS } from "../../parts/hrefs.ts";
import { devicesFile, networkFile, shaperConfirmations } from "./actions.tsx";
import { shaperForms } from "./form.tsx";
import { showShapers } from "./list.tsx";
import { showShaper } from "./shaper.tsx";

const SHAPER = `${SHAPERS}/:id`;

/** Shapers that are told of sessions. */
export const shaperPageRoutes: readonly ConsoleRoute[] = [
  staffPage(SHAPERS, showShapers),
  ...shaperForms,
  staffPage(SHAPER, showShaper),
  ...shaperConfirmations,
  staffPage(`${SHAPER}/ShapedDevices.csv`, devicesFile),
  staffPage(`${SHAPER}/network.json`, networkFile),
];
