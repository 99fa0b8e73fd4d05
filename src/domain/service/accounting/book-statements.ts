import { getTableColumns } from "drizzle-orm";
import type { Db } from "../../../../db/open.ts";
import { NEXT_SESSION_CHANGE, SESSION_CHANGED } from "../../../../db/record-changes.ts";
import { sessions } from "../../../../db/schema.ts";
import { MOST_OCTETS } from "../../../../db/sum.ts";
import { type Session, UNDER_WAY } from "../sessions/advance.ts";
import { RIVAL, type Rival } from "../sessions/same-nas-port.ts";
import { holderCondition } from "../sessions/session-class.ts";

/** Columns updated by every report of an open session. */
export const PROGRESS = [
  "updatedAt",
  "sessionTime",
  "inputOctets",
  "outputOctets",
  "counterInput",
  "counterOutput",
  "rateInput",
  "rateOutput",
] as const;
/** Columns updated when a session ends or reopens. */
export const END = ["stoppedAt", "closedBy", "terminateCause"] as const;

/** More than are ever open at one address or port of an honest router. */
const MOST_RIVALS = 200;

export type Progress = (number | null)[];

type Value = string | number | Uint8Array | null;
type Values<K extends string> = Record<K, Value>;

/**
 * Plain SQL instead of the query builder, at a fifth of the time, because it runs per packet. The hottest have positional
 * values: each lookup by name costs as much as a column.
 */
export function prepareAccounting({ $client }: Db) {
  const columns = Object.entries(getTableColumns(sessions)).filter(
    ([key]) => key !== "id" && key !== "change",
  );
  const names = columns.map(([, { name }]) => name);
  const keys = columns.map(([key]) => `$${key}`);
  const selected = columns.map(([key, { name }]) => `${name} AS ${key}`);
  const columnByKey = new Map(columns.map(([key, { name }]) => [key, name]));
  const assigned = (fields: readonly string[]) =>
    fields.map((key) => `${columnByKey.get(key)} = $${key}`).join(", ");
  const assignedInTurn = (fields: readonly string[]) =>
    fields.map((key) => `${columnByKey.get(key)} = ?`).join(", ");
  // NULL equals nothing, so a session without MAC or IP address replaces none
  const rivals = [
    "nas_address = $nasAddress AND nas_port_id = $nasPortId AND mac = $mac",
    "nas_address = $nasAddress AND framed_ip = $framedIp",
    "subscriber_id = $subscriberId AND nas_address = $nasAddress AND mac = $mac",
  ].map((same) => `SELECT ${RIVAL} FROM sessions WHERE ${same} AND stopped_at IS NULL`);

  return {
    // an imported session matches whatever its Class and port, which we do not know yet; a lease's Class changes at each renewal
    newest: $client.query<
      Session,
      [
        acctSessionId: string,
        nasAddress: string,
        username: string,
        sessionClass: Uint8Array | null,
        nasPort: number | null,
        holder: Uint8Array | null,
      ]
    >(
      `SELECT id, ${selected.join(", ")} FROM sessions
       WHERE acct_session_id = ?1 AND nas_address = ?2 AND username = ?3
         AND (class IS ?4 AND (class IS NOT NULL OR nas_port IS ?5) OR moved_in = 1 OR ${holderCondition("?6")})
       ORDER BY id DESC LIMIT 1`,
    ),
    insert: $client.query<unknown, [Values<keyof Omit<Session, "id">>]>(
      `INSERT INTO sessions (${names.join(", ")}, change) VALUES (${keys.join(", ")}, iif($stoppedAt IS NULL, 0, ${NEXT_SESSION_CHANGE}))`,
    ),
    progress: $client.query<unknown, [...Progress, id: number]>(
      `UPDATE sessions SET ${assignedInTurn(PROGRESS)} WHERE id = ?`,
    ),
    end: $client.query<
      unknown,
      [
        ...Progress,
        stoppedAt: number | null,
        closedBy: string | null,
        terminateCause: string | null,
        id: number,
      ]
    >(`UPDATE sessions SET ${assignedInTurn([...PROGRESS, ...END])}, ${SESSION_CHANGED} WHERE id = ?`),
    describe: $client.query<unknown, [Values<keyof Session>]>(
      `UPDATE sessions SET ${assigned([...columnByKey.keys()])}, change = iif($stoppedAt IS NULL, 0, ${NEXT_SESSION_CHANGE}) WHERE id = $id`,
    ),
    rivals: $client.query<Rival, [Values<"nasAddress" | "nasPortId" | "mac" | "framedIp" | "subscriberId">]>(
      // in small batches: anybody with a router's secret can report any number of sessions at one address
      `${rivals.join(" UNION ALL ")} LIMIT ${MOST_RIVALS}`,
    ),
    cardRivals: $client.query<Rival, [Values<"cardId" | "nasAddress" | "mac">]>(
      `SELECT ${RIVAL} FROM sessions INDEXED BY sessions_open_card
       WHERE card_id = $cardId AND nas_address = $nasAddress AND mac = $mac AND stopped_at IS NULL`,
    ),
    isFull: $client.query<{ isFull: number }, [Values<"subscriberId">]>(
      `SELECT simultaneous_use <= (SELECT count(*) FROM sessions WHERE subscriber_id = $subscriberId AND stopped_at IS NULL)
         AS isFull FROM services WHERE subscriber_id = $subscriberId`,
    ),
    closeLost: $client.query<unknown, [Values<"id" | "at">]>(
      `UPDATE sessions SET stopped_at = $at, closed_by = 'lost_stop', terminate_cause = 'lost', ${SESSION_CHANGED} WHERE id = $id`,
    ),
    openAt: $client.query<Rival, [Values<"nasAddress" | "at">]>(
      `SELECT ${RIVAL} FROM sessions
       WHERE nas_address = $nasAddress AND stopped_at IS NULL AND started_at <= $at AND updated_at <= $at + ${UNDER_WAY}`,
    ),
    closeRestarted: $client.query<unknown, [Values<"id" | "at">]>(
      `UPDATE sessions SET stopped_at = $at, closed_by = 'accounting_on', terminate_cause = 'NAS-Reboot', ${SESSION_CHANGED} WHERE id = $id`,
    ),
    closeAll: $client.query<unknown, [Values<"nasAddress" | "at">]>(
      `UPDATE sessions SET stopped_at = $at, closed_by = 'accounting_on', terminate_cause = 'NAS-Reboot', ${SESSION_CHANGED}
       WHERE nas_address = $nasAddress AND stopped_at IS NULL AND started_at <= $at AND updated_at <= $at + ${UNDER_WAY}`,
    ),
    subscriber: $client.query<{ id: number }, [key: string, ispId: number | null]>(
      "SELECT id FROM subscribers WHERE username_key = ? AND isp_id = ifnull(?, isp_id)",
    ),
    macSubscriber: $client.query<{ id: number }, [Values<"key" | "ispId">]>(
      "SELECT id FROM subscribers WHERE username_key = $key AND mac_login = 1 AND isp_id = ifnull($ispId, isp_id)",
    ),
    subscriberInIsp: $client.query<{ id: number }, [Values<"subscriberId" | "ispId">]>(
      "SELECT id FROM subscribers WHERE id = $subscriberId AND isp_id = ifnull($ispId, isp_id)",
    ),
    subscriberByMac: $client.query<{ id: number }, [Values<"mac" | "ispId">]>(
      `SELECT id FROM subscribers WHERE mac_address = $mac AND mac_login = 1 AND archived_at IS NULL
         AND isp_id = ifnull($ispId, isp_id) LIMIT 2`,
    ),
    delegatedPrefix: $client.query<{ prefix: string | null }, [Values<"subscriberId">]>(
      "SELECT coalesce(delegated_ipv6_prefix, pool_prefix) AS prefix FROM subscribers WHERE id = $subscriberId",
    ),
    subscriberById: $client.query<{ id: number }, [Values<"subscriberId">]>(
      "SELECT id FROM subscribers WHERE id = $subscriberId",
    ),
    cardById: $client.query<{ id: number }, [Values<"cardId">]>("SELECT id FROM cards WHERE id = $cardId"),
    rate: $client.query<{ rateLimit: string | null }, [Values<"subscriberId">]>(
      "SELECT rate_limit AS rateLimit FROM services WHERE subscriber_id = $subscriberId",
    ),
    cardRate: $client.query<{ rateLimit: string | null }, [Values<"cardId">]>(
      "SELECT b.rate_limit AS rateLimit FROM cards c JOIN card_batches b ON b.id = c.batch_id WHERE c.id = $cardId",
    ),
    useDay: $client.query<unknown, [input: number, output: number, subscriberId: number, day: number]>(
      `UPDATE usage_days SET input_octets = min(input_octets + ?, ${MOST_OCTETS}),
         output_octets = min(output_octets + ?, ${MOST_OCTETS}) WHERE subscriber_id = ? AND day = ?`,
    ),
    beginDay: $client.query<unknown, [subscriberId: number, day: number, input: number, output: number]>(
      "INSERT INTO usage_days (subscriber_id, day, input_octets, output_octets) VALUES (?, ?, ?, ?)",
    ),
    crossQuota: $client.query<unknown, [Values<"subscriberId" | "at">]>(
      "UPDATE services SET quota_crossed_at = $at WHERE subscriber_id = $subscriberId",
    ),
  };
}
