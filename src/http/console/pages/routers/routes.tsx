import type { ConsoleRoute } from "../../guard.ts";

export const routersPageRoutes: readonly ConsoleRoute[] = [];
