import { requireDisconnectEnabled } from "../../../../domain/service/control/disconnect.ts";
import { endSessionsOf } from "../../../../domain/service/control/end.ts";
import type { EndedAtRouter } from "../../../../domain/service/control/end-at-router.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { type OnlineLine, onlineLine } from "../../../../domain/service/sessions/online.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { figuresOf } from "../../figures.ts";
import type { StaffVisit } from "../../guard.ts";
import type { Said } from "../../notes.ts";
import { timed, type TimedAnswer } from "./answered.ts";
import { PATH } from "./asked.ts";
import { nameOf } from "./table.tsx";

/** Sessions that are asked for at once. */
const AT_ONCE = 10;

/** What came of ending one session. */
interface EndedOne {
  readonly line: OnlineLine;
  /** undefined: it was over before its router was asked. */
  readonly answer: TimedAnswer | undefined;
}

/** Ends one session on its router, and notes the answer for its row. Throws not_found, refused. */
export async function endOne(visit: StaffVisit, id: number): Promise<EndedOne> {
  const { db, by, needs, now, sessionKey } = visit;
  const before = onlineLine(db, by, { id }, { now });
  const { routers, answers } = timed(needs.routers);
  if (before.stoppedAt === null) {
    try {
      await endSessionsOf(db, by, { choice: { id }, inBooksOnly: false }, { clock: needs.clock, routers });
    } catch (error) {
      // what the router said is among the answers; what ended meanwhile is over all the same
      const isSaid = error instanceof DomainError && ["router_failed", "not_found"].includes(error.code);
      if (!isSaid) throw error;
    }
  } else requireDisconnectEnabled(db);
  const [answer] = answers;
  if (answer) needs.answered.add(sessionKey, [{ ...answer, sessionId: id, at: needs.clock() }]);
  return { line: onlineLine(db, by, { id }, { now: needs.clock() }), answer };
}

/** Some at once, and the others as those are answered. */
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

export function saidOfOne({ view, by }: StaffVisit, { line, answer }: EndedOne): Said {
  const { said } = view.words.online;
  const name = nameOf(line);
  const router = line.nasName ?? line.nasAddress;
  const links =
    line.subscriberId === null
      ? []
      : [{ href: `/console/subscribers/${line.subscriberId}`, label: said.open }];
  if (!answer) return { kind: "good", title: said.offline(name), text: said.offlineText, links };
  const took = tookOf(view, answer);
  const test =
    line.nasId === null || !may(by, "nas_view")
      ? []
      : [{ href: `/console/routers/${line.nasId}`, label: said.test }];
  switch (answer.answer.kind) {
    case "acknowledged": {
      const data = view.format.bytes(line.inputOctets + line.outputOctets);
      return { kind: "good", title: said.ended(router, name), text: said.endedText(took, data), links };
    }
    case "gone":
      return { kind: "good", title: said.gone(router, name), text: said.goneText(took), links };
    case "failed":
      return answer.answer.isSilent
        ? {
            kind: "bad",
            title: said.silent(router),
            text: said.silentText(name, took),
            links: [...test, ...links],
          }
        : {
            kind: "bad",
            title: said.refused(router),
            text: said.refusedText(name, answer.answer.reason),
            links: [...test, ...links],
          };
  }
}

export function saidOfSome({ view }: StaffVisit, ended: readonly EndedOne[]): Said {
  const { said } = view.words.online;
  const { format } = view;
  const failures = ended.flatMap(({ answer }) =>
    answer?.answer.kind === "failed" ? [answer.answer.reason] : [],
  );
  const over = format.number(ended.length - failures.length);
  const title = said.several(over, format.number(ended.length));
  if (failures.length === 0) return { kind: "good", title, text: said.allOver };
  return {
    kind: "bad",
    title,
    text: said.severalText(format.number(failures.length), [...new Set(failures)].join("; ")),
  };
}

export function saidOfAll(
  { view }: StaffVisit,
  { nasId, router, ended }: { nasId: number; router: string; ended: EndedAtRouter },
): Said {
  const { said } = view.words.online;
  const { number } = { number: (value: number) => view.format.number(value) };
  const text = [
    said.allText(number(ended.gone), number(ended.failed), number(ended.notAsked)),
    ...ended.reasons.map(({ reason, sessions }) => `${number(sessions)} × ${reason}.`),
    ...(ended.outside > 0 ? [said.outside(number(ended.outside))] : []),
  ].join(" ");
  const isDone = ended.failed + ended.notAsked === 0;
  return {
    kind: isDone ? "good" : "bad",
    title: said.all(router, number(ended.ended)),
    text,
    links: isDone ? [] : [{ href: `${PATH}/end-all?router=${nasId}`, label: said.goOn }],
  };
}

function tookOf(view: StaffVisit["view"], { took }: TimedAnswer): string {
  return took < 1000
    ? `${view.format.number(Math.max(1, Math.round(took)))} ms`
    : figuresOf(view).age(Math.round(took / 1000));
}
