import type { Db } from "../../../../db/open.ts";
import { formatNear, type Seconds } from "../../core/time/time.ts";
import type { NodeLinkState } from "./link-state.ts";
import type { OwnReport } from "./report.ts";
import { CLOCKS_APART, isNearlyFull, JOURNAL_LATE } from "../../service/box-standing/standing.ts";
import { accessState, ownBox } from "./state.ts";

const BEAT_MISSED = 20;

export interface OwnStanding {
  readonly name: string;
  readonly isCutOff: boolean;
  /** null: it is connected, or never was. */
  readonly since: Seconds | null;
  /** The age of its knowledge; null: it has never been connected. */
  readonly knownOf: Seconds | null;
  /** Whether it has read everything published; other logins are unknown until then. */
  readonly isComplete: boolean;
  /** Of the last try to connect; null: none. */
  readonly fault: string | null;
  /** The epoch of an unsigned claim to be primary; null: none. */
  readonly unsigned: number | null;
  /** Seconds; null: none since the start. */
  readonly beatAge: Seconds | null;
  readonly ahead: Seconds;
  /** Decisions dropped since the start, because too many waited. */
  readonly dropped: number;
  readonly report: OwnReport;
}

export function ownStanding(
  db: Db,
  {
    link,
    report,
    dropped = 0,
    now,
  }: { link: NodeLinkState | undefined; report: OwnStanding["report"]; dropped?: number; now: Seconds },
): OwnStanding {
  const heardAt = link?.heardAt ?? null;
  const isCutOff = !link?.isConnected || heardAt === null || now - heardAt > BEAT_MISSED;
  return {
    name: ownBox(db).name,
    isCutOff,
    since: isCutOff ? (heardAt ?? link?.since ?? null) : null,
    knownOf: accessState(db).beatAt,
    isComplete: link?.isComplete ?? false,
    unsigned: link?.unsigned ?? null,
    fault: link?.fault ?? null,
    beatAge: heardAt === null ? null : Math.max(0, now - heardAt),
    ahead: link?.ahead ?? 0,
    dropped,
    report,
  };
}

/** Whether it is connected, and what decides its logins. */
export function ownWords({ isCutOff, since, knownOf, isComplete }: OwnStanding, now: Seconds): string {
  if (!isCutOff && !isComplete) return "hears its books, and reads what they have published";
  if (!isCutOff) return "hears its books, and logs in by what they say now";
  if (knownOf === null) return "has not heard its books yet, so it knows nobody";
  const began = since === null ? "" : ` since ${formatNear(since, now)}`;
  return `cut off${began}, logs in by what it knows of ${formatNear(knownOf, now)}`;
}

/** Further faults, each with what to do. */
export function ownFaults({
  ahead,
  report,
  isCutOff,
  dropped,
  unsigned,
  fault,
}: OwnStanding): { subject: string; message: string }[] {
  const faults = [];
  if (Math.abs(ahead) > CLOCKS_APART)
    faults.push({
      subject: "clock",
      message: `it is ${Math.abs(ahead)} s ${ahead > 0 ? "behind" : "ahead of"} that of the books; set it on the one that is wrong: timedatectl set-ntp true`,
    });
  if (fault !== null) faults.push({ subject: "NATS", message: fault });
  if (unsigned !== null)
    faults.push({
      subject: "books",
      message: `somebody says that books with epoch ${unsigned} count, and its books have not signed it; it is left out. Are they books of an older version that you made to count? Upgrade them; see there: gatehouse check`,
    });
  if (!isCutOff && report.waitingFor > JOURNAL_LATE)
    faults.push({
      subject: "journal",
      message: `${report.waiting} reports wait for the books, the oldest for ${report.waitingFor} s, although they are heard; look at their log: journalctl -u gatehouse`,
    });
  if (dropped > 0)
    faults.push({
      subject: "logins",
      message: `${dropped} login decisions were dropped, the oldest that waited for the books; accounting is whole. Bring the way to the books back`,
    });
  if (isNearlyFull(report.disk))
    faults.push({
      subject: "disk",
      message: `${Math.round(report.disk.free / 1e6)} MB are left, and what the books do not have is kept here; make room: df -h, journalctl --vacuum-size=200M`,
    });
  return faults;
}
