import { type ConsoleRoute, staffForm, staffPage } from "../../guard.ts";
import { LANGUAGES } from "../../parts/hrefs.ts";
import { markLanguage, readAnew, showLanguages } from "./languages.tsx";

export const languagesPageRoutes: readonly ConsoleRoute[] = [
  staffPage(LANGUAGES, showLanguages),
  staffForm(`${LANGUAGES}/reads`, markLanguage),
  staffForm(`${LANGUAGES}/read`, readAnew),
];
