import { type Phrase, phrase, type PhraseValue } from "./phrase.ts";

/** A code's meaning, and what a program can do next; calls by path below /api/v1. */
interface Meaning {
  readonly means: string;
  readonly next?: string;
}

/**
 * Codes of refusals, for programs; sentences are for people and may change. A published code stays for ever:
 * `test/domain/core/errors/codes.test.ts` holds them.
 */
export const refusals = {
  // generic
  invalid: { means: "Fields are wrong, alone or together; `errors` says which." },
  refused: { means: "The state of what is there forbids it." },
  not_found: { means: "There is none of that id or name, or it is outside what the caller sees." },
  unauthenticated: { means: "Credentials are missing, wrong, expired or revoked." },
  forbidden: { means: "The caller may not do this." },
  conflict: { means: "Something that is there already stands in the way." },
  too_soon: { means: "It was just done.", next: "Wait for the seconds of Retry-After." },
  overloaded: {
    means: "Too much at once.",
    next: "Wait for the seconds of Retry-After, then send it again.",
  },
  router_failed: { means: "The router did not do it; the sentence has what it said." },

  // the request itself
  malformed: { means: "The request cannot be read." },
  unknown_path: { means: "There is no such path.", next: "Look it up in /openapi.json." },
  method_not_allowed: { means: "The path has no such method; Allow has those that it has." },
  not_acceptable: { means: "The call does not answer what Accept asks for." },
  too_large: { means: "The body is larger than the call takes." },
  unsupported_media_type: { means: "The call does not read bodies of this type." },
  cross_site: { means: "A browser says that a page of another site sent it." },
  if_match_not_taken: {
    means: "The call takes no If-Match: it is about no one record, or waits for routers.",
    next: "Leave the header out.",
  },
  idempotency_key_required: {
    means: "The call is done under an Idempotency-Key alone.",
    next: "Send one: a text of your choice, a new one for each call.",
  },
  idempotency_key_malformed: { means: "The Idempotency-Key is not 1 to 100 printable ASCII characters." },
  idempotency_key_reused: {
    means: "The Idempotency-Key was sent before with another body.",
    next: "Take a new one.",
  },
  internal: { means: "A fault of the server; `id` stands in its log." },
  store_busy: { means: "The store is busy with something long.", next: "Send it again in a second." },
  held: { means: "These books do not serve at this moment; the sentence says why." },
  store_failed: {
    means: "The disk is full or ill, or the database damaged.",
    next: "Tell the operator of the box.",
  },

  // a field, named by `param`
  required: { means: "The field is missing or empty." },
  repeated: { means: "The field was sent more than once." },
  taken: { means: "Another row has this value, which no two share." },
  unknown_reference: { means: "The field refers to a row that is not there, or is of another ISP." },
  unknown_filter: { means: "The list has no such filter." },
  cursor_unknown: {
    means: "The cursor is of another list, or of before a backup was put in place.",
    next: "Begin without `after`, and put what comes over the copy.",
  },

  // the caller
  permission_missing: {
    means:
      "The role lacks a permission, or the API key was not given it; `param` is its flag where it is one.",
    next: "Have it set in the role: role/permissions_update; an API key that was given a part of them has to be given it too: api_key/update.",
  },
  admin_only: { means: "This is for an Admin." },
  operator_only: { means: "This is for the operator of the box." },
  staff_only: { means: "This is for staff, not for a subscriber or a Reseller." },
  subscriber_only: { means: "This is for the subscriber itself." },
  whole_isp_only: { means: "This is for an account of the whole ISP, not of one branch or of a Reseller." },
  other_isp: { means: "The ISP that was named is not the caller's." },
  other_branch: { means: "The branch that was named is not the caller's." },
  own_account: { means: "Nobody does this to the own account, wallet or till." },
  not_own: { means: "Somebody else took or holds it, who does this." },
  account_disabled: { means: "The account is disabled." },
  second_factor_set: {
    means: "The account has a second factor, which is for people.",
    next: "Use another account.",
  },
  wrong_credentials: { means: "Username or password is wrong." },
  wrong_password: { means: "That is not the present password." },
  token_invalid: { means: "The token is invalid, expired or revoked.", next: "Log in again." },
  key_revoked: { means: "The API key was revoked.", next: "Make another one: api_key/create." },
  key_ended: { means: "The API key has ended.", next: "Give it a later end: api_key/update." },
  address_not_allowed: {
    means: "The API key may not be used from this address.",
    next: "Add the address: api_key/update.",
  },
  rate_limited: { means: "Too many attempts.", next: "Wait for the seconds of Retry-After." },

  // subscribers and their service
  subscriber_disabled: { means: "The subscriber is disabled.", next: "Enable it: subscriber/enable." },
  subscriber_archived: { means: "The subscriber left.", next: "Bring it back: subscriber/restore." },
  never_activated: {
    means: "The subscriber was never activated.",
    next: "Activate a package: activation/activate.",
  },
  not_active: { means: "No service runs.", next: "Activate a package: activation/activate." },
  service_ended: { means: "The service has ended.", next: "Renew it: activation/activate." },
  service_frozen: { means: "The service is frozen.", next: "Thaw it: subscriber/thaw." },
  not_frozen: { means: "The service is not frozen." },
  freeze_days_used: { means: "The days of a year in which it may be frozen are used up." },
  unsupported_connection_type: { means: "The connection type is not served over RADIUS." },
  no_reseller: {
    means: "The subscriber has no salesperson, or one who cannot sell.",
    next: "Set its salesperson_id: subscriber/update.",
  },
  package_disabled: { means: "The package is disabled.", next: "Take another one: package/list." },
  is_top_up: {
    means: "The package is a top-up of a service that runs.",
    next: "Sell it by activation/top_up.",
  },
  not_a_top_up: { means: "The package is no top-up.", next: "Sell it by activation/activate." },
  nothing_to_add: { means: "The service has no data volume to which bytes could be added." },
  other_package_next: { means: "Another package would begin, and what is left of this one be lost." },
  end_too_far: { means: "The service would end too many years from now." },
  end_not_later: { means: "The end would not be later than it is." },
  extension_limit: { means: "It is more than the caller may extend." },
  port_taken: { means: "Another line hangs on the port.", next: "Say that two share it: shared_port." },
  line_taken: { means: "The line is another subscriber's." },
  no_device_seen: { means: "No login of another device was refused lately." },
  session_not_open: { means: "No such session is open." },
  disconnect_disabled: { means: "Disconnecting is off.", next: "Switch disconnect_enabled on: setting/set." },
  no_router_api: { means: "The router has no API, or no account for it." },
  pool_full: { means: "No address of the pool is free.", next: "Make it larger: address_pool/update." },
  outside_pool: { means: "Subscribers have addresses that the new range has not." },

  // money
  insufficient_balance: {
    means: "The wallet does not hold enough.",
    next: "Take a payment: payment/take. Then call again.",
  },
  credit_limit_reached: {
    means: "More is owed than the credit limit allows.",
    next: "Take a payment: payment/take.",
  },
  wallet_limit_reached: {
    means: "The caller's own wallet would fall below its limit.",
    next: "Pay into it first.",
  },
  amount_too_large: { means: "The balance would be past what can be booked." },
  wallet_not_empty: {
    means: "The wallet holds money.",
    next: "Hand it back (payment/refund) or book it away (wallet/adjust).",
  },
  no_wallet: { means: "The account is no Reseller and has no wallet." },
  no_till: { means: "The account has no till." },
  till_not_closed: {
    means: "Money was moved since the last day's close.",
    next: "Close the day: closing/close.",
  },
  stale: {
    means: "Somebody changed it meanwhile; nothing was done.",
    next: "Get it again, and decide anew.",
  },
  price_changed: { means: "The price is another one by now; nothing was done.", next: "Get a new quote." },
  reference_taken: {
    means: "A payment with this reference was taken already.",
    next: "Look at that one first.",
  },
  unusual_amount: { means: "The amount is unusual, and nobody said that it is meant." },
  is_refund: { means: "It is a refund or a dispute, and no payment." },
  other_currency: { means: "It is in another currency than the books." },
  already_reversed: { means: "The payment is reversed already." },
  already_void: { means: "It is void already." },
  already_confirmed: { means: "The day's close is confirmed already." },
  already_settled: { means: "Something became of it already; the sentence says what." },
  too_old: { means: "It is too long ago to be reversed.", next: "Correct the wallet: wallet/adjust." },
  day_closed: { means: "It is in the caller's own day's close.", next: "Let somebody else do it." },
  paid_for_card: { means: "It was paid for a card.", next: "Make the card void: card/void." },
  nothing_activated: { means: "Nothing was activated with the payment.", next: "Leave void out." },
  not_undoable: {
    means: "The service cannot go back to what it was.",
    next: "Void the invoice without end_service: invoice/void.",
  },
  external_id_reused: { means: "A payment of this external_id was told before with another body." },

  // cards
  card_unknown: { means: "There is no card of this code or number." },
  card_void: { means: "The card is void." },
  card_used: { means: "The card was used before." },
  card_expired: { means: "The card ended, or the day by which it was to be sold or used." },
  card_sold: { means: "The card was sold before." },
  card_unsold: { means: "The card is not sold yet.", next: "Sell it: card/sell." },
  card_for_hotspot: { means: "The card is for the hotspot, and is redeemed there." },

  // messages and webhooks
  channel_off: { means: "The channel is off.", next: "Switch it on: channel/enable." },
  webhook_off: { means: "The webhook is off.", next: "Switch it on: webhook/enable." },
  no_address: { means: "The subscriber has no address of the channel's kind." },
  unwanted: { means: "The subscriber does not want messages.", next: "Send anyway=1 if it has to be." },
  already_sent: { means: "The message was sent." },
  under_way: { means: "It is being done at this moment.", next: "Wait for what comes of it." },

  // any noun
  in_use: { means: "Other rows refer to it.", next: "Give those another one, or disable it." },
  already_exists: { means: "There is one of that name already." },
  already_done: { means: "It is so already; nothing is left to do." },
  ambiguous: { means: "Several are called so.", next: "Name one by its id." },
  too_many: { means: "It would be more than there may be of it." },
  isp_required: { means: "There are several ISPs.", next: "Name one: isp_id." },
  last_admin: { means: "It is the last Admin." },
} as const satisfies Readonly<Record<string, Meaning>>;

export type RefusalCode = keyof typeof refusals;

/** Faults with a code of their own. */
export const IS_REQUIRED = phrase`is required`;
export const NOT_EMPTY = phrase`must not be empty`;
export const WAS_REPEATED = phrase`was sent more than once`;
/** A misspelt filter must not return everything. */
export const NO_FILTER = phrase`is not a filter of this list`;
export const takenBy = (holder: PhraseValue): Phrase => phrase`is taken by ${holder}`;
/** `is not a package of this ISP`. */
const NO_REFERENCE = /^is not an? [\w ]+ of this (?:ISP|appliance)/;

/** The code of a field's fault. */
export function faultCode(fault: Phrase): RefusalCode {
  const { key } = fault;
  if (key?.startsWith("is required")) return "required";
  if (key === NOT_EMPTY.key) return "required";
  if (key?.startsWith("is taken by ")) return "taken";
  if (key === WAS_REPEATED.key) return "repeated";
  if (key === NO_FILTER.key) return "unknown_filter";
  return NO_REFERENCE.test(fault.toString()) ? "unknown_reference" : "invalid";
}
