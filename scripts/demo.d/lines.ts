import type { Database } from "bun:sqlite";
import type { Seconds } from "../../src/domain/core/time/time.ts";
import { writeLogins } from "./logins.ts";
import { DAYS } from "./money.ts";
import { makeMac, routers } from "./people.ts";
import { Random } from "./random.ts";
import { AWAY, type Curve, onlineCurve } from "./curve.ts";
import { writeUsage } from "./usage.ts";

const DAY = 86_400;

/** A line that works at this moment. */
export interface Line {
  readonly id: number;
  readonly username: string;
  readonly nasId: number;
  readonly activatedAt: Seconds | null;
  /** Theirs from a pool. */
  readonly poolIp: string | null;
  /** Megabits a second down, as the package has it. */
  readonly down: number;
}

/** Sessions, logins, usage and the samples of routers. */
export function writeLines(client: Database, now: Seconds): void {
  const lines = client
    .query<Line, [number]>(
      `SELECT s.id, s.username, s.nas_id AS nasId, v.activated_at AS activatedAt, s.pool_ip AS poolIp, coalesce(CAST(p.rate_limit AS INTEGER), 10) AS down
       FROM subscribers s JOIN services v ON v.subscriber_id = s.id JOIN packages p ON p.id = v.package_id
       WHERE s.status = 1 AND v.expires_at > ? AND s.connection_type_id <= 2 ORDER BY s.id`,
    )
    .all(now);
  const curve = onlineCurve(lines, now);
  writeSessions(client, lines, curve, now);
  writeSamples(client, curve, now);
  writeUsage(client, lines, now);
  writeLogins(client, lines, now);
  writeOutage(client, lines, curve, now);
}

const columns =
  "nas_id, nas_address, acct_session_id, username, subscriber_id, nas_port_id, nas_port_type, mac, framed_ip, started_at, updated_at, stopped_at, session_time, input_octets, output_octets, counter_input, counter_output, terminate_cause, closed_by, accepted_as, rate_input, rate_output";

/** Some sessions of each line in the last days, and as many open ones as the curve has by now. */
function writeSessions(client: Database, lines: readonly Line[], curve: Curve, now: Seconds): void {
  const random = new Random(11);
  const insert = client.query<unknown, (number | string | null)[]>(
    `INSERT INTO sessions (${columns}) VALUES (${columns.replaceAll(/\w+/g, "?")})`,
  );
  const open = new Map(routers.map(({ id }) => [id as number, curve.sessions(id, now)]));
  let number = 0;
  const put = (line: Line, from: Seconds, to: Seconds | null, device = 0) => {
    number += 1;
    const until = to ?? now - random.between(0, 240);
    const seconds = Math.max(60, until - from);
    const down = Math.round(seconds * line.down * 2200 * (0.2 + random.next()));
    const up = Math.round(down * (0.08 + random.next() * 0.1));
    // most are read on and few download, so that all of them come to what the routers' curves have
    const use = 0.03 * random.next() + 0.95 * random.next() ** 30;
    const rate = to === null ? line.down * 1e6 * use : null;
    const address = routers.find(({ id }) => id === line.nasId)?.address ?? "127.0.0.1";
    insert.run(
      ...[line.nasId, address, `8${number.toString(16).padStart(7, "0")}`, line.username, line.id],
      ...[`vlan${100 + line.nasId}-port${((line.id + device) % 48) + 1}`, 15, makeMac(line.id, device)],
      line.poolIp ?? `100.64.${line.nasId * 16 + (line.id >> 8)}.${line.id & 255}`,
      ...[from, until, to, seconds, up, down, up, down],
      ...(to === null
        ? [null, null]
        : [
            random.pick([
              ["Lost-Carrier", 5],
              ["User-Request", 3],
              ["Idle-Timeout", 2],
            ]),
            "stop",
          ]),
      "accepted",
      rate === null ? null : Math.round(rate * 0.1),
      rate === null ? null : Math.round(rate),
    );
  };
  for (const line of lines) {
    const begun = Math.max(line.activatedAt ?? 0, now - DAYS * DAY);
    let at = now - random.between(1, 40) * 3600;
    for (let count = random.between(6, 20); count > 0 && at > begun; count -= 1) {
      const length = random.between(1, 30) * 1800;
      if (at - length > begun) put(line, at - length, at);
      at -= length + random.between(1, 60) * 3600;
    }
  }
  for (const line of shuffled(lines, random)) {
    const left = open.get(line.nasId) ?? 0;
    if (left <= 0) continue;
    open.set(line.nasId, left - 1);
    put(line, now - random.between(300, 40 * 3600), null);
  }
  // one name from two houses, at once and within the hour
  const [shared, other] = lines.slice(40, 42);
  for (const line of [shared, other])
    if (line)
      for (const device of [0, 3]) put(line, now - 1800 - device * 300, now - 900 - device * 100, device);
}

function shuffled(lines: readonly Line[], random: Random): Line[] {
  return lines
    .map((line) => ({ line, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ line }) => line);
}

/** Minutes of the last eight days, hours of all of them. */
function writeSamples(client: Database, curve: Curve, now: Seconds): void {
  const minute = client.query<unknown, number[]>("INSERT INTO nas_minutes VALUES (?, ?, 1, ?, ?, ?, ?, ?)");
  const lastMinute = now - (now % 60);
  for (let at = lastMinute - 8 * DAY; at < lastMinute; at += 60)
    for (const { id } of routers) {
      const sessions = curve.sessions(id, at);
      const [input, output] = curve.octets(id, at, 60);
      const logins = curve.logins(id, at);
      minute.run(id, at, sessions, logins, logins > 3 ? 1 : 0, input, output);
    }
  const hour = client.query<unknown, number[]>("INSERT INTO nas_hours VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?)");
  const lastHour = now - (now % 3600) - 3600;
  for (let at = lastHour - DAYS * DAY; at < lastHour; at += 3600)
    for (const { id } of routers) {
      const sessions = curve.sessions(id, at + 1800);
      const [input, output] = curve.octets(id, at + 1800, 3600);
      hour.run(id, at, sessions, curve.logins(id, at) * 60, 12, input, output, Math.round(sessions * 1.04));
    }
}

/** What is noticed of a router that was away: as the outage itself is kept. */
function writeOutage(client: Database, all: readonly Line[], curve: Curve, now: Seconds): void {
  const { from, to } = curve.away(now);
  const evidence = JSON.stringify({ sign: "silent", usual: 25, overdue: 40, others: 3, othersHeard: 3 });
  client
    .query(
      `INSERT INTO outages (isp_id, kind, nas_id, began_at, found_at, ended_at, lines, evidence) VALUES (1, 'router', ?, ?, ?, ?, ?, ?)`,
    )
    .run(AWAY, from, from + 150, to, curve.sessions(AWAY, from - 60), evidence);
  const line = client.query<unknown, number[]>(
    "INSERT INTO outage_lines SELECT max(id), ?, ?, ? FROM outages",
  );
  const random = new Random(23);
  const dark = all.filter(({ nasId }) => nasId === AWAY).slice(0, curve.sessions(AWAY, from - 60));
  for (const { id } of dark) line.run(id, from + random.between(0, 9), to + random.between(5, 840));
}
