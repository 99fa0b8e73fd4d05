import type { ConsoleRoute } from "../../guard.ts";

export const backupsPageRoutes: readonly ConsoleRoute[] = [];
