/* What the walled garden is called on a RouterOS router. */

/** The chain that says what passes of the garden, and that which says what of it reaches the router itself. */
export const GARDEN_CHAIN = "gatehouse-garden";
export const ROUTER_CHAIN = "gatehouse-garden-router";
/** The chain that counts how often guests of hotspots ask for names, whose own rules stand before all others. */
export const HOTSPOT_CHAIN = "gatehouse-garden-hotspot";
/** The chain that says how much of the router's own answers reaches the garden. */
export const ANSWER_CHAIN = "gatehouse-garden-answers";
/** Addresses of pools of expired subscribers, where their packages name no list. */
export const GARDEN_LIST = "gatehouse-garden";
export const PORTAL_LIST = "gatehouse-portal";
export const RESOLVER_LIST = "gatehouse-dns";
/** Whom the owner lets the garden reach besides: a bank, a payment page. Its entries are no business of ours. */
export const ALLOWED_LIST = "gatehouse-allowed";
/** The PPP profile of expired subscribers, and the interface list that their interfaces are put on; more profiles have a number behind it. */
export const GARDEN_PROFILE = "gatehouse-garden";
export const GARDEN_INTERFACES = "gatehouse-garden";
/** Interfaces on which lines hang that do not dial in. */
export const LINE_INTERFACES = "gatehouse-lines";
/** Prefixes that are delegated to lines, in IPv6. */
export const PREFIX_LIST = "gatehouse-prefixes";
