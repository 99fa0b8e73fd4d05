import type { Tx } from "../../../../db/open.ts";
import type { Seconds } from "../time/time.ts";
import { announce } from "./announce.ts";
import { findMark } from "./marks.ts";

interface Ended {
  readonly subscriberId: number;
  readonly ispId: number;
  readonly expiresAt: Seconds;
  readonly frozenAt: Seconds | null;
}

export function announceEnded(
  tx: Tx,
  now: Seconds,
  { subscriberId, ispId, expiresAt: at, frozenAt }: Ended,
): void {
  const mark = findMark(tx, `expired ${ispId}`);
  if (frozenAt !== null || at > now || mark === undefined || at <= mark) return;
  announce(tx, now, {
    type: "subscriber.expired",
    subscriberId,
    beside: {},
    at,
    dueKey: `${subscriberId} ${at}`,
  });
}
