import { slowerRate } from "../../goods/packages/rate-limit.ts";
import type { Db } from "../../../../db/open.ts";
import { decideOpen } from "../../service/access/decide.ts";
import type { GardenTerms } from "../../service/access/garden.ts";
import { rateAttribute } from "../../service/access/grant-attributes.ts";
import { AccessReader } from "../../service/access/reader.ts";
import { kindTraits, type NasKind } from "../../goods/nas/kinds.ts";
import type { Seconds } from "../../core/time/time.ts";

export interface DueFeed {
  readonly id: number;
  readonly ispId: number;
  readonly address: string;
  readonly port: number;
  readonly secret: Buffer;
  readonly nasIds: ReadonlySet<number>;
}

type FeedRow = Omit<DueFeed, "secret" | "nasIds"> & { sealed: Uint8Array; nasIds: string | null };

export function dueFeeds({ $client, vault }: Db): DueFeed[] {
  return $client
    .query<FeedRow, []>(
      `SELECT f.id, f.isp_id AS ispId, f.address, f.port, f.secret_sealed AS sealed,
         (SELECT group_concat(n.id) FROM nas n WHERE n.isp_id = f.isp_id AND (f.all_routers = 1
            OR EXISTS (SELECT 1 FROM feed_routers r WHERE r.feed_id = f.id AND r.nas_id = n.id))) AS nasIds
       FROM feeds f WHERE f.disabled_at IS NULL ORDER BY f.id`,
    )
    .all()
    .map(({ id, ispId, address, port, sealed, nasIds }) => ({
      id,
      ispId,
      address,
      port,
      secret: vault.open(sealed),
      nasIds: new Set((nasIds ?? "").split(",").filter(Boolean).map(Number)),
    }));
}

export interface OpenSession {
  readonly id: number;
  readonly updatedAt: Seconds;
}

export function openAt({ $client }: Db, nasId: number): OpenSession[] {
  return $client
    .query<OpenSession, [number]>(
      "SELECT id, updated_at AS updatedAt FROM sessions INDEXED BY sessions_open_board WHERE nas_id = ? AND stopped_at IS NULL",
    )
    .all(nasId);
}

/** Sessions that were opened since one, the oldest first. */
export function openedSince(
  { $client }: Db,
  id: number,
): { readonly id: number; readonly nasId: number | null }[] {
  return $client
    .query<{ id: number; nasId: number | null }, [number]>(
      "SELECT id, nas_id AS nasId FROM sessions WHERE id > ? ORDER BY id",
    )
    .all(id);
}

export function lastSession({ $client }: Db): number {
  return $client.query<{ id: number | null }, []>("SELECT max(id) AS id FROM sessions").get()?.id ?? 0;
}

export function stoppedSince(
  { $client }: Db,
  since: Seconds,
): { readonly id: number; readonly nasId: number | null }[] {
  return $client
    .query<{ id: number; nasId: number | null }, [Seconds]>(
      "SELECT id, nas_id AS nasId FROM sessions INDEXED BY sessions_stopped WHERE stopped_at >= ?",
    )
    .all(since);
}

export interface SessionNews {
  readonly id: number;
  readonly username: string;
  readonly usernameKey: string | null;
  readonly mac: string | null;
  readonly nasAddress: string;
  readonly nasIp: string | null;
  readonly framedIp: string | null;
  readonly framedIpv6Prefix: string | null;
  readonly delegatedIpv6Prefix: string | null;
  readonly startedAt: Seconds;
  readonly updatedAt: Seconds;
  readonly stoppedAt: Seconds | null;
  readonly sessionTime: number;
  readonly inputOctets: number;
  readonly outputOctets: number;
  readonly ispId: number | null;
  readonly kind: NasKind | null;
  readonly cardRate: string | null;
}

/** Inputs of a session's rate. */
export type RatedSession = Pick<
  SessionNews,
  "usernameKey" | "cardRate" | "mac" | "nasAddress" | "ispId" | "kind"
>;

export class NewsReader {
  readonly #db: Db;
  readonly #reader: AccessReader;

  constructor(db: Db) {
    this.#db = db;
    this.#reader = new AccessReader(db);
  }

  session(id: number): SessionNews | undefined {
    const row = this.#db.$client
      .query<SessionNews, [number]>(
        `SELECT s.id, s.username, u.username_key AS usernameKey, s.mac, s.nas_address AS nasAddress, s.nas_ip AS nasIp,
           coalesce(s.framed_ip, u.static_ip, u.pool_ip) AS framedIp,
           coalesce(s.framed_ipv6_prefix, u.framed_ipv6_prefix) AS framedIpv6Prefix,
           coalesce(s.delegated_ipv6_prefix, u.delegated_ipv6_prefix, u.pool_prefix) AS delegatedIpv6Prefix,
           s.started_at AS startedAt, s.updated_at AS updatedAt, s.stopped_at AS stoppedAt, s.session_time AS sessionTime,
           s.input_octets AS inputOctets, s.output_octets AS outputOctets, n.isp_id AS ispId, n.kind,
           (SELECT b.rate_limit FROM cards c JOIN card_batches b ON b.id = c.batch_id WHERE c.id = s.card_id) AS cardRate
         FROM sessions s LEFT JOIN subscribers u ON u.id = s.subscriber_id LEFT JOIN nas n ON n.id = s.nas_id WHERE s.id = ?`,
      )
      .get(id);
    return row ?? undefined;
  }

  /** The rate in force (tier, hours, garden) in RouterOS syntax. A session about to end gets the slowest; null: unknown. */
  rate(
    { usernameKey, cardRate, mac, nasAddress, ispId, kind }: RatedSession,
    { now, garden }: { now: Seconds; garden: GardenTerms },
  ): string | null {
    const candidate = usernameKey === null ? undefined : this.#reader.candidate(usernameKey);
    if (!candidate?.service) return cardRate === null ? null : bounded(cardRate);
    const decision = decideOpen(candidate, {
      ispId: ispId ?? candidate.ispId,
      nasAddress,
      mac: mac ?? undefined,
      takesLists: kind === null || kindTraits[kind].list !== null,
      ...garden,
      now,
    });
    if (!decision.accept) return bounded(slowerRate(candidate.service.rateLimit, garden.gardenRate));
    // as for RouterOS, with replacements
    const rate = rateAttribute("mikrotik", decision.grant).find(({ name }) => name === "Mikrotik-Rate-Limit");
    return rate ? bounded(rate.value) : null;
  }
}

/** The rate in place of none, because a shaper takes 0 literally. */
const UNBOUNDED = "10000M";

function bounded(rateLimit: string): string {
  const [pair = "", ...rest] = rateLimit.split(" ");
  const [up = "", down = up] = pair.split("/");
  const side = (text: string) => (/^0+[kM]?$/.test(text) ? UNBOUNDED : text);
  return [`${side(up)}/${side(down)}`, ...rest].join(" ");
}
