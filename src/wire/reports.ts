import { cardReports } from "./card-reports.ts";
import { lineReports } from "./line-reports.ts";
import { moneyReports } from "./money-reports.ts";
import type { Report } from "./report.ts";

/** Every report, in the order of the documentation. */
export const reports: readonly Report[] = [...moneyReports, ...cardReports, ...lineReports];
