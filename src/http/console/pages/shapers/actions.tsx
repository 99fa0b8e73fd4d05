import { deleteFeed, type Feed, setFeedEnabled } from "../../../../domain/around/feeds/feeds.ts";
import { shaperFiles } from "../../../../domain/around/feeds/files.ts";
import type { StaffVisit } from "../../guard.ts";
import { SHAPERS } from "../../parts/hrefs.ts";
import { removal, switching } from "../../parts/plain.tsx";
import { readFeed } from "./state.ts";

const shaper = {
  path: SHAPERS,
  of: readFeed,
  name: ({ name }: Feed) => name,
  words: ({ shapers }: StaffVisit["view"]["words"]) => ({ ...shapers, enabledText: shapers.madeText }),
};

export const shaperConfirmations = [
  ...switching(shaper, { permit: "setFeedEnabled", run: setFeedEnabled }),
  ...removal(shaper, { permit: "deleteFeed", run: deleteFeed }),
];

/** The lines of the shaper's ISP, with names of people only where they are asked for. */
export function devicesFile(visit: StaffVisit): Response {
  const withNames = visit.query.get("names") === "1";
  return file("ShapedDevices.csv", "text/csv", makeFiles(visit, withNames).devices);
}

/** The boxes in the street whose capacity is known. */
export function networkFile(visit: StaffVisit): Response {
  return file("network.json", "application/json", makeFiles(visit).network);
}

function makeFiles(visit: StaffVisit, withNames = false) {
  const { ispId } = readFeed(visit);
  return shaperFiles(visit.db, visit.by, { ispId, withNames }, { now: visit.now });
}

/** A file under the name by which LibreQoS looks for it. */
const file = (name: string, type: string, body: string) =>
  new Response(body, {
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store",
    },
  });
