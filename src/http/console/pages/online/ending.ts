import { requireDisconnectEnabled } from "../../../../domain/service/control/disconnect.ts";
import { endChosenSessions } from "../../../../domain/service/control/end.ts";
import type { EndedAtRouter } from "../../../../domain/service/control/end-at-router.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { type OnlineLine, onlineLine } from "../../../../domain/service/sessions/online.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { storedTold } from "../../attempt.ts";
import type { StaffVisit } from "../../guard.ts";
import { sentence } from "../../parts/phrases.ts";
import type { Flash } from "../../notes.ts";
import { timed, type TimedAnswer } from "./answered.ts";
import { ONLINE } from "../../parts/hrefs.ts";
import { lineName } from "./table.tsx";

const AT_ONCE = 10;

interface EndedOne {
  readonly line: OnlineLine;
  /** undefined: it ended before its router was asked. */
  readonly answer: TimedAnswer | undefined;
}

/** Ends a session on its router, and keeps the answer for its row. Throws not_found, refused. */
export async function endOne(visit: StaffVisit, id: number): Promise<EndedOne> {
  const { db, by, needs, now, sessionKey } = visit;
  const before = onlineLine(db, by, { id }, { now });
  const { routers, answers } = timed(needs.routers);
  if (before.stoppedAt === null) {
    try {
      await endChosenSessions(
        db,
        by,
        { choice: { id }, inBooksOnly: false },
        { clock: needs.clock, routers },
      );
    } catch (error) {
      // the router's failure is recorded; a session that ended meanwhile is over anyway
      const isStated = error instanceof DomainError && ["router_failed", "not_found"].includes(error.kind);
      if (!isStated) throw error;
    }
  } else requireDisconnectEnabled(db);
  const [answer] = answers;
  if (answer) needs.answered.add(sessionKey, [{ ...answer, sessionId: id, at: needs.clock() }]);
  return { line: onlineLine(db, by, { id }, { now: needs.clock() }), answer };
}

/** A few at a time. */
export async function endSome(visit: StaffVisit, ids: readonly number[]): Promise<EndedOne[]> {
  const waiting = [...ids];
  const ended: EndedOne[] = [];
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift())
      ended.push(await endOne(visit, id));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return ended;
}

export function flashOne({ view, by }: StaffVisit, { line, answer }: EndedOne): Flash {
  const { said: phrases } = view.words.online;
  const name = lineName(line);
  const router = line.nasName ?? line.nasAddress;
  const links =
    line.subscriberId === null
      ? []
      : [{ href: `/console/subscribers/${line.subscriberId}`, label: phrases.open }];
  if (!answer) return { kind: "good", title: phrases.offline(name), text: phrases.offlineText, links };
  const took = formatTook(view, answer);
  const test =
    line.nasId === null || !may(by, "nas_view")
      ? []
      : [{ href: `/console/routers/${line.nasId}`, label: phrases.test }];
  switch (answer.answer.kind) {
    case "acknowledged": {
      const data = view.format.bytes(line.inputOctets + line.outputOctets);
      return { kind: "good", title: phrases.ended(router, name), text: phrases.endedText(took, data), links };
    }
    case "gone":
      return { kind: "good", title: phrases.gone(router, name), text: phrases.goneText(took), links };
    case "failed":
      return answer.answer.isSilent
        ? {
            kind: "bad",
            title: phrases.silent(router),
            text: phrases.silentText(name, took),
            links: [...test, ...links],
          }
        : {
            kind: "bad",
            title: phrases.refused(router),
            text: phrases.refusedText(name, storedTold(view, answer.answer.reason)),
            links: [...test, ...links],
          };
  }
}

export function flashSome({ view }: StaffVisit, ended: readonly EndedOne[]): Flash {
  const { said: phrases } = view.words.online;
  const { format } = view;
  const failures = ended.flatMap(({ answer }) =>
    answer?.answer.kind === "failed" ? [storedTold(view, answer.answer.reason)] : [],
  );
  const over = format.number(ended.length - failures.length);
  const title = phrases.several(over, ended.length);
  if (failures.length === 0) return { kind: "good", title, text: phrases.allOver };
  return {
    kind: "bad",
    title,
    text: phrases.severalText(failures.length, [...new Set(failures)].join(view.words.list.semicolon)),
  };
}

export function flashAll(
  { view }: StaffVisit,
  { nasId, router, ended }: { nasId: number; router: string; ended: EndedAtRouter },
): Flash {
  const { said: phrases } = view.words.online;
  const { number } = { number: (value: number) => view.format.number(value) };
  const text = [
    phrases.allText(ended.gone, ended.failed, ended.notAsked),
    ...ended.reasons.map(
      ({ reason, sessions }) => `${number(sessions)} × ${sentence(storedTold(view, reason))}`,
    ),
    ...(ended.outside > 0 ? [phrases.outside(ended.outside)] : []),
  ].join(" ");
  const isDone = ended.failed + ended.notAsked === 0;
  return {
    kind: isDone ? "good" : "bad",
    title: phrases.all(router, ended.ended),
    text,
    links: isDone ? [] : [{ href: `${ONLINE}/end-all?router=${nasId}`, label: phrases.goOn }],
  };
}

function formatTook(view: StaffVisit["view"], { took }: TimedAnswer): string {
  return took < 1000
    ? view.format.milliseconds(Math.max(1, Math.round(took)))
    : view.format.duration(Math.round(took / 1000));
}
