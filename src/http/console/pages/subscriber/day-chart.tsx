import type { Matter } from "../../../../domain/desk/matter/matter-kinds.ts";
import { readRate } from "../../../../domain/goods/packages/rate-limit.ts";
import type { SessionInScope } from "../../../../domain/service/sessions/in-scope.ts";
import { Rate, type RatePoint } from "../../../pages/charts/rate.tsx";
import { sessionsOf, type Shown } from "./shown.ts";

const DAY = 86_400;
const HOUR = 3600;

/** The last day of the line: the mean rate of each session, and where it was refused. */
export function DayChart({ shown, matter }: { shown: Shown; matter: Matter }) {
  const { head, visit, say } = shown;
  const { view, now } = visit;
  const { live } = view.words.subscriber;
  const { format } = view;
  const sessions = sessionsOf(head)
    .filter(({ session }) => (session.stoppedAt ?? now) > now - DAY)
    .toSorted((a, b) => a.session.startedAt - b.session.startedAt);
  const newest = sessions.at(-1);
  if (!newest) return null;
  const from = Math.max(now - DAY, (sessions[0]?.session.startedAt ?? now) - HOUR);
  const end = head.open.length > 0 ? undefined : (newest.session.stoppedAt ?? undefined);
  const limit = readRate(head.service?.rateLimit ?? null)?.rate.down || undefined;
  const refusal =
    "run" in matter && matter.run.since > from && !matter.run.accepted ? matter.run.since : undefined;
  return (
    <Rate
      description={live.dayOf(sessions.length)}
      from={from}
      to={now}
      points={sessions.flatMap((one) => pointsOf(one, from))}
      {...(limit !== undefined && { limit: { value: limit, text: live.package(format.bits(limit)) } })}
      spans={end === undefined ? [] : [{ from: end, to: now, mood: "bad" }]}
      moments={
        refusal === undefined
          ? []
          : [{ at: refusal, text: live.firstRefusal(say.near(refusal)), mood: "bad" }]
      }
      format={{
        value: (bits) => (bits === 0 ? "0" : format.bits(bits)),
        clock: (at) => format.near(at, at),
        date: (at) => format.longDay(at),
        time: (at) => format.weekTime(at),
      }}
      words={{ table: live.table, when: live.when, down: live.down, up: live.up }}
      caption={live.means}
    />
  );
}

function pointsOf({ session }: SessionInScope, from: number): RatePoint[] {
  const { startedAt, stoppedAt, updatedAt, inputOctets, outputOctets } = session;
  const end = Math.max(startedAt + 1, stoppedAt ?? updatedAt);
  const mean = (octets: number) => (octets * 8) / (end - startedAt);
  // input and output are the router's: from and to the subscriber
  const flat = { down: mean(outputOctets), up: mean(inputOctets) };
  return [
    { at: Math.max(from, startedAt), ...flat },
    { at: end, ...flat },
    { at: end, down: null, up: null },
  ];
}
