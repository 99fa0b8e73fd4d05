import { removeLogo, saveBranding, showBranding, showContrast, takeLogo } from "./branding.tsx";
import { type ConsoleRoute, staffForm, staffPage } from "../../guard.ts";
import { reset, saveSettings, showEffect, showGroup, showSetting } from "./change.tsx";
import { showSettings } from "./list.tsx";
import { SETTINGS } from "../../parts/hrefs.ts";
import { BRANDING, showColors, showPreview, showStyle } from "./preview.tsx";

export const settingsPageRoutes: readonly ConsoleRoute[] = [
  staffPage(SETTINGS, showSettings),
  staffPage(`${SETTINGS}/set/:key`, (visit) => showSetting(visit)),
  staffPage(`${SETTINGS}/group/:group`, (visit) => showGroup(visit)),
  staffForm(`${SETTINGS}/save`, saveSettings),
  staffForm(`${SETTINGS}/reset`, reset),
  staffForm(`${SETTINGS}/effect`, showEffect),
  staffPage(BRANDING, (visit) => showBranding(visit)),
  staffForm(BRANDING, saveBranding),
  staffPage(`${BRANDING}/preview`, showPreview),
  staffPage(`${BRANDING}/portal.css`, showStyle),
  staffPage(`${BRANDING}/colors.css`, showColors),
  staffPage(`${BRANDING}/contrast`, showContrast),
  staffForm(`${BRANDING}/logo`, takeLogo),
  staffForm(`${BRANDING}/logo/remove`, removeLogo),
];
