import { type Db, write } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import {
  addLines,
  bookOutage,
  type DarkLine,
  endOrphans,
  noteBack,
  noteSeen,
  type OpenOutage,
  readOpen,
  announcedOutages,
} from "./book.ts";
import type { Evidence } from "./evidence.ts";
import { type Loss, lossesSince } from "./losses.ts";
import { mostDropped, mostLost } from "./ordinary.ts";
import { SilenceWatch, type Silence } from "./silence.ts";
import {
  answeringPorts,
  byNumber,
  findSuspects,
  hasLoss,
  type Subject,
  type Suspect,
  TOGETHER,
} from "./suspects.ts";
import { announceOther, timestamp } from "../../core/events/announce.ts";

/** Seconds that a check looks back; losses settled later are found by reports. */
const LOOK_BACK = 300;
/** Seconds in which an outage can grow. */
const GROWS = 600;
/** Fewest lines of any outage. */
const FEWEST = 4;
/** Seconds that a group's usual losses are cached. */
const KEPT = 900;

export interface Watched {
  readonly found: number;
  readonly ended: number;
}

/** Detects outages and ends them. Pass the same `watch` each time. */
export function watchOutages(
  by: Actor,
  { watch }: { watch: OutageWatch },
  { now }: { now: Seconds },
): Promise<Watched> {
  permit(by, "watchOutages");
  return watch.look(now);
}

/** Reads what was booked since the last check; history only when something happened. */
export class OutageWatch {
  readonly #db: Db;
  readonly #ears: SilenceWatch;
  readonly #since: Seconds;
  readonly #most = new Map<string, { at: Seconds; most: number }>();

  /** No router was heard before `since`. */
  constructor(db: Db, { since }: { since: Seconds }) {
    this.#db = db;
    this.#ears = new SilenceWatch(db);
    this.#since = since;
  }

  async look(now: Seconds): Promise<Watched> {
    this.#ears.listen(now);
    const losses = lossesSince(this.#db, now - LOOK_BACK, now);
    const ended = this.#follow(losses, now);
    const found = this.#findSilent(now);
    if (losses.length < FEWEST) return { found, ended };
    return { found: found + (await this.#findLost(losses, now)), ended };
  }

  /** Extends and ends known outages. Returns how many ended. */
  #follow(losses: readonly Loss[], now: Seconds): number {
    const open = readOpen(this.#db);
    if (open.length === 0) return 0;
    return write(this.#db, (tx) => {
      endOrphans(tx, now);
      for (const one of open) {
        const more = losses.filter(
          (loss) =>
            hasLoss(one.subject, loss) &&
            loss.at >= one.beganAt - TOGETHER[one.subject.kind] &&
            loss.at <= one.beganAt + GROWS,
        );
        if (more.length > 0) addLines(tx, one.id, more);
      }
      return open.filter((one) => this.#isOver(tx, one, now)).length;
    });
  }

  #isOver(db: Db, outage: OpenOutage, now: Seconds): boolean {
    const { subject, beganAt, sign } = outage;
    if (sign === "silent" && subject.kind === "router") {
      const heardAt = this.#ears.heardAt(subject.nasId) ?? 0;
      if (heardAt <= beganAt) return false;
      tellRouter(db, { type: "router.back", nasId: subject.nasId, since: heardAt, beganAt }, now);
      if (noteSeen(db, outage, heardAt)) return true;
    }
    return noteBack(db, outage, now);
  }

  #findSilent(now: Seconds): number {
    const silences = this.#ears.silent(this.#since, now);
    if (silences.length === 0) return 0;
    const known = new Set(readOpen(this.#db).map(({ subject }) => keyOf(subject)));
    const found = silences.filter(({ nasId, ispId }) => !known.has(keyOf({ kind: "router", ispId, nasId })));
    for (const silence of found) this.#bookSilence(silence, silences, now);
    return found.length;
  }

  #bookSilence(silence: Silence, silences: readonly Silence[], now: Seconds): void {
    const { nasId, ispId, heardAt, usual, overdue } = silence;
    const lines = linesAt(this.#db, nasId, heardAt);
    const others = this.#ears.others(nasId, now);
    const evidence: Evidence = {
      sign: "silent",
      usual,
      overdue,
      others,
      othersHeard: others - silences.length + 1,
    };
    write(this.#db, (tx) => {
      bookOutage(tx, { subject: { kind: "router", ispId, nasId }, lines, evidence }, now);
      tellRouter(tx, { type: "router.silent", nasId, since: heardAt, beganAt: heardAt }, now);
    });
  }

  /** A whole is announced after its part, but not the reverse. */
  async #findLost(losses: readonly Loss[], now: Seconds): Promise<number> {
    let found = 0;
    const announced = announcedOutages(this.#db, now - 2 * LOOK_BACK);
    if (losses.every(({ subscriberId }) => announced.get(subscriberId) === "router")) return 0;
    for (const suspect of findSuspects(this.#db, losses, now)) {
      const { subject } = suspect;
      const known = suspect.losses.filter(({ subscriberId }) =>
        isWithin(subject, announced.get(subscriberId)),
      );
      if (known.length * 2 >= suspect.losses.length) continue;
      const most = await this.#countMost(suspect, now);
      if (suspect.losses.length <= most + Math.sqrt(most)) continue;
      const evidence = this.#toEvidence(suspect, most);
      write(this.#db, (tx) => bookOutage(tx, { subject, lines: suspect.losses, evidence }, now));
      found++;
      for (const { subscriberId } of suspect.losses) announced.set(subscriberId, subject.kind);
    }
    return found;
  }

  #toEvidence({ subject, losses, answering }: Suspect, most: number): Evidence {
    const seconds = (losses.at(-1)?.at ?? 0) - (losses[0]?.at ?? 0);
    const ports = losses.flatMap(({ port }) => (port === null ? [] : [port])).sort(byNumber.compare);
    const isBox = subject.kind === "box";
    return {
      sign: "lost",
      seconds,
      answering,
      most,
      ports: isBox ? ports : [],
      answeringPorts: isBox ? answeringPorts(this.#db, subject) : [],
    };
  }

  /** Most lines of a suspect lost together before; slow, so cached. */
  async #countMost({ subject, losses }: Suspect, now: Seconds): Promise<number> {
    const key = keyOf(subject);
    const known = this.#most.get(key);
    if (known && now - known.at < KEPT) return known.most;
    const before = losses[0]?.at ?? now;
    const world = { within: TOGETHER[subject.kind], now, before };
    const most = await mostBefore(this.#db, subject, world);
    this.#most.set(key, { at: now, most });
    return most;
  }
}

function mostBefore(
  db: Db,
  subject: Subject,
  world: { within: Seconds; now: Seconds; before: Seconds },
): Promise<number> | number {
  const { ispId } = subject;
  switch (subject.kind) {
    case "router":
      return mostDropped(db, subject.nasId, world);
    case "area":
      return mostLost(db, { ispId, column: "area_id", value: subject.areaId }, world);
    case "box":
      return mostLost(db, { ispId, column: "box_number", value: subject.boxNumber }, world);
  }
}

const size = { box: 0, area: 1, router: 2 } as const;

/** Whether a known outage covers the subject. */
const isWithin = (subject: Subject, announced: Subject["kind"] | undefined) =>
  announced !== undefined && size[announced] >= size[subject.kind];

const keyOf = (subject: Subject): string => JSON.stringify(subject);

/** Lines of a router when last heard. */
function linesAt({ $client }: Db, nasId: number, at: Seconds): DarkLine[] {
  return $client
    .query<{ subscriberId: number }, [number]>(
      `SELECT DISTINCT o.subscriber_id AS subscriberId FROM sessions o INDEXED BY sessions_open_board
       WHERE o.stopped_at IS NULL AND o.nas_id = ? AND o.subscriber_id IS NOT NULL`,
    )
    .all(nasId)
    .map(({ subscriberId }) => ({ subscriberId, at }));
}

/** Events for a silent router and for its return, once per outage. */
function tellRouter(
  tx: Db,
  {
    type,
    nasId,
    since,
    beganAt,
  }: { type: "router.silent" | "router.back"; nasId: number; since: Seconds; beganAt: Seconds },
  now: Seconds,
): void {
  const router = tx.$client
    .query<{ ispId: number | null; name: string; address: string }, [number]>(
      "SELECT isp_id AS ispId, name, address FROM nas WHERE id = ?",
    )
    .get(nasId);
  if (!router) return; // removed since
  const { ispId, name, address } = router;
  const data = { router: { id: nasId, name, address }, since: timestamp(since) };
  announceOther(tx, now, { type, ispId, dueKey: `${nasId} ${beganAt}`, data });
}
