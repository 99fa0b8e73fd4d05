import type { ConsoleRoute } from "../../guard.ts";

export const reportsPageRoutes: readonly ConsoleRoute[] = [];
