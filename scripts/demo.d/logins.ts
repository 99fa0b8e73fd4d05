import type { Database } from "bun:sqlite";
import { localDay, type Seconds } from "../../src/domain/core/time/time.ts";
import type { Line } from "./lines.ts";
import { DAYS } from "./money.ts";
import { DESCRIBED, makeMac, routers } from "./people.ts";
import { Random } from "./random.ts";

const DAY = 86_400;
const HOUR = 3600;
/** Days of which each decision is kept. */
const KEPT = 7;

/** Decisions of the last days, the refusals of the last hour that somebody ought to look at, and the sums of all days. */
export function writeLogins(client: Database, lines: readonly Line[], now: Seconds): void {
  const refused = makeRefused(client, lines, now);
  const rows = [...listAccepted(client, now), ...refused].sort((a, b) => a.at - b.at);
  const insert = client.query<unknown, (number | string | null)[]>(
    `INSERT INTO auth_log (at, nas_id, nas_address, username, subscriber_id, accepted, reason, method, mac) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const { at, nasId, username, subscriberId, reason, mac } of rows) {
    const address = routers.find(({ id }) => id === nasId)?.address ?? "127.0.0.1";
    const accepted = reason.startsWith("accepted") ? 1 : 0;
    insert.run(at, nasId, address, username, subscriberId, accepted, reason, "chap", mac);
  }
  writeDays(client, now);
}

/** Decisions in the order of their time, as they would have been stored. */
export function sortLogins(client: Database): void {
  client.run("CREATE TEMP TABLE decided AS SELECT * FROM auth_log ORDER BY at, id");
  client.run("UPDATE temp.decided SET id = rowid");
  client.run("DELETE FROM auth_log");
  client.run("INSERT INTO auth_log SELECT * FROM temp.decided ORDER BY id");
  client.run("DROP TABLE temp.decided");
}

interface Decided {
  readonly at: Seconds;
  readonly nasId: number;
  readonly username: string;
  readonly subscriberId: number | null;
  readonly reason: string;
  readonly mac: string;
}

function listAccepted(client: Database, now: Seconds): Decided[] {
  return client
    .query<Decided, [number]>(
      `SELECT started_at - 1 AS at, nas_id AS nasId, username, subscriber_id AS subscriberId, 'accepted' AS reason, mac
       FROM sessions WHERE started_at > ? AND card_id IS NULL`,
    )
    .all(now - KEPT * DAY);
}

/** Each with what it is known by: how often in the last hour, and why. */
function makeRefused(client: Database, all: readonly Line[], now: Seconds): Decided[] {
  const lines = all.filter(({ id }) => id > DESCRIBED);
  const random = new Random(17);
  const expired = client
    .query<Line, [number, number]>(
      `SELECT s.id, s.username, s.nas_id AS nasId FROM services v JOIN subscribers s ON s.id = v.subscriber_id
       WHERE v.expires_at BETWEEN ? AND ? AND s.id > 200 AND s.status = 1 ORDER BY v.expires_at LIMIT 2`,
    )
    .all(now - 4 * DAY, now - 2 * DAY);
  const cases: readonly (readonly [Line | undefined, number, string, number, string?])[] = [
    [lines[60], 41, "mac_locked", 5],
    [expired[0], 12, "expired", 0],
    [lines[90], 9, "unknown_user", 0, misspelt(lines[90]?.username ?? "")],
    [lines[120], 7, "wrong_password", 0],
    [lines[150], 4, "too_many_sessions", 3],
    [expired[1], 2, "expired", 0],
    [lines[200], 1, "wrong_password", 0],
  ];
  const often = cases.flatMap(([line, times, reason, device, username]) =>
    line === undefined
      ? []
      : Array.from({ length: times }, (_, index) => ({
          at: now - 20 - Math.floor((index * (HOUR - 60)) / times),
          nasId: line.nasId,
          reason,
          mac: makeMac(line.id, device),
          username: username ?? line.username,
          subscriberId: username === undefined ? line.id : null,
        })),
  );
  // whoever is refused is not online
  for (const [line, , reason] of cases)
    if (line !== undefined && reason !== "unknown_user" && reason !== "too_many_sessions")
      client.run(
        `UPDATE sessions SET started_at = min(started_at, ?1 - 1800), updated_at = ?1, stopped_at = ?1, session_time = ?1 - min(started_at, ?1 - 1800), terminate_cause = 'Lost-Carrier', closed_by = 'stop', rate_input = NULL, rate_output = NULL
         WHERE subscriber_id = ?2 AND stopped_at IS NULL`,
        [now - HOUR - 600, line.id],
      );
  client.run("UPDATE subscribers SET mac_lock = 1, mac_address = ? WHERE id = ?", [
    makeMac(lines[60]?.id ?? 0),
    lines[60]?.id ?? 0,
  ]);
  const seldom = Array.from({ length: 260 }, () => {
    const line = lines[random.between(0, lines.length - 1)];
    if (!line) throw new Error("there are no lines");
    const at = now - HOUR - random.between(0, KEPT * DAY - 2 * HOUR);
    const reason = random.pick([
      ["wrong_password", 6],
      ["too_many_sessions", 2],
    ]);
    return {
      at,
      nasId: line.nasId,
      username: line.username,
      subscriberId: line.id,
      reason,
      mac: makeMac(line.id),
    };
  });
  return [...often, ...seldom];
}

/** The last letter twice. */
function misspelt(username: string): string {
  return username.replace(/([a-z])(\d*)$/, "$1$1$2");
}

const reasons = [
  ["accepted", 1, 1400],
  ["wrong_password", 0, 60],
  ["expired", 0, 110],
  ["mac_locked", 0, 24],
  ["unknown_user", 0, 18],
  ["too_many_sessions", 0, 9],
] as const;

function writeDays(client: Database, now: Seconds): void {
  const random = new Random(19);
  const insert = client.query<unknown, (number | string)[]>(
    "INSERT INTO login_days VALUES (?, ?, 1, ?, ?, ?)",
  );
  for (let back = DAYS - 1; back >= 0; back -= 1)
    for (const { id, share } of routers)
      for (const [reason, accepted, most] of reasons) {
        const logins = Math.round(((most * share) / 100) * (0.7 + random.next() * 0.6));
        if (logins > 0) insert.run(localDay(now - back * DAY), id, accepted, reason, logins);
      }
}
