import type { ConsoleRoute } from "../../guard.ts";

export const teamPageRoutes: readonly ConsoleRoute[] = [];
