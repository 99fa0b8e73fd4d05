import type { ReadSource } from "./source.ts";
import { readCsv } from "./sources/csv/read.ts";
import { readFreeRadius } from "./sources/freeradius/freeradius.ts";
import { readPhpNuxBill } from "./sources/phpnuxbill/phpnuxbill.ts";
import { readRadiusDesk } from "./sources/radiusdesk/radiusdesk.ts";
import { readRouterOs } from "./sources/routeros/routeros.ts";

export interface SourceKind {
  readonly title: string;
  readonly files: string;
  readonly read: ReadSource;
}

export const sources: Readonly<Record<string, SourceKind>> = {
  csv: {
    title: "a spreadsheet, Zal Pro, Splynx: CSV or TSV",
    files: "tables with a row of headers: subscribers, and beside them packages, routers, customers",
    read: readCsv,
  },
  freeradius: {
    title: "FreeRADIUS with SQL, and daloRADIUS",
    files: "a dump by mariadb-dump, mysqldump or pg_dump, packed or not",
    read: readFreeRadius,
  },
  phpnuxbill: {
    title: "phpnuxbill",
    files: "a dump by mariadb-dump or mysqldump, packed or not",
    read: readPhpNuxBill,
  },
  routeros: {
    title: "MikroTik RouterOS: PPP secrets, hotspot users, User Manager 7",
    files: "/export show-sensitive, and /rest/user-manager/user-profile as JSON",
    read: readRouterOs,
  },
  radiusdesk: {
    title: "RADIUSdesk",
    files: "a dump of its database rd by mariadb-dump or mysqldump, packed or not",
    read: readRadiusDesk,
  },
};

const otherNames: Readonly<Record<string, string>> = {
  daloradius: "freeradius",
  splynx: "csv",
  zalpro: "csv",
};

/** A source by its name, as it is stored; undefined: none. */
export function sourceNamed(
  value: string,
): { readonly source: string; readonly kind: SourceKind } | undefined {
  const lower = value.toLowerCase();
  const source = (Object.hasOwn(otherNames, lower) ? otherNames[lower] : undefined) ?? lower;
  const kind = Object.hasOwn(sources, source) ? sources[source] : undefined;
  return kind && { source, kind };
}
