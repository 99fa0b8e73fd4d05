import { pathId } from "../../../form.ts";
import { type Endpoint, endpointById } from "../../../../domain/around/webhooks/endpoints.ts";
import type { EndpointHealth } from "../../../../domain/around/webhooks/health.ts";
import { eventTypes, type EventType } from "../../../../domain/core/events/types.ts";
import type { StaffVisit } from "../../guard.ts";
import type { ConsoleView } from "../../view.ts";
import { sentence } from "../../parts/phrases.ts";

/** All but sessions, and future types. */
export const EVERYTHING = "*";

/** Throws `not_found`. */
export function readHook({ db, by, params }: StaffVisit): Endpoint {
  return endpointById(db, by, { id: pathId("webhook", params["id"] ?? null) });
}

/** The host alone: a path may have a key. */
export const hookHost = ({ url }: Pick<Endpoint, "url">) => new URL(url).host;

export const parseTypes = ({ types }: Pick<Endpoint, "types">): string[] => JSON.parse(types);

/** The endpoint's event types in short. */
export function eventWords({ words: { list, webhooks } }: ConsoleView, endpoint: Endpoint): string {
  const named = parseTypes(endpoint).map((type) => (type === EVERYTHING ? webhooks.everythingShort : type));
  const [first = "", second, ...more] = named;
  if (second === undefined) return first;
  const begun = first + list.comma + second;
  return more.length === 0 ? begun : webhooks.typesMore(begun, more.length);
}

/** The group of each kind of events, in the order of the form. */
const groupByNoun = {
  subscriber: "subscriber",
  payment: "money",
  invoice: "money",
  balance: "money",
  quota: "quota",
  card: "card",
  session: "session",
  router: "box",
  backup: "box",
  login: "staff",
  staff: "staff",
} as const;
export type HookGroup = (typeof groupByNoun)[keyof typeof groupByNoun];

/** Types by group. */
export const hookGroups: ReadonlyMap<HookGroup, readonly EventType[]> = (() => {
  const groups = new Map<HookGroup, EventType[]>();
  const names = Object.keys(eventTypes) as EventType[]; // the keys of a constant
  for (const type of names) {
    const about = Object.entries(groupByNoun).find(([begin]) => type.startsWith(`${begin}.`));
    if (about) groups.set(about[1], [...(groups.get(about[1]) ?? []), type]);
  }
  return groups;
})();

/** Why the last attempt failed; empty: it did not. */
export function lastFault({ words: { webhooks } }: ConsoleView, { last }: EndpointHealth): string {
  if (last === null) return "";
  if (last.status === null) return last.error === null ? "" : sentence(webhooks.goes.error(last.error));
  if (last.status >= 200 && last.status < 300) return "";
  const why = last.error === null ? "" : ` ${sentence(webhooks.goes.error(last.error))}`;
  return `${webhooks.goes.status(last.status)}${why}`;
}
