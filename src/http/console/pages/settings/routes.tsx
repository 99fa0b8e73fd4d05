import { type ConsoleRoute, staffForm, staffPage } from "../../guard.ts";
import { reset, saveSettings, showEffect, showGroup, showSetting } from "./change.tsx";
import { SETTINGS, showSettings } from "./list.tsx";

/** What can change while serving, the brand, and the appliance itself. */
export const settingsPageRoutes: readonly ConsoleRoute[] = [
  staffPage(SETTINGS, showSettings),
  staffPage(`${SETTINGS}/set/:key`, (visit) => showSetting(visit)),
  staffPage(`${SETTINGS}/group/:group`, (visit) => showGroup(visit)),
  staffForm(`${SETTINGS}/save`, saveSettings),
  staffForm(`${SETTINGS}/reset`, reset),
  staffForm(`${SETTINGS}/effect`, showEffect),
];
