import { all, among, type Condition, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import type { Scope } from "../../core/actor/actor.ts";
import { batchInScope, sessionInScope } from "./in-scope.ts";

export interface OnlineFilter {
  readonly nasId?: number | undefined;
  /** Of services and cards. */
  readonly packageId?: number | undefined;
  readonly areaId?: number | undefined;
  /** Walled garden only. */
  readonly payPage?: boolean | undefined;
  /** Only these subscribers. */
  readonly subscriberIds?: readonly number[] | undefined;
}

/** Sessions in the walled garden. */
export const CONFINED = "o.accepted_as IN ('accepted_expired', 'accepted_quota_used_up')";

export interface Board {
  readonly from: string;
  readonly values: readonly Value[];
}

/**
 * Matching open sessions as disjoint parts. Cards of a package are one, which starts with open card sessions, while the other
 * starts with the package's services.
 */
export function boards(
  db: Pick<Db, "$client">,
  scope: Scope,
  filter: OnlineFilter,
): readonly [Board, ...Board[]] {
  const { packageId } = filter;
  const board = buildBoard(scope, filter);
  return packageId === undefined || !hasCards(db, packageId)
    ? [board]
    : [board, ...cardBoards(scope, filter, packageId)];
}

/** The condition and the index that covers it. */
function buildBoard(scope: Scope, filter: OnlineFilter): Board {
  const { packageId, areaId, subscriberIds } = filter;
  const { text, values } = all(
    sessionInScope(scope),
    common(filter),
    equal("v.package_id", packageId),
    equal("s.area_id", areaId),
    subscriberIds && among("o.subscriber_id", subscriberIds),
  );
  return { from: `FROM sessions o INDEXED BY sessions_open_board ${findJoins(text)} WHERE ${text}`, values };
}

/** None for a filter of subscribers. */
function cardBoards(scope: Scope, filter: OnlineFilter, packageId: number): Board[] {
  if (filter.areaId !== undefined || filter.subscriberIds) return [];
  const { text, values } = all(
    // a card's session taken over by a subscriber is in the other part
    { text: "o.card_id IS NOT NULL AND o.subscriber_id IS NULL AND b.package_id = ?", values: [packageId] },
    batchInScope(scope),
    common(filter),
  );
  const from = `FROM sessions o INDEXED BY sessions_open_card CROSS JOIN cards c ON c.id = o.card_id JOIN card_batches b ON b.id = c.batch_id
    WHERE ${text}`;
  return [{ from, values }];
}

function hasCards({ $client }: Pick<Db, "$client">, packageId: number): boolean {
  const batch = $client.query<{ id: number }, [number]>(
    "SELECT id FROM card_batches WHERE package_id = ? AND kind = 'access' LIMIT 1",
  );
  return batch.get(packageId) !== null;
}

/** Conditions of every part. */
function common({ nasId, payPage }: OnlineFilter): Condition {
  return all(
    { text: "o.stopped_at IS NULL", values: [] },
    equal("o.nas_id", nasId),
    payPage ? { text: CONFINED, values: [] } : undefined,
  );
}

const JOINS = {
  s: "subscribers s ON s.id = o.subscriber_id",
  nas: "nas ON nas.id = o.nas_id",
  v: "services v ON v.subscriber_id = o.subscriber_id",
};

/** Joins that a condition needs. */
function findJoins(condition: string): string {
  return Object.entries(JOINS)
    .flatMap(([name, join]) =>
      new RegExp(String.raw`\b${name}\.`).test(condition) ? [`LEFT JOIN ${join}`] : [],
    )
    .join(" ");
}
