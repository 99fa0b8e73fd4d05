import { type Incoming, incomingById } from "../../../../domain/desk/incoming/list.ts";
import { pathId } from "../../../form.ts";
import type { StaffVisit } from "../../guard.ts";

/** Throws `not_found`. */
export function readIncoming({ db, by, params }: StaffVisit): Incoming {
  return incomingById(db, by, { id: pathId("payment that arrived", params["id"] ?? null) });
}

export const isOpen = ({ state, endedAt }: Incoming) =>
  endedAt === null && (state === "unmatched" || state === "told");
