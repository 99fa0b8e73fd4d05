import { getTableColumns } from "drizzle-orm";
import type { Db } from "../../../db/open.ts";
import { sessions } from "../../../db/schema.ts";
import { fold } from "../text.ts";
import { localDay, type Seconds } from "../time.ts";
import {
  advanceSession,
  isKeyReused,
  type NewSession,
  openSession,
  type Session,
  type SessionReport,
  UNDER_WAY,
} from "./advance.ts";

/** Accounting-On or -Off: the NAS has restarted, or is about to (RFC 2866 section 5.1). */
export interface NasRestart {
  status: "on" | "off";
  at: Seconds;
  nasAddress: string;
}

/** `login` is the User-Name where it is text; other bytes name nobody. `ispId` is the ISP of the NAS, null every one. */
export type AccountingReport =
  | { kind: "session"; report: SessionReport; login: string | undefined; ispId: number | null }
  | { kind: "restart"; restart: NasRestart };

/** What the books ask for after the commit: the subscriber has used up its quota, once per period. */
export interface QuotaCrossed {
  subscriberId: number;
}

/** The accounting of sessions and usage on one connection, its statements prepared once. */
export class AccountingBooks {
  readonly #statements;
  #quarter = { index: -1, day: 0 };

  constructor(db: Db) {
    this.#statements = prepare(db);
  }

  /** Books one report; call it within a write transaction. Repeated and reordered reports leave the same rows. */
  book(accounting: AccountingReport): QuotaCrossed | undefined {
    if (accounting.kind === "restart") {
      const { nasAddress, at } = accounting.restart;
      this.#statements.closeAll.run({ nasAddress, at });
      return undefined;
    }
    const { report, login, ispId } = accounting;
    const { acctSessionId, nasAddress, username, class: sessionClass, nasPort } = report;
    const newest = this.#statements.newest.get({
      acctSessionId,
      nasAddress,
      username,
      class: sessionClass,
      nasPort,
    });
    if (newest && !isKeyReused(newest, report)) {
      const { session, inputDelta, outputDelta } = advanceSession(newest, report);
      this.#update(newest, session);
      return this.#use(newest.subscriberId, inputDelta, outputDelta, report.at);
    }
    const { session, inputDelta, outputDelta } = openSession(report);
    const subscriberId = login === undefined ? null : this.#subscriberOf(login, ispId);
    this.#insert(session, subscriberId);
    return this.#use(subscriberId, inputDelta, outputDelta, report.at);
  }

  /** Writes no column that stays as it is: naming one rewrites every index that it is part of. */
  #update(before: Session, after: NewSession): void {
    const { id } = before;
    const { progress, end, describe } = this.#statements;
    const differs = (key: keyof NewSession) => before[key] !== after[key];
    if (DESCRIPTION.some(differs)) {
      describe.run({ ...after, id, subscriberId: before.subscriberId });
    } else if (END.some(differs)) {
      end.run({ ...progressOf(after), ...endOf(after), id });
    } else if (PROGRESS.some(differs)) {
      progress.run({ ...progressOf(after), id });
    }
  }

  /**
   * A new session on the same port and MAC, on the same address, or of the same subscriber from the same MAC, is the end of
   * the one before on that NAS: its Stop was lost.
   */
  #insert(session: NewSession, subscriberId: number | null): void {
    const { nasAddress, nasPortId, mac, framedIp, startedAt, stoppedAt, updatedAt } = session;
    // what is over already says nothing of where its device is now
    const deviceOf = stoppedAt === null ? subscriberId : null;
    const rivals = this.#statements.rivals.all({
      nasAddress,
      nasPortId,
      mac,
      framedIp,
      subscriberId: deviceOf,
    });
    for (const rival of rivals)
      if (rival.startedAt <= startedAt && rival.updatedAt <= startedAt + UNDER_WAY)
        this.#statements.closeLost.run({ id: rival.id, at: startedAt });
    const newer = Math.min(...rivals.map((rival) => rival.startedAt).filter((at) => at > startedAt));
    const isOver = stoppedAt === null && updatedAt <= newer + UNDER_WAY && newer !== Infinity;
    this.#statements.insert.run({
      ...session,
      ...(isOver && { stoppedAt: newer, closedBy: "lost_stop", terminateCause: "Lost-Stop" }),
      subscriberId,
    });
  }

  /** A subscriber of the NAS's ISP, by the name as sent or the part behind a backslash. */
  #subscriberOf(login: string, ispId: number | null): number | null {
    const { subscriber } = this.#statements;
    const backslash = login.indexOf("\\");
    const found =
      subscriber.get({ key: fold(login), ispId }) ??
      (backslash < 0 ? null : subscriber.get({ key: fold(login.slice(backslash + 1)), ispId }));
    return found?.id ?? null;
  }

  #use(subscriberId: number | null, input: number, output: number, at: Seconds): QuotaCrossed | undefined {
    if (subscriberId === null || input + output === 0) return undefined;
    this.#statements.useDay.run({ subscriberId, day: this.#dayOf(at), input, output });
    const quota = this.#statements.useQuota.get({ subscriberId, octets: input + output });
    if (!quota || quota.total === 0 || quota.used < quota.total || quota.crossedAt !== null) return undefined;
    this.#statements.crossQuota.run({ subscriberId, at });
    return { subscriberId };
  }

  /** The local date; a calendar is asked once a quarter of an hour only, as no zone begins its day within one. */
  #dayOf(at: Seconds): number {
    const index = Math.floor(at / 900);
    if (this.#quarter.index !== index) this.#quarter = { index, day: localDay(at) };
    return this.#quarter.day;
  }
}

/** What every report of a session under way changes. */
const PROGRESS = [
  "updatedAt",
  "sessionTime",
  "inputOctets",
  "outputOctets",
  "counterInput",
  "counterOutput",
] as const;
/** What changes when a session ends or turns out to go on. */
const END = ["stoppedAt", "closedBy", "terminateCause"] as const;
/** What a report changes only when it tells something for the first time, or otherwise than before. */
const DESCRIPTION = [
  "localAddress",
  "nasId",
  "nasPort",
  "nasPortId",
  "nasPortType",
  "nasIp",
  "nasIdentifier",
  "calledStationId",
  "mac",
  "framedIp",
  "framedIpv6Prefix",
  "delegatedIpv6Prefix",
  "startedAt",
] as const;

function progressOf(session: NewSession): Pick<NewSession, (typeof PROGRESS)[number]> {
  const { updatedAt, sessionTime, inputOctets, outputOctets, counterInput, counterOutput } = session;
  return { updatedAt, sessionTime, inputOctets, outputOctets, counterInput, counterOutput };
}

function endOf({ stoppedAt, closedBy, terminateCause }: NewSession): Pick<NewSession, (typeof END)[number]> {
  return { stoppedAt, closedBy, terminateCause };
}

type Value = string | number | Uint8Array | null;
type Values<K extends string> = Record<K, Value>;

/** By hand, not by the query builder: these run for every packet, and an update costs a fifth of its time this way. */
function prepare({ $client }: Db) {
  const columns = Object.entries(getTableColumns(sessions)).filter(([key]) => key !== "id");
  const names = columns.map(([, { name }]) => name);
  const keys = columns.map(([key]) => `$${key}`);
  const selected = columns.map(([key, { name }]) => `${name} AS ${key}`);
  const columnOf = new Map(columns.map(([key, { name }]) => [key, name]));
  const assigned = (fields: readonly string[]) =>
    fields.map((key) => `${columnOf.get(key)} = $${key}`).join(", ");
  // NULL equals nothing, so a session without a MAC address or an address stands in nobody's place
  const rivals = [
    "nas_address = $nasAddress AND nas_port_id = $nasPortId AND mac = $mac",
    "nas_address = $nasAddress AND framed_ip = $framedIp",
    "subscriber_id = $subscriberId AND nas_address = $nasAddress AND mac = $mac",
  ].map(
    (same) =>
      `SELECT id, started_at AS startedAt, updated_at AS updatedAt FROM sessions WHERE ${same} AND stopped_at IS NULL`,
  );

  return {
    newest: $client.query<
      Session,
      [Values<"acctSessionId" | "nasAddress" | "username" | "class" | "nasPort">]
    >(
      `SELECT id, ${selected.join(", ")} FROM sessions
       WHERE acct_session_id = $acctSessionId AND nas_address = $nasAddress AND username = $username
         AND class IS $class AND (class IS NOT NULL OR nas_port IS $nasPort)
       ORDER BY id DESC LIMIT 1`,
    ),
    insert: $client.query<unknown, [Values<keyof Omit<Session, "id">>]>(
      `INSERT INTO sessions (${names.join(", ")}) VALUES (${keys.join(", ")})`,
    ),
    progress: $client.query<unknown, [Values<"id" | (typeof PROGRESS)[number]>]>(
      `UPDATE sessions SET ${assigned(PROGRESS)} WHERE id = $id`,
    ),
    end: $client.query<unknown, [Values<"id" | (typeof PROGRESS | typeof END)[number]>]>(
      `UPDATE sessions SET ${assigned([...PROGRESS, ...END])} WHERE id = $id`,
    ),
    describe: $client.query<unknown, [Values<keyof Session>]>(
      `UPDATE sessions SET ${assigned([...columnOf.keys()])} WHERE id = $id`,
    ),
    rivals: $client.query<
      { id: number; startedAt: number; updatedAt: number },
      [Values<"nasAddress" | "nasPortId" | "mac" | "framedIp" | "subscriberId">]
    >(rivals.join(" UNION ALL ")),
    closeLost: $client.query<unknown, [Values<"id" | "at">]>(
      "UPDATE sessions SET stopped_at = $at, closed_by = 'lost_stop', terminate_cause = 'Lost-Stop' WHERE id = $id",
    ),
    closeAll: $client.query<unknown, [Values<"nasAddress" | "at">]>(
      `UPDATE sessions SET stopped_at = $at, closed_by = 'accounting_on', terminate_cause = 'NAS-Reboot'
       WHERE nas_address = $nasAddress AND stopped_at IS NULL AND started_at <= $at AND updated_at <= $at + ${UNDER_WAY}`,
    ),
    subscriber: $client.query<{ id: number }, [Values<"key" | "ispId">]>(
      "SELECT id FROM subscribers WHERE username_key = $key AND isp_id = ifnull($ispId, isp_id)",
    ),
    useDay: $client.query<unknown, [Values<"subscriberId" | "day" | "input" | "output">]>(
      `INSERT INTO usage_days (subscriber_id, day, input_octets, output_octets) VALUES ($subscriberId, $day, $input, $output)
       ON CONFLICT DO UPDATE SET input_octets = input_octets + excluded.input_octets,
         output_octets = output_octets + excluded.output_octets`,
    ),
    useQuota: $client.query<
      { total: number; used: number; crossedAt: number | null },
      [Values<"subscriberId" | "octets">]
    >(
      `UPDATE services SET quota_used = quota_used + $octets WHERE subscriber_id = $subscriberId
       RETURNING quota_total AS total, quota_used AS used, quota_crossed_at AS crossedAt`,
    ),
    crossQuota: $client.query<unknown, [Values<"subscriberId" | "at">]>(
      "UPDATE services SET quota_crossed_at = $at WHERE subscriber_id = $subscriberId",
    ),
  };
}
