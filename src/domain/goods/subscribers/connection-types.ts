import { DomainError } from "../../core/errors/errors.ts";
import { type Phrase, phrase } from "../../core/errors/phrase.ts";
import { type Field, wholeNumber } from "../../core/fields/fields.ts";

export const RADIUS_PPPOE = 1;
export const RADIUS_HOTSPOT = 2;
/** The router's own users: no RADIUS. */
const ROUTER_PPPOE = 3;
const ROUTER_HOTSPOT = 4;
/** The type without login and session. */
export const STATIC_ADDRESS = 5;

export const connectionType: Field<number> = wholeNumber(RADIUS_PPPOE, STATIC_ADDRESS);

/** The kind of login of a connection type; undefined: it has no RADIUS. */
export function radiusKind(connectionTypeId: number): "ppp" | "hotspot" | undefined {
  if (connectionTypeId === RADIUS_PPPOE) return "ppp";
  return connectionTypeId === RADIUS_HOTSPOT ? "hotspot" : undefined;
}

export function isServedOverRadius(connectionTypeId: number): boolean {
  return radiusKind(connectionTypeId) !== undefined;
}

/** Whether a router has such subscribers as users of its own: only its active list shows them. */
export function isRouterUser(connectionTypeId: number): boolean {
  return connectionTypeId === ROUTER_PPPOE || connectionTypeId === ROUTER_HOTSPOT;
}

export function isHotspot(connectionTypeId: number): boolean {
  return connectionTypeId === RADIUS_HOTSPOT || connectionTypeId === ROUTER_HOTSPOT;
}

/** Throws `refused`; `what` is the subject. */
export function requireRadius(
  { connectionTypeId }: { readonly connectionTypeId: number },
  what: Phrase,
): void {
  if (isServedOverRadius(connectionTypeId)) return;
  throw new DomainError(
    "refused",
    phrase`connection type ${connectionTypeId} is not served over RADIUS; only types ${RADIUS_PPPOE} and ${RADIUS_HOTSPOT} ${what}`,
    { code: "unsupported_connection_type" },
  );
}
