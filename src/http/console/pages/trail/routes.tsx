import type { ConsoleRoute } from "../../guard.ts";

export const trailPageRoutes: readonly ConsoleRoute[] = [];
