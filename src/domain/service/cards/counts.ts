import type { Card, CardStanding } from "./standing.ts";

export const withCounts = "card_batches b LEFT JOIN card_counts k ON k.batch_id = b.id";

const stored: Readonly<Record<Card["state"], string>> = {
  new: "(b.quantity - ifnull(k.sold + k.active + k.void, 0))",
  sold: "ifnull(k.sold, 0)",
  active: "ifnull(k.active, 0)",
  void: "ifnull(k.void, 0)",
};

// cards past their time: part of an index, read only where a batch can have some
const clocked =
  "SELECT count(*) FROM cards c INDEXED BY cards_ends WHERE c.batch_id = b.id AND c.state = 'active' AND c.ends_at > ?1";
const running = `iif(k.last_end > ?1, (${clocked}), 0)`;
const runningUsedUp = `iif(k.last_end > ?1 AND (b.uptime_seconds IS NOT NULL OR b.quota_total > 0), (${clocked} AND c.used_up_at IS NOT NULL), 0)`;

/** Cards of a batch that expired without being used up, by state. */
const expired: Readonly<Record<Card["state"], string>> = {
  new: `iif(b.sell_by <= ?1, ${stored.new}, 0)`,
  sold: `iif(b.use_by <= ?1, ${stored.sold}, 0)`,
  active: `(ifnull(k.active - k.unending - k.unending_used_up, 0) - ${running})`,
  void: "0",
};

const worth: Readonly<Record<CardStanding, string>> = {
  new: `iif(b.sell_by <= ?1, 0, ${stored.new})`,
  sold: `iif(b.use_by <= ?1, 0, ${stored.sold})`,
  active: `(ifnull(k.unending, 0) + ${running} - ${runningUsedUp})`,
  used_up: `(ifnull(k.unending_used_up, 0) + ${runningUsedUp})`,
  expired: `(${expired.new} + ${expired.sold} + ${expired.active})`,
  void: stored.void,
};

/** The stored state a standing comes from; `expired` from any. */
export function stateOf(standing: CardStanding): Card["state"] | undefined {
  return standing === "expired" ? undefined : standing === "used_up" ? "active" : standing;
}

/** SQL that counts a batch's cards by stored state or standing, from sums and parts of an index. `?1` is now. */
export function countSql({
  state,
  standing,
}: {
  readonly state?: Card["state"] | null | undefined;
  readonly standing?: CardStanding | null | undefined;
}): string {
  if (!standing) return state ? stored[state] : "b.quantity";
  if (!state) return worth[standing];
  if (standing === "expired") return expired[state];
  return state === stateOf(standing) ? worth[standing] : "0";
}
