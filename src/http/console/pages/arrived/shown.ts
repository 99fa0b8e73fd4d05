import { type Incoming, incomingOfId } from "../../../../domain/desk/incoming/list.ts";
import { pathId } from "../../../form.ts";
import type { StaffVisit } from "../../guard.ts";
import type { ConsoleView } from "../../view.ts";

export const ARRIVED = "/console/money/arrived";

export const arrivedHref = ({ id }: Pick<Incoming, "id">) => `${ARRIVED}/${id}`;

/** The payment of the address. Throws `not_found`. */
export function incomingOf({ db, by, params }: StaffVisit): Incoming {
  return incomingOfId(db, by, { id: pathId("payment that arrived", params["id"] ?? null) });
}

/** It waits for somebody. */
export const isOpen = ({ state, endedAt }: Incoming) =>
  endedAt === null && (state === "unmatched" || state === "told");

/** The sum with its currency; what could not be read has none. */
export function sumWords({ format, words }: ConsoleView, { amount, currency }: Incoming): string {
  if (amount === 0) return words.arrived.noAmount;
  return currency === "" ? format.amount(amount) : format.sum(amount, currency);
}
