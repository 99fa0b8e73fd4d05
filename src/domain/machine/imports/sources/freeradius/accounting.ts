import type { MovedSession, Origin } from "../../model.ts";
import { ByName, type List, type Scratch } from "../../scratch.ts";
import type { DumpRow } from "../../dump/row.ts";
import { parseStationMac } from "../../../../core/fields/text.ts";
import type { Seconds } from "../../../../core/time/time.ts";
import { readText } from "../row-text.ts";
import type { RowClock } from "../row-clock.ts";

const DAY = 86_400;
const DAYS = 32;
const STALE = DAY;

const MANY = 20_000;

export interface Tally {
  firstStart: Seconds;
  lastStart: Seconds;
  lastKind: "ppp" | "hotspot" | null;
  up: number;
  down: number;
  total: number;
  days: number[] | null;
}

interface Span {
  readonly from: Seconds;
  readonly to: Seconds;
  readonly up: number;
  readonly down: number;
}

export class Accounting {
  readonly users: ByName<Tally>;
  readonly open: List<MovedSession>;
  /** Sessions across the month's beginning, divided by time. */
  divided = 0;
  /** Counters beyond exact integers. */
  clipped = 0;
  readonly #clock: RowClock;
  readonly #now: Seconds;
  readonly #monthStart: Seconds;
  readonly #firstDay: Seconds;
  readonly #late = new Map<string, Tally>();
  #newest = 0;

  constructor(scratch: Scratch, clock: RowClock, { now, zone }: { now: Seconds; zone: string }) {
    this.users = new ByName(scratch);
    this.open = scratch.list();
    this.#clock = clock;
    this.#now = now;
    const today = Temporal.Instant.fromEpochMilliseconds(now * 1000).toZonedDateTimeISO(zone);
    this.#monthStart = Math.floor(today.with({ day: 1 }).startOfDay().epochMilliseconds / 1000);
    this.#firstDay = now - DAYS * DAY;
  }

  add(row: DumpRow, file: string): void {
    const username = readText(row, "username");
    const from = this.#clock.seconds(readText(row, "acctstarttime"));
    if (username === "" || from === undefined) return;
    const stop = this.#clock.seconds(readText(row, "acctstoptime"));
    // clocks of routers may be ahead
    const to = Math.max(from, Math.min(stop ?? this.#heard(row, from), this.#now));
    const span = {
      from,
      to,
      up: this.#count(row, "acctinputoctets"),
      down: this.#count(row, "acctoutputoctets"),
    };
    this.#newest = Math.max(this.#newest, Math.min(to, this.#now));
    this.#tally(username, span, row);
    if (stop === undefined) this.#addOpen(username, span, row, { file, line: row.line });
  }

  end(): void {
    for (const [username, tally] of this.#late) this.users.set(username, tally);
    this.#late.clear();
  }

  /** Not heard of lately. */
  isLost({ updatedAt }: MovedSession): boolean {
    return updatedAt < this.#newest - STALE;
  }

  /** By whole days; null: too long ago. */
  usedSince(tally: Tally, since: Seconds): number | null {
    if (since < this.#firstDay) return tally.firstStart >= since ? tally.total : null;
    const first = Math.floor((since - this.#firstDay) / DAY);
    const late = tally.days?.slice(Math.max(0, first)) ?? [];
    return Math.round(late.reduce((sum, bytes) => sum + bytes, 0));
  }

  #heard(row: DumpRow, from: Seconds): Seconds {
    const updated = this.#clock.seconds(readText(row, "acctupdatetime")) ?? from;
    return Math.max(updated, from + this.#count(row, "acctsessiontime"));
  }

  #tally(username: string, span: Span, row: DumpRow): void {
    const tally = this.#late.get(username) ?? this.#findTally(username, span.from);
    tally.firstStart = Math.min(tally.firstStart, span.from);
    if (span.from >= tally.lastStart) {
      tally.lastStart = span.from;
      tally.lastKind = guessKind(row);
    }
    tally.total += span.up + span.down;
    if (span.to >= this.#monthStart) this.#addMonth(tally, span);
    if (span.to >= this.#firstDay && span.up + span.down > 0) this.#addDays(tally, span);
  }

  #findTally(username: string, from: Seconds): Tally {
    if (this.#late.size >= MANY) this.end();
    const none = { firstStart: from, lastStart: 0, lastKind: null, up: 0, down: 0, total: 0, days: null };
    const tally = this.users.get(username) ?? none;
    this.#late.set(username, tally);
    return tally;
  }

  #addMonth(tally: Tally, { from, to, up, down }: Span): void {
    const isDivided = from < this.#monthStart;
    if (isDivided) this.divided++;
    const share = isDivided ? (to - this.#monthStart) / (to - from) : 1;
    tally.up += Math.round(up * share);
    tally.down += Math.round(down * share);
  }

  /** Spreads a session's bytes evenly over its time. */
  #addDays(tally: Tally, { from, to, up, down }: Span): void {
    const days = (tally.days ??= Array.from({ length: DAYS + 1 }, () => 0));
    const length = Math.max(to - from, 1);
    for (let at = Math.max(from, this.#firstDay); at <= to;) {
      const day = Math.floor((at - this.#firstDay) / DAY);
      const end = Math.min(this.#firstDay + (day + 1) * DAY, Math.max(to, at + 1));
      const index = Math.min(day, DAYS);
      days[index] = (days[index] ?? 0) + ((up + down) * (end - at)) / length;
      at = end;
      if (at >= to) break;
    }
  }

  #addOpen(username: string, { from, to, up, down }: Span, row: DumpRow, at: Origin): void {
    const acctSessionId = readText(row, "acctsessionid");
    const nasAddress = readText(row, "nasipaddress").replace(/\/(32|128)$/, "");
    if (acctSessionId === "" || nasAddress === "") return;
    this.open.push({
      at,
      username,
      nasAddress,
      acctSessionId,
      startedAt: from,
      updatedAt: to,
      sessionTime: this.#count(row, "acctsessiontime") || to - from,
      inputOctets: up,
      outputOctets: down,
      framedIp: readText(row, "framedipaddress").replace(/\/32$/, "") || null,
      mac: parseStationMac(readText(row, "callingstationid")) ?? null,
      nasPortId: readText(row, "nasportid") || null,
      calledStationId: readText(row, "calledstationid") || null,
    });
  }

  #count(row: DumpRow, column: string): number {
    const count = Number(readText(row, column) || 0);
    if (!(count > 0)) return 0;
    if (count <= Number.MAX_SAFE_INTEGER) return Math.floor(count);
    this.clipped++;
    return Number.MAX_SAFE_INTEGER;
  }
}

/** PPP says so; a hotspot shows only in its port. */
function guessKind(row: DumpRow): Tally["lastKind"] {
  const protocol = readText(row, "framedprotocol");
  const service = readText(row, "servicetype");
  const port = readText(row, "nasporttype");
  if (/^(ppp|1)$/i.test(protocol) || /^(framed|framed-user|2)$/i.test(service)) return "ppp";
  if (/^(login|login-user|1)$/i.test(service) || /^(wireless|19$)/i.test(port)) return "hotspot";
  if (/^(virtual|5)$/i.test(port)) return "ppp";
  return /^(ethernet|15)$/i.test(port) && protocol === "" ? "hotspot" : null;
}
