import type { Db } from "../../../../db/open.ts";
import type { SessionEvents } from "../../core/events/sessions.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { Authority, Owner } from "./authority.ts";
import { type NewSession, type Session, UNDER_WAY } from "../sessions/advance.ts";
import { END, type prepareAccounting, type Progress, PROGRESS } from "./book-statements.ts";
import { HolderLimit } from "./holder-limit.ts";
import { type Rival, SameNasPort } from "../sessions/same-nas-port.ts";

export class SessionRows {
  readonly #statements: ReturnType<typeof prepareAccounting>;
  readonly #sameNasPort: SameNasPort;
  readonly #events: SessionEvents;
  readonly #limit: HolderLimit;

  constructor(db: Db, statements: ReturnType<typeof prepareAccounting>, events: SessionEvents) {
    this.#events = events;
    this.#statements = statements;
    this.#sameNasPort = new SameNasPort(db);
    this.#limit = new HolderLimit(db);
  }

  /** Skips unchanged columns: naming one rewrites each of its indexes. */
  update(before: Session, after: NewSession, now: Seconds): void {
    const { id } = before;
    const { progress, end, describe } = this.#statements;
    if (isDescribedAnew(before, after)) {
      describe.run({ ...after, id, subscriberId: before.subscriberId, cardId: before.cardId });
    } else if (differ(END, before, after) || (after.stoppedAt !== null && differ(PROGRESS, before, after))) {
      const { stoppedAt, closedBy, terminateCause } = after;
      end.run(...toProgress(after), stoppedAt, closedBy, terminateCause, id);
    } else if (differ(PROGRESS, before, after)) {
      progress.run(...toProgress(after), id);
    }
    if (before.stoppedAt !== null && after.stoppedAt === null) this.#bound(before, id, now);
  }

  /**
   * A new session ends an earlier one on the same NAS whose Stop was lost: same NAS-Port-Id and MAC, same address, same
   * subscriber or card from the same MAC, or same subscriber and NAS-Port without a known MAC. With an `authority` only its own
   * sessions.
   */
  insert(
    session: NewSession,
    { subscriberId, cardId }: Owner,
    { now, authority }: { now: Seconds; authority: Authority | undefined },
  ): number {
    const { nasAddress, nasPortId, mac, framedIp, startedAt, stoppedAt, updatedAt } = session;
    // an already closed session says nothing about where its device is now
    const deviceHolder = stoppedAt === null ? subscriberId : null;
    const found = this.#statements.rivals.all({
      nasAddress,
      nasPortId,
      mac,
      framedIp,
      subscriberId: deviceHolder,
    });
    // one with several of these in common is found several times
    const all = found.length < 2 ? found : [...new Map(found.map((one) => [one.id, one])).values()];
    const rivals = authority ? all.filter((rival) => mayEnd(authority, rival)) : all;
    const others = [this.#rivalAtNasPort(session, deviceHolder), ...this.#cardRivals(session, cardId)];
    for (const other of others) if (other && rivals.every(({ id }) => id !== other.id)) rivals.push(other);
    for (const rival of rivals)
      if (rival.startedAt <= startedAt && rival.updatedAt <= startedAt + UNDER_WAY)
        this.#closeLost(rival.id, startedAt, now);
    const newer = Math.min(...rivals.map((rival) => rival.startedAt).filter((at) => at > startedAt));
    const isOver = stoppedAt === null && updatedAt <= newer + UNDER_WAY && newer !== Infinity;
    const row = { ...session, subscriberId, cardId };
    if (isOver) Object.assign(row, { stoppedAt: newer, closedBy: "lost_stop", terminateCause: "lost" });
    const { lastInsertRowid } = this.#statements.insert.run(row);
    const id = Number(lastInsertRowid);
    if (stoppedAt === null && !isOver) this.#bound({ subscriberId, cardId }, id, now);
    return id;
  }

  #bound(owner: Owner, id: number, now: Seconds): void {
    for (const closed of this.#limit.opened(owner, id))
      this.#events.tell("session.stopped", closed.id, { now, at: closed.at });
  }

  #closeLost(id: number, at: Seconds, now: Seconds): void {
    this.#statements.closeLost.run({ id, at });
    this.#events.tell("session.stopped", id, { now, at });
  }

  /** Closes all sessions of a restarted NAS; with an authority only its own. */
  closeAll(restart: { nasAddress: string; at: Seconds }, authority?: Authority): void {
    const { nasAddress, at } = restart;
    if (authority) {
      for (const session of this.#statements.openAt.all({ nasAddress, at })) {
        if (!mayEnd(authority, session)) continue;
        this.#statements.closeRestarted.run({ id: session.id, at });
        this.#events.tell("session.stopped", session.id, { now: at, at });
      }
      return;
    }
    const isKnown = this.#events.isRequested("session.stopped");
    const open = isKnown ? this.#statements.openAt.all({ nasAddress, at }) : [];
    this.#statements.closeAll.run({ nasAddress, at });
    for (const { id } of open) this.#events.tell("session.stopped", id, { now: at, at });
  }

  /** Only when the package allows one session: otherwise several may share a NAS-Port. */
  #rivalAtNasPort(session: NewSession, subscriberId: number | null): Rival | undefined {
    if (subscriberId === null || session.mac !== null) return undefined;
    const rival = this.#sameNasPort.findRival(subscriberId, session);
    return rival && this.#statements.isFull.get({ subscriberId })?.isFull === 1 ? rival : undefined;
  }

  /** A session that is already closed replaces none. */
  #cardRivals({ nasAddress, mac, stoppedAt }: NewSession, cardId: number | null): readonly Rival[] {
    if (cardId === null || stoppedAt !== null) return [];
    return this.#statements.cardRivals.all({ cardId, nasAddress, mac });
  }
}

/** Whether an access box may end a session: one of its routers', or of its own owner. */
function mayEnd(authority: Authority, rival: Rival): boolean {
  return rival.viaBox === authority.box || authority.owns(rival);
}

function differ(keys: readonly (keyof NewSession)[], before: Session, after: NewSession): boolean {
  for (const key of keys) if (before[key] !== after[key]) return true;
  return false;
}

/** Whether a report has a new or changed value. Compared one by one: a loop over names costs three times as much. */
function isDescribedAnew(before: Session, after: NewSession): boolean {
  return (
    before.class !== after.class ||
    before.localAddress !== after.localAddress ||
    before.nasId !== after.nasId ||
    before.nasPort !== after.nasPort ||
    before.nasPortId !== after.nasPortId ||
    before.nasPortType !== after.nasPortType ||
    before.nasIp !== after.nasIp ||
    before.nasIdentifier !== after.nasIdentifier ||
    before.calledStationId !== after.calledStationId ||
    before.mac !== after.mac ||
    before.framedIp !== after.framedIp ||
    before.framedIpv6Prefix !== after.framedIpv6Prefix ||
    before.delegatedIpv6Prefix !== after.delegatedIpv6Prefix ||
    before.startedAt !== after.startedAt ||
    before.movedIn !== after.movedIn ||
    before.viaBox !== after.viaBox
  );
}

function toProgress(session: NewSession): Progress {
  const { updatedAt, sessionTime, inputOctets, outputOctets, counterInput, counterOutput } = session;
  const { rateInput, rateOutput } = session;
  return [
    ...([updatedAt, sessionTime, inputOctets, outputOctets] as const),
    ...([counterInput, counterOutput, rateInput, rateOutput] as const),
  ];
}
