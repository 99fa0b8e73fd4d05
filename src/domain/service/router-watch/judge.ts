import type { Found, WatchKind } from "./found.ts";
import type { Known } from "./known.ts";
import { type Reading } from "./reading.ts";
import { routesInSoftware, tracks, tracksLines } from "./rows/forwarding.ts";
import { givesNoIpv6, keepsRates, shutsGarden } from "./rows/garden.ts";
import { countsIpv6, hotspotsAsk, linesAsk, reportsBetween, seesGone } from "./rows/lines.ts";
import { givesOneRate, keepsChoice } from "./rows/dual-stack.ts";
import { bypasses, hotspotNames, managerNames, pppNames } from "./rows/names.ts";
import { asks, hasOurSecret, letsIn, listens } from "./rows/radius.ts";
import type { Row } from "./rows/row.ts";
import { apiIsShut, isKept, isTrusted, isUpToDate, knowsTime, mayRunHotspots } from "./rows/system.ts";

/** All checks in display order. */
const rows: readonly Row[] = [
  ...[asks, hasOurSecret, linesAsk, hotspotsAsk, listens, letsIn, reportsBetween],
  ...[keepsRates, shutsGarden, givesNoIpv6, givesOneRate, keepsChoice, routesInSoftware, tracks, tracksLines],
  ...[pppNames, hotspotNames, managerNames, bypasses],
  ...[countsIpv6, seesGone, mayRunHotspots, isTrusted, knowsTime, isUpToDate, isKept, apiIsShut],
];

export interface Judged {
  readonly found: readonly Found[];
  /** Kinds that could not be checked, and why. */
  readonly unlooked: ReadonlyMap<WatchKind, string>;
}

export function judge(reading: Reading, known: Known): Judged {
  const found: Found[] = [];
  const unlooked = new Map<WatchKind, string>();
  for (const row of rows) {
    const reason = missing(row, reading, known);
    if (reason === undefined) found.push(...row.find(reading, known));
    else for (const kind of row.kinds) unlooked.set(kind, reason);
  }
  return { found, unlooked };
}

function missing({ needs, isFromSetup }: Row, { unread }: Reading, { made }: Known): string | undefined {
  const menu = needs.find((one) => unread.has(one));
  if (menu !== undefined) return unread.get(menu);
  return isFromSetup && "refusal" in made ? made.refusal : undefined;
}
