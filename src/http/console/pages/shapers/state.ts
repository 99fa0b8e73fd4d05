import { type Feed, feedById } from "../../../../domain/around/feeds/feeds.ts";
import { pathId } from "../../../form.ts";
import type { StaffVisit } from "../../guard.ts";

/** The shaper of the address. Throws `not_found`. */
export function readFeed({ db, by, params }: StaffVisit): Feed {
  return feedById(db, by, { id: pathId("shaper", params["id"] ?? null) });
}

/** Seconds after its making within which nobody wonders that it was not told yet. */
const NEW = 60;

export type Standing = "off" | "new" | "untold" | "silent" | "behind" | "good";

/** How a shaper is told, as the server noted it last. */
export function feedStanding(
  { disabledAt, silentSince, behindSince, answeredAt, createdAt }: Feed,
  now: number,
): Standing {
  if (disabledAt !== null) return "off";
  if (silentSince !== null) return "silent";
  if (behindSince !== null) return "behind";
  if (answeredAt !== null) return "good";
  return now - createdAt < NEW ? "new" : "untold";
}

/** Address and port at which a shaper listens, as they are typed elsewhere. */
export const feedPlace = ({ address, port }: Pick<Feed, "address" | "port">) =>
  address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
