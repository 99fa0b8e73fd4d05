import type { Db } from "../../../../db/open.ts";
import { overlap } from "../../core/networks/networks.ts";
import { type Actor, requireWholeIsp, seesWholeIsp, widest } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { Arrivals, DroppedKind, SeenRouter, Seen, Stranger } from "./arrivals.ts";
import { type Nas, nasById } from "./find.ts";
import { lastSeen } from "./last-seen.ts";
import { latchedAt, secretProvenAt, secretSet } from "./secret-use.ts";
import { listSources } from "./sources.ts";

interface AnsweredLogin {
  readonly at: Seconds;
  readonly username: string;
  readonly subscriberId: number | null;
  readonly name: string | null;
  readonly accepted: boolean;
  readonly reason: string;
  readonly rateLimit: string | null;
}

interface FirstReport {
  readonly at: Seconds;
  readonly address: string | null;
  readonly lastAt: Seconds;
}

/** The first contacts of a new router, in order. */
export interface FirstWords {
  readonly router: Nas;
  /** First and last arrival. */
  readonly lastSeen: Seen | null;
  readonly addresses: readonly string[];
  readonly secretSetAt: Seconds;
  /** When the secret was first proven; null: not yet. */
  readonly provenAt: Seconds | null;
  /** Packets with another secret since ours was set. */
  readonly wrongSecret: Seen | null;
  /** Not disproven since. */
  readonly isWrongNow: boolean;
  readonly signedAt: Seconds | null;
  readonly dropped: ReadonlyMap<DroppedKind, Seen>;
  /** Dropped for a missing Message-Authenticator, none signed since. */
  readonly isUnsigned: boolean;
  readonly repeated: Seen | null;
  readonly login: AnsweredLogin | null;
  readonly report: FirstReport | null;
  readonly reports: number;
  readonly clock: SeenRouter["clock"];
  /** Unknown addresses, nearest first. */
  readonly strangers: readonly Stranger[];
}

/** Seconds for which a stranger is shown. */
const LATELY = 900;
const MOST_STRANGERS = 3;
/** Newest decisions and sessions that are searched. */
const NEWEST = 5000;
const OWN_DECISIONS = 200;

/** What a router said first, from memory and the store. Throws `not_found`. */
export function firstWords(
  db: Db,
  by: Actor,
  { nasId }: { nasId: number },
  { now, arrivals }: { now: Seconds; arrivals: Arrivals },
): FirstWords {
  permit(by, "firstWords");
  requireWholeIsp(by, "routers");
  const router = nasById(db, by.scope, nasId);
  const seen = arrivals.ofRouter(nasId);
  const set = secretSet(db, router);
  const all = listDecisions(db, nasId);
  const decisions = all.filter(({ at }) => at >= set.at);
  const { kinds } = seen;
  const readable = decisions.findLast(({ accepted, method }) => accepted === 1 && method === "pap");
  const report = firstReport(db, nasId);
  const reportedAt = report?.lastAt ?? lastSeen(db, nasId)?.at ?? null;
  const latched = latchedAt(db, nasId);
  const readAt = readable?.at ?? null;
  const provenAt = secretProvenAt(set, { lastSeen: seen, readAt, reportedAt, latchedAt: latched });
  const wrong = wrongSecret(kinds.get("wrong_secret"), decisions, set.at);
  const lastRight = Math.max(
    ...(["signed", "accounting", "status"] as const).map((kind) => kinds.get(kind)?.last ?? 0),
    readable?.at ?? 0,
    provenAt ?? 0,
  );
  const signed = kinds.get("signed");
  const dropped = findDropped(db, nasId, seen);
  const unsigned = dropped.get("unsigned_dropped");
  return {
    router,
    provenAt,
    report,
    dropped,
    lastSeen: mergeSeen(kinds, decisions, report),
    addresses: seen.addresses,
    secretSetAt: set.at,
    wrongSecret: wrong,
    isWrongNow: wrong !== null && wrong.last > lastRight,
    signedAt: signed?.first ?? latched,
    isUnsigned: unsigned !== undefined && unsigned.last > (signed?.last ?? 0),
    repeated: kinds.get("repeated") ?? null,
    login: firstLogin(db, all),
    reports: kinds.get("accounting")?.count ?? 0,
    clock: seen.clock,
    strangers: strangersLately(db, by, { near: router.address }, { now, arrivals }),
  };
}

interface Decided {
  readonly at: Seconds;
  readonly username: string;
  readonly subscriberId: number | null;
  readonly accepted: number;
  readonly reason: string;
  readonly detail: string | null;
  readonly method: string | null;
}

/** Decisions about a router's logins, the oldest first. */
function listDecisions({ $client }: Db, nasId: number): Decided[] {
  return $client
    .query<Decided, [number]>(
      `SELECT at, username, subscriber_id AS subscriberId, accepted, reason, detail, method FROM auth_log
       WHERE id > (SELECT max(id) FROM auth_log) - ${NEWEST} AND nas_id = ? ORDER BY id DESC LIMIT ${OWN_DECISIONS}`,
    )
    .all(nasId)
    .reverse();
}

/** The first accepted, else the first. */
function firstLogin({ $client }: Db, decisions: readonly Decided[]): AnsweredLogin | null {
  const first = decisions.find(({ accepted }) => accepted === 1) ?? decisions[0];
  if (!first) return null;
  const { at, username, subscriberId, accepted, reason } = first;
  const known = $client
    .query<{ name: string; rateLimit: string | null }, [number | null]>(
      `SELECT s.name, v.rate_limit AS rateLimit FROM subscribers s LEFT JOIN services v ON v.subscriber_id = s.id WHERE s.id = ?`,
    )
    .get(subscriberId);
  return {
    at,
    username,
    subscriberId,
    reason,
    accepted: accepted === 1,
    name: known?.name ?? null,
    rateLimit: known?.rateLimit ?? null,
  };
}

function firstReport({ $client }: Db, nasId: number): FirstReport | null {
  return $client
    .query<FirstReport, [number]>(
      `SELECT started_at AS at, framed_ip AS address, max(updated_at) OVER () AS lastAt
       FROM sessions WHERE +nas_id = ? AND id > (SELECT max(id) FROM sessions) - ${NEWEST} ORDER BY id LIMIT 1`,
    )
    .get(nasId);
}

/** Whether a secret is wrong: by signatures, and by passwords that decrypt to no text. */
function wrongSecret(
  signatures: Seen | undefined,
  decisions: readonly Decided[],
  since: Seconds,
): Seen | null {
  const garbled = decisions.filter(({ detail }) => detail === "garbled");
  const forged = signatures && signatures.last >= since ? signatures : undefined;
  const times = [
    ...(forged ? [Math.max(since, forged.first), forged.last] : []),
    ...garbled.map(({ at }) => at),
  ];
  if (times.length === 0) return null;
  const count = (forged?.count ?? 0) + garbled.length;
  return { count, first: Math.min(...times), last: Math.max(...times) };
}

function findDropped(db: Db, nasId: number, { kinds }: SeenRouter): Map<DroppedKind, Seen> {
  const dropped = new Map<DroppedKind, Seen>();
  for (const kind of ["wrong_secret", "unsigned_dropped", "wrong_port", "malformed"] as const) {
    const seen = kinds.get(kind);
    if (seen) dropped.set(kind, seen);
  }
  if (dropped.has("unsigned_dropped")) return dropped;
  // from before the program began
  for (const { droppedSince, droppedLast } of listSources(db, nasId))
    if (droppedSince !== null && droppedLast !== null)
      dropped.set("unsigned_dropped", { count: 1, first: droppedSince, last: droppedLast });
  return dropped;
}

function mergeSeen(
  kinds: SeenRouter["kinds"],
  decisions: readonly Decided[],
  report: FirstReport | null,
): Seen | null {
  const all = [...kinds.values()];
  const times = [
    ...all.flatMap(({ first, last }) => [first, last]),
    ...decisions.map(({ at }) => at),
    ...(report ? [report.at, report.lastAt] : []),
  ];
  if (times.length === 0) return null;
  const count = all.reduce((sum, seen) => sum + seen.count, 0);
  return { count, first: Math.min(...times), last: Math.max(...times) };
}

/** Unknown addresses of the last quarter hour: newest, or nearest to a router. Only for who sees the whole box. */
export function strangersLately(
  db: Db,
  by: Actor,
  { near }: { near?: string | undefined },
  { now, arrivals }: { now: Seconds; arrivals: Arrivals },
): Stranger[] {
  permit(by, "strangersLately");
  if (!seesWholeIsp(by.scope) || widest(db, by.scope).ispId !== null) return [];
  const strangers = arrivals.strangers(now - LATELY);
  if (near !== undefined) {
    const distances = new Map(strangers.map((one) => [one, networkDistance(near, one.address)]));
    strangers.sort((a, b) => (distances.get(a) ?? 0) - (distances.get(b) ?? 0));
  }
  return strangers.slice(0, MOST_STRANGERS);
}

/** How far two addresses are apart, by the smallest network that has both. */
function networkDistance(address: string, other: string): number {
  const [base = address] = address.split("/");
  const lengths = base.includes(":") ? [64, 48, 32] : [24, 16, 8];
  const near = lengths.findIndex((length) => overlap(`${base}/${length}`, other));
  return near < 0 ? lengths.length : near;
}
