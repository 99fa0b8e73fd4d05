import type { ConsoleRoute } from "../../guard.ts";

export const importPageRoutes: readonly ConsoleRoute[] = [];
