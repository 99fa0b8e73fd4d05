import type { ConsoleRoute } from "../../guard.ts";

export const settingsPageRoutes: readonly ConsoleRoute[] = [];
