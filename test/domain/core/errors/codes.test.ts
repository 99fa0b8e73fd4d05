import { describe, expect, test } from "bun:test";
import { refusals } from "../../../../src/domain/core/errors/codes.ts";
import { DomainError, type Faults, rejectFaults } from "../../../../src/domain/core/errors/errors.ts";
import { phrase } from "../../../../src/domain/core/errors/phrase.ts";

/** Those that programs of others know. One that is new is added here; none of these is ever taken out. */
const said = `
account_disabled address_not_allowed admin_only already_confirmed already_done already_exists already_reversed
already_sent already_settled already_void ambiguous amount_too_large card_expired
card_for_hotspot card_sold card_unknown card_unsold card_used card_void
channel_off conflict credit_limit_reached cross_site cursor_unknown day_closed disconnect_disabled
end_not_later end_too_far extension_limit external_id_reused forbidden freeze_days_used
held idempotency_key_malformed idempotency_key_required idempotency_key_reused if_match_not_taken in_use insufficient_balance
internal invalid is_refund is_top_up isp_required key_ended key_revoked last_admin
line_taken malformed method_not_allowed never_activated no_address no_device_seen
no_reseller no_router_api no_till no_wallet not_a_top_up not_acceptable
not_active not_found not_frozen not_own not_undoable nothing_activated
nothing_to_add operator_only other_branch other_currency other_isp other_package_next
outside_pool overloaded own_account package_disabled paid_for_card permission_missing
pool_full port_taken price_changed rate_limited reference_taken refused
repeated required router_failed second_factor_set service_ended service_frozen
session_not_open staff_only stale store_busy store_failed subscriber_archived
subscriber_disabled subscriber_only taken till_not_closed token_invalid too_large
too_many too_old too_soon unauthenticated under_way unknown_filter
unknown_path unknown_reference unsupported_connection_type unsupported_media_type unusual_amount unwanted
wallet_limit_reached wallet_not_empty webhook_off whole_isp_only wrong_credentials wrong_password
`;

test("a code that was said once is said for ever", () => {
  expect(Object.keys(refusals).toSorted()).toEqual(said.trim().split(/\s+/).toSorted());
});

test("a code is a word of small letters, and says what it means and what to do in whole sentences", () => {
  for (const [code, meaning] of Object.entries<{ means: string; next?: string }>(refusals)) {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    for (const sentence of Object.values(meaning)) expect(sentence).toMatch(/^(?!.*gatehouse )[A-Z].*\.$/);
  }
});

describe("what a refusal says to programs", () => {
  const of = (work: () => never) => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const { kind, code, param } = error;
      return { kind, code, param };
    }
  };
  const cases: [name: string, fields: Faults, code: string, param: string | undefined][] = [
    ["a missing field", { name: [phrase`is required`] }, "required", "name"],
    ["a missing field, with why", { until: [phrase`is required with hours`] }, "required", "until"],
    ["one sent empty", { name: [phrase`must not be empty`] }, "required", "name"],
    ["a value of another row", { username: [phrase`is taken by another subscriber`] }, "taken", "username"],
    [
      "a reference to nothing",
      { package_id: [phrase`is not a package of this ISP`] },
      "unknown_reference",
      "package_id",
    ],
    [
      "an ISP that is none",
      { isp_id: [phrase`is not an ISP of this appliance; 1 Alpha`] },
      "unknown_reference",
      "isp_id",
    ],
    [
      "a filter of another list",
      { colour: [phrase`is not a filter of this list`] },
      "unknown_filter",
      "colour",
    ],
    ["a field sent twice", { name: [phrase`was sent more than once`] }, "repeated", "name"],
    ["anything else of one field", { amount: [phrase`must be above 0`] }, "invalid", "amount"],
    ["two fields", { a: [phrase`is required`], b: [phrase`is required`] }, "invalid", undefined],
  ];
  test.each(cases)("%s", (_, fields, code, param) => {
    expect(
      of(() => {
        rejectFaults(fields);
        throw new Error("it was not refused");
      }),
    ).toEqual({ kind: "invalid", code: code as never, param });
  });

  test("a code that was named stays beside the fields, and a missing flag is what is at fault", () => {
    const stale = () => {
      throw new DomainError("conflict", phrase`look again`, {
        code: "stale",
        fields: { name: [phrase`has changed`] },
      });
    };
    expect(of(stale)).toEqual({ kind: "conflict", code: "stale", param: "name" });
    const lacking = () => {
      throw new DomainError("forbidden", phrase`no`, { code: "permission_missing", flag: "payments_take" });
    };
    expect(of(lacking)).toEqual({ kind: "forbidden", code: "permission_missing", param: "payments_take" });
    const plain = () => {
      throw new DomainError("refused", phrase`no`);
    };
    expect(of(plain)).toEqual({ kind: "refused", code: "refused", param: undefined });
  });
});
