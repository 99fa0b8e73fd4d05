/* Names of the walled garden on RouterOS. */

export const GARDEN_CHAIN = "gatehouse-garden";
export const ROUTER_CHAIN = "gatehouse-garden-router";
/** Counts hotspot guests' DNS queries, whose rules come first. */
export const HOTSPOT_CHAIN = "gatehouse-garden-hotspot";
/** Limits the router's own answers. */
export const ANSWER_CHAIN = "gatehouse-garden-answers";
/** Pools of expired subscribers without a list. */
export const GARDEN_LIST = "gatehouse-garden";
export const PORTAL_LIST = "gatehouse-portal";
export const RESOLVER_LIST = "gatehouse-dns";
/** The owner's exceptions: a bank, a payment page. */
export const ALLOWED_LIST = "gatehouse-allowed";
/** Profile and interface list; further ones are numbered. */
export const GARDEN_PROFILE = "gatehouse-garden";
export const GARDEN_INTERFACES = "gatehouse-garden";
/** Interfaces of lines without dial-in. */
export const LINE_INTERFACES = "gatehouse-lines";
/** Delegated IPv6 prefixes. */
export const PREFIX_LIST = "gatehouse-prefixes";
