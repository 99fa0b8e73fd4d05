import type { Received } from "../messages/post.ts";

/** A rule of the trial: seconds before the end of a service. */
export interface Rule {
  readonly name: string;
  readonly before: number;
}

/** A message as the store has it. */
export interface Row {
  readonly uid: string;
  readonly rule: string;
  readonly subscriberId: number;
  readonly state: string;
  readonly reason: string | null;
  readonly dueAt: number;
  readonly endedAt: number | null;
}

export interface Story {
  readonly rules: readonly Rule[];
  /** When the service of each subscriber ends. */
  readonly ends: ReadonlyMap<number, number>;
  /** When the box was back, and when all that had been due by then was sent. */
  readonly backAt: number;
  readonly drainedAt: number;
  readonly lateBy: number;
  readonly perMinute: number;
  readonly taken: readonly Received[];
}

/** Seconds' worth of a channel's rate that may leave at once, and that a message may be under way. */
const BURST = 10;
const UNDER_WAY = 90;
/** Times as long as the rate says that it may take on a machine that is never quiet. */
const SLOWER = 2;

/** What was not as an independent look at the clock says. */
export function reminderFaults(rows: readonly Row[], story: Story): string[] {
  return [...rowFaults(rows, story), ...peopleFaults(rows, story), ...rateFaults(rows, story)];
}

/** Each rule has spoken of each end once: what was due longer ago than anybody wants to hear of it, and only that, was skipped. */
function rowFaults(rows: readonly Row[], { rules, ends, backAt, drainedAt, lateBy }: Story): string[] {
  const faults: string[] = [];
  const byName = Map.groupBy(rows, ({ rule, subscriberId }) => `${rule} ${subscriberId}`);
  for (const { name, before } of rules)
    for (const [id, end] of ends) {
      const all = byName.get(`${name} ${id}`) ?? [];
      const [row] = all;
      if (!row || all.length > 1) {
        faults.push(`${name} of ${id} is planned ${all.length} times`);
        continue;
      }
      const { state, reason, dueAt, endedAt } = row;
      const tell = (what: string) =>
        faults.push(`${name} of ${id}, due ${end - before - backAt} s after the end of the outage, ${what}`);
      if (dueAt !== end - before) tell(`is due at ${dueAt}`);
      const deadline = end - before + lateBy;
      const mustSkip = deadline < backAt;
      // what waited for its turn may have become too late meanwhile
      const maySkip = deadline < drainedAt;
      if (state === "skipped" ? !maySkip : mustSkip || state !== "sent") tell(`is ${state}: ${reason}`);
      if (state === "skipped" && !/late by more than its rule allows/.test(reason ?? ""))
        tell(`says ${reason}`);
      if (state === "sent" && (endedAt ?? 0) > deadline + UNDER_WAY)
        tell(`was sent ${(endedAt ?? 0) - dueAt} s late`);
    }
  if (rows.length !== rules.length * ends.size)
    faults.push(`${rows.length} messages in place of ${rules.length * ends.size}`);
  return faults;
}

/** Who was told was told once, and nobody else was. */
function peopleFaults(rows: readonly Row[], { taken: received }: Story): string[] {
  const faults: string[] = [];
  const sent = new Set(rows.filter(({ state }) => state === "sent").map(({ uid }) => uid));
  const ids = new Set(received.map(({ id }) => id));
  const texts = new Set(received.map(({ text }) => text));
  if (ids.size !== received.length) faults.push(`${received.length - ids.size} messages were sent twice`);
  if (texts.size !== received.length) faults.push(`${received.length - texts.size} people were told twice`);
  const wrong = sent.symmetricDifference(ids);
  if (wrong.size > 0) faults.push(`${wrong.size} messages were sent and not taken, or the other way round`);
  return faults;
}

/** In no minute more leaves than the channel may send; and what is due does not wait for much longer than that takes. */
function rateFaults(rows: readonly Row[], { perMinute, backAt, drainedAt }: Story): string[] {
  const most = perMinute + (perMinute * BURST) / 60;
  const faults = [...perMinuteOf(rows)]
    .filter(([, count]) => count > most)
    .map(([minute, count]) => `${count} left in minute ${minute}, at a rate of ${perMinute}`);
  const atOnce = rows.filter(({ state, endedAt }) => state === "sent" && (endedAt ?? 0) <= drainedAt).length;
  const seconds = drainedAt - backAt;
  if (seconds > SLOWER * ((atOnce * 60) / perMinute) + UNDER_WAY)
    faults.push(`${atOnce} that were due took ${seconds} s, at a rate of ${perMinute} a minute`);
  return faults;
}

/** How many were sent in each minute of the clock. */
export function perMinuteOf(rows: readonly Row[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { state, endedAt } of rows)
    if (state === "sent") {
      const minute = Math.floor((endedAt ?? 0) / 60);
      counts.set(minute, (counts.get(minute) ?? 0) + 1);
    }
  return counts;
}
