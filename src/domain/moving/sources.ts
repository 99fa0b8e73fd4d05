import type { ReadSource } from "./source.ts";
import { readCsv } from "./sources/csv/read.ts";
import { readRouterOs } from "./sources/routeros/routeros.ts";

/** A kind of system that somebody may come from. */
export interface SourceKind {
  /** What people call it. */
  readonly title: string;
  /** Which files it gives. */
  readonly files: string;
  readonly read: ReadSource;
}

/** Every one, by the name that commands take. */
export const sources: Readonly<Record<string, SourceKind>> = {
  csv: {
    title: "a spreadsheet, Zal Pro, Splynx: CSV or TSV",
    files: "tables with a row of headers: subscribers, and beside them packages, routers, customers",
    read: readCsv,
  },
  routeros: {
    title: "MikroTik RouterOS: PPP secrets, hotspot users, User Manager 7",
    files: "/export show-sensitive, and /rest/user-manager/user-profile as JSON",
    read: readRouterOs,
  },
};
