import { all, type Condition, equal } from "../../../db/condition.ts";
import type { Db } from "../../../db/open.ts";
import type { Scope } from "../staff/actor.ts";
import { sessionInScope } from "./in-scope.ts";

/** Which open sessions are wanted; what is absent does not narrow them. All given must match. */
export interface OnlineFilter {
  readonly nasId?: number | undefined;
  /** Of services and cards of this package. */
  readonly packageId?: number | undefined;
  readonly areaId?: number | undefined;
  /** Let in to the walled garden only. */
  readonly payPage?: boolean | undefined;
  /** Of these subscribers alone. */
  readonly subscriberIds?: readonly number[] | undefined;
}

/** Let in to the walled garden only. */
export const CONFINED = "o.accepted_as IN ('accepted_expired', 'accepted_quota_used_up')";

const JOINS = {
  s: "subscribers s ON s.id = o.subscriber_id",
  nas: "nas ON nas.id = o.nas_id",
  v: "services v ON v.subscriber_id = o.subscriber_id",
};

/** Open sessions for which a condition holds, with what that refers to: the index has all else that is asked for. */
export function board(condition: string): string {
  const joins = Object.entries(JOINS).flatMap(([name, join]) =>
    new RegExp(`\\b${name}\\.`).test(condition) ? [`LEFT JOIN ${join}`] : [],
  );
  return `FROM sessions o INDEXED BY sessions_open_board ${joins.join(" ")} WHERE ${condition}`;
}

const OF_CARDS = `(o.subscriber_id IS NULL AND o.card_id IS NOT NULL
  AND (SELECT b.package_id = ? FROM cards c JOIN card_batches b ON b.id = c.batch_id WHERE c.id = o.card_id))`;

/** Cards are asked only of a package that has some: without them, what begins with its services is faster. */
function ofPackage({ $client }: Db, packageId: number | undefined): Condition | undefined {
  const ofServices = equal("v.package_id", packageId);
  if (packageId === undefined || !ofServices) return undefined;
  const batch = $client.query<{ id: number }, [number]>(
    "SELECT id FROM card_batches WHERE package_id = ? LIMIT 1",
  );
  if (!batch.get(packageId)) return ofServices;
  return { text: `(${ofServices.text} OR ${OF_CARDS})`, values: [packageId, packageId] };
}

/** The open sessions `o` of a scope that a filter leaves. */
export function matching(
  db: Db,
  scope: Scope,
  { nasId, packageId, areaId, payPage, subscriberIds }: OnlineFilter,
): Condition {
  return all(
    { text: "o.stopped_at IS NULL", values: [] },
    sessionInScope(scope),
    equal("o.nas_id", nasId),
    ofPackage(db, packageId),
    equal("s.area_id", areaId),
    payPage ? { text: CONFINED, values: [] } : undefined,
    subscriberIds && {
      text: "o.subscriber_id IN (SELECT value FROM json_each(?))",
      values: [JSON.stringify(subscriberIds)],
    },
  );
}
