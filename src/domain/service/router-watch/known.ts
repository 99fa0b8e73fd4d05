import type { Db } from "../../../../db/open.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { fold, parseStationMac } from "../../core/fields/text.ts";
import { setting } from "../../core/settings/settings.ts";
import type { Seconds } from "../../core/time/time.ts";
import { cardNumber } from "../../goods/codes/codes.ts";
import { cardNames } from "../../goods/codes/taken-names.ts";
import type { Arrivals } from "../../goods/nas/arrivals.ts";
import type { Nas } from "../../goods/nas/find.ts";
import type { DualStack } from "../../goods/nas/kinds.ts";
import type { GardenProfile } from "../../goods/router-setup/garden/profiles.ts";
import type { Memory } from "../../goods/router-setup/plan.ts";
import type { Desired } from "../../goods/router-setup/parts.ts";
import type { Whose } from "./found.ts";
import type { Load } from "./load.ts";
import { menuRows, type Reading } from "./reading.ts";

/** The set-up of a router, or why it is unknown. */
export type Made =
  | {
      readonly wanted: readonly Desired[];
      readonly memory: Memory;
      /** Address lists of the walled garden. */
      readonly lists: readonly string[];
      /** PPP profiles of the walled garden, one for each server profile. */
      readonly profiles: readonly GardenProfile[];
      /** Addresses that use its API. */
      readonly callers: readonly string[];
    }
  | { readonly refusal: string };

export interface Known {
  /** Queues for IPv4 and IPv6 of DHCP lines. */
  readonly dualStack: DualStack;
  readonly made: Made;
  readonly whoseName: (name: string) => Whose | undefined;
  readonly whoseDevice: (mac: string) => Whose | undefined;
  readonly lineAddresses: readonly string[];
  /** Of its last long sessions, those without interim updates. */
  readonly interims: { readonly sessions: number; readonly silent: number };
  /** Whether its last packet had another secret. */
  readonly isWrongNow: boolean;
  /** Seconds since the last configuration backup was made or possible; null: none wanted. */
  readonly configAge: number | null;
  /** Bad replies at the last reading, by row of /radius. */
  readonly badReplies: Readonly<Record<string, number>>;
}

/** What is kept from one reading to the next. */
export interface Facts {
  readonly badReplies?: Readonly<Record<string, number>>;
  /** Names and devices at the router that are not ours. */
  readonly others?: { readonly ppp: number; readonly hotspot: number; readonly bypassed: number };
  /** First check. */
  readonly since?: Seconds;
  readonly load?: Load;
  /** Since when this process receives reports without a gap. */
  readonly listeningSince?: Seconds;
}

/** Names looked up before other work gets a turn. */
const STEP = 500;
const ADDRESSES = 50;

export async function readKnown(
  db: Db,
  router: Nas,
  reading: Reading,
  { made, facts, arrivals, now }: { made: Made; facts: Facts; arrivals: Arrivals; now: Seconds },
): Promise<Known> {
  const names = [
    ...["/ppp/secret", "/ip/hotspot/user", "/user-manager/user", "/tool/user-manager/user"],
  ].flatMap((menu) => menuRows(reading, menu).map(rowName));
  const ofNames = await lookUp(new Set(names), nameLookup(db, router));
  const macs = menuRows(reading, "/ip/hotspot/ip-binding").map((row) =>
    parseMacOrText(row["mac-address"] ?? ""),
  );
  const ofMacs = await lookUp(new Set(macs), deviceLookup(db, router));
  return {
    dualStack: router.dualStack,
    made,
    whoseName: (name) => ofNames.get(name),
    whoseDevice: (mac) => ofMacs.get(parseMacOrText(mac)),
    lineAddresses: lineAddresses(db, router.id),
    interims: readInterims(db, router.id, { now, since: facts.listeningSince ?? 0 }),
    isWrongNow: isWrongNow(arrivals, router.id),
    configAge: configAge(db, router.id, { now, since: facts.since ?? now }),
    badReplies: facts.badReplies ?? {},
  };
}

export const rowName = (row: { readonly [name: string]: string | undefined }): string =>
  row["name"] ?? row["username"] ?? "";

const parseMacOrText = (text: string) => parseStationMac(text) ?? text;

async function lookUp(
  desired: ReadonlySet<string>,
  of: (one: string) => Whose | undefined,
): Promise<ReadonlyMap<string, Whose>> {
  const found = new Map<string, Whose>();
  let count = 0;
  for (const one of desired) {
    const whose = one === "" ? undefined : of(one);
    if (whose) found.set(one, whose);
    if (++count % STEP === 0) await Bun.sleep(0);
  }
  return found;
}

/** Owner of a name at this router: a subscriber of its ISP, by name or device, or a card. */
function nameLookup(db: Db, { ispId }: Nas): (name: string) => Whose | undefined {
  const { $client } = db;
  const byName = $client.query<{ who: string }, [string, number]>(
    "SELECT username AS who FROM subscribers WHERE username_key = ? AND isp_id = ? AND archived_at IS NULL",
  );
  const byDevice = $client.query<{ who: string }, [string, number]>(
    "SELECT username AS who FROM subscribers WHERE mac_address = ? AND isp_id = ? AND mac_login = 1 AND archived_at IS NULL",
  );
  const findCard = cardNames(db);
  const batches = $client.query<{ found: number }, [number, number]>(
    "SELECT 1 AS found FROM card_batches WHERE id = ? AND isp_id = ?",
  );
  return (name) => {
    const mac = parseStationMac(name);
    const row = byName.get(fold(name), ispId) ?? (mac === undefined ? null : byDevice.get(mac, ispId));
    if (row) return { of: "subscriber", who: row.who };
    const card = findCard(name);
    return card && batches.get(card.batchId, ispId) ? { of: "card", who: cardNumber(card.id) } : undefined;
  };
}

/** Owner of a device: by profile, else by its last session. */
function deviceLookup({ $client }: Db, { ispId }: Nas): (mac: string) => Whose | undefined {
  const byRecord = $client.query<{ who: string }, [string, number]>(
    "SELECT username AS who FROM subscribers WHERE mac_address = ? AND isp_id = ? AND archived_at IS NULL LIMIT 1",
  );
  const bySession = $client.query<{ who: string | null; cardId: number | null }, [string, number]>(
    `SELECT s.username AS who, o.card_id AS cardId FROM sessions o INDEXED BY sessions_mac
       LEFT JOIN subscribers s ON s.id = o.subscriber_id JOIN nas n ON n.id = o.nas_id
     WHERE o.mac = ? AND n.isp_id = ? AND coalesce(o.subscriber_id, o.card_id) IS NOT NULL
     ORDER BY o.started_at DESC LIMIT 1`,
  );
  return (mac) => {
    const own = byRecord.get(mac, ispId);
    if (own) return { of: "subscriber", who: own.who };
    const last = bySession.get(mac, ispId);
    if (!last) return undefined;
    if (last.cardId !== null) return { of: "card", who: cardNumber(last.cardId) };
    return last.who === null ? undefined : { of: "subscriber", who: last.who };
  };
}

function lineAddresses({ $client }: Db, nasId: number): string[] {
  return $client
    .query<{ address: string }, [number]>(
      `SELECT framed_ip AS address FROM sessions INDEXED BY sessions_nas
       WHERE nas_id = ? AND stopped_at IS NULL AND framed_ip IS NOT NULL ORDER BY started_at DESC LIMIT ${ADDRESSES}`,
    )
    .all(nasId)
    .map(({ address }) => address);
}

function configAge(db: Db, nasId: number, { now, since }: { now: Seconds; since: Seconds }): number | null {
  if (!setting(db, "config_nightly")) return null;
  const kept = db.$client
    .query<{ at: Seconds | null }, [number]>("SELECT max(seen_at) AS at FROM router_configs WHERE nas_id = ?")
    .get(nasId);
  return now - (kept?.at ?? since);
}

interface Lasted {
  readonly startedAt: Seconds;
  readonly stoppedAt: Seconds | null;
  readonly sessionTime: number;
  readonly input: number;
  readonly output: number;
  readonly rateInput: number | null;
  readonly rateOutput: number | null;
}

/** Sessions judged, and sessions among which they are searched. */
const JUDGED = 20;
const LOOKED_AT = 200;

/** Sessions longer than two intervals, and those without interim updates. */
function readInterims(
  db: Db,
  nasId: number,
  { now, since }: { now: Seconds; since: Seconds },
): Known["interims"] {
  const long = 2 * setting(db, "acct_interim_interval");
  const judged = db.$client
    .query<Lasted, [number, Seconds]>(
      `SELECT started_at AS startedAt, stopped_at AS stoppedAt, session_time AS sessionTime, input_octets AS input,
         output_octets AS output, rate_input AS rateInput, rate_output AS rateOutput
       FROM sessions INDEXED BY sessions_nas
       WHERE nas_id = ? AND started_at > ? AND moved_in = 0 AND via_box IS NULL ORDER BY started_at DESC LIMIT ${LOOKED_AT}`,
    )
    .all(nasId, since)
    .filter(({ startedAt, stoppedAt }) => (stoppedAt ?? now) - startedAt >= long)
    .map(isSilent)
    .filter((silent) => silent !== undefined)
    .slice(0, JUDGED);
  return { sessions: judged.length, silent: judged.filter(Boolean).length };
}

/**
 * Whether a session had no interim update; undefined: unknown. Its rate is that of the last interval: the average of the whole
 * session was measured from Start to Stop.
 */
function isSilent({ stoppedAt, sessionTime, ...session }: Lasted): boolean | undefined {
  const { input, output, rateInput, rateOutput } = session;
  if (stoppedAt === null) return rateInput === null;
  if (rateInput === null || sessionTime <= 0 || input + output === 0) return undefined;
  const average = (octets: number) => Math.round((octets * 8) / sessionTime);
  return rateInput === average(input) && rateOutput === average(output);
}

function isWrongNow(arrivals: Arrivals, nasId: number): boolean {
  const { kinds } = arrivals.ofRouter(nasId);
  const wrong = kinds.get("wrong_secret")?.last;
  const right = (["signed", "accounting", "status"] as const).map((kind) => kinds.get(kind)?.last ?? 0);
  return wrong !== undefined && wrong > Math.max(...right);
}

/** Catches a refusal of `make` as its text. */
export async function madeOr(make: () => Promise<Made>): Promise<Made> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { refusal: error.message };
  }
}
