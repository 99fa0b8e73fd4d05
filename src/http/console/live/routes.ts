import { type Topic, topics } from "../../../domain/service/live/topics.ts";
import { type Actor, may } from "../../../domain/core/actor/actor.ts";
import { consoleSession } from "../../../domain/people/staff/console-sessions.ts";
import { consoleCookie } from "../session-cookie.ts";
import { LIVE_PATH, staffPage } from "../guard.ts";

/** Flags, any of which opens a topic. */
const needed: Readonly<Record<Topic, readonly string[]>> = {
  sessions: ["session_view"],
  logins: ["session_view"],
  money: ["payment_view", "wallet_view", "invoice_view"],
  findings: ["subscriber_view"],
  trail: ["audit_view"],
  routers: ["nas_view"],
  messages: ["message_view"],
};

export const liveRoutes = [
  staffPage(LIVE_PATH, ({ needs, db, request, secure, source, by, account, seeing }) => {
    const id = consoleCookie.read(request, secure);
    const seen = seenBy(by);
    return needs.streams.open({
      staffId: (seeing?.viewer ?? account).id,
      scope: by.scope,
      topics: listTopics(by),
      stands: () => {
        const now = needs.clock();
        const session = consoleSession(db, id, { now, source, quiet: true });
        if (session?.needs !== "nothing") return false;
        const through = needs.seeing.at(db, session, now);
        return through !== "ended" && seenBy(through?.seen.by ?? session.by) === seen;
      },
    });
  }),
];

function listTopics(by: Actor): Topic[] {
  return topics.filter((topic) => needed[topic].some((flag) => may(by, flag)));
}

/** Streams are shared by scope and flags. */
function seenBy(by: Actor): string {
  return JSON.stringify([by.staffId, by.scope, listTopics(by)]);
}
