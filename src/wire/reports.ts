import { cardReports } from "./card-reports.ts";
import { lineReports } from "./line-reports.ts";
import { moneyReports } from "./money-reports.ts";
import type { Report } from "./report.ts";

export const reports: readonly Report[] = [...moneyReports, ...cardReports, ...lineReports];
