import { type Actor, may } from "../../../domain/core/actor/actor.ts";
import type { Incoming } from "../../../domain/desk/incoming/list.ts";
import { parseCardNumber } from "../../../domain/goods/codes/codes.ts";
import type { Endpoint } from "../../../domain/around/webhooks/endpoints.ts";
import type { MessageState } from "../../../domain/around/messages/outbox.ts";
import type { Standing } from "../../../domain/service/box-standing/standing.ts";
import { messagePages } from "./messages-frame.tsx";
import { hereWith } from "./pager.tsx";
import { settingsPages } from "./settings-pages.ts";

/* Addresses that several pages link to. */

export const ME = "/console/me";
export const ONLINE = "/console/online";
export const LOGINS = "/console/logins";
export const SETTINGS = settingsPages.settings.href;
export const BACKUPS = settingsPages.backups.href;
export const LANGUAGES = settingsPages.languages.href;
export const STAFF = settingsPages.staff.href;
export const KEYS = settingsPages.keys.href;
export const keyHref = ({ id }: { readonly id: number }) => `${KEYS}/${id}`;
/** Imports from other systems. */
export const IMPORT = settingsPages.import.href;

export const SUBSCRIBERS = "/console/subscribers";
export const personHref = (id: number) => `${SUBSCRIBERS}/${id}`;
export const BULK = `${SUBSCRIBERS}/bulk`;

/** The page where text messages are switched on, for these or for all who have a number. */
export function smsOnHref(ids?: readonly number[]): string {
  const whom = ids ? ids.map((id) => `id=${id}`).join("&") : "all=1&no_sms=1";
  return `${BULK}?operation=sms&sms_status=1&${whom}`;
}

export const boxHref = (boxNumber: string) => `/console/boxes/${encodeURIComponent(boxNumber)}`;
export const outageHref = (id: number) => `/console/outages/${id}`;

export const ROUTERS = "/console/routers";
export const routerHref = (nasId: number, more = "") => `${ROUTERS}/${nasId}${more}`;
export const POOLS = `${ROUTERS}/pools`;
export const LOGIN_TEST = `${ROUTERS}/test-login`;
export const loginTestHref = (username: string) => `${LOGIN_TEST}?username=${encodeURIComponent(username)}`;

export const CARDS = "/console/cards";
export const cardHref = (id: number) => `${CARDS}/${id}`;
export const BATCHES = `${CARDS}/batches`;
export const batchHref = (id: number) => `${BATCHES}/${id}`;

/** The page of a card by its username; undefined: no card, or not for the actor. */
export function cardHrefFor(
  by: Actor,
  { subscriberId, username }: { subscriberId: number | null; username: string },
): string | undefined {
  if (subscriberId !== null || !may(by, "card_view") || !/^C-\d{6,}$/.test(username)) return undefined;
  const id = parseCardNumber(username);
  return id ? cardHref(id) : undefined;
}

export const ARRIVED = "/console/money/arrived";
export const arrivedHref = ({ id }: Pick<Incoming, "id">) => `${ARRIVED}/${id}`;

export const ACCESS_BOXES = settingsPages.accessBoxes.href;
export const accessBoxHref = ({ id }: Pick<Standing, "id">) => `${ACCESS_BOXES}/${id}`;

export const SHAPERS = settingsPages.shapers.href;
export const shaperHref = ({ id }: { readonly id: number }) => `${SHAPERS}/${id}`;

export const WEBHOOKS = settingsPages.webhooks.href;
export const hookHref = ({ id }: Pick<Endpoint, "id">) => `${WEBHOOKS}/${id}`;

export const OUTBOX = messagePages.outbox;
export const messageHref = (id: number) => `${OUTBOX}/${id}`;

/** Filters of the outbox. */
export interface OutboxChoice {
  readonly state?: MessageState | undefined;
  readonly channel?: number | undefined;
  readonly rule?: number | undefined;
  /** A subscriber. */
  readonly user?: number | undefined;
}

/** The outbox, or a page below it, with filters. */
export function outboxHref(choice: OutboxChoice, path = ""): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(choice)) if (value !== undefined) query.set(name, String(value));
  return `${OUTBOX}${path}${query.size === 0 ? "" : `?${query}`}`;
}

export const AUDIT_LOG = "/console/trail";

/** The audit log with some filters changed, from the newest on; null clears one. */
export function auditLogHref(
  { values: value }: { readonly values: Readonly<Record<string, string>> },
  changes: Readonly<Record<string, string | null>> = {},
): string {
  return hereWith({ path: AUDIT_LOG, query: new URLSearchParams(value) }, changes);
}
