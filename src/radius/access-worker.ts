import { openReader } from "../../db/open.ts";
import { systemClock } from "../domain/time.ts";
import type { AccessEvent } from "./access.ts";
import { AccessPort } from "./access-port.ts";
import { serveThread } from "./worker.ts";

/** Milliseconds between two posts of decisions. */
const FLUSH_EVERY = 50;
/** Decisions of one post; what a flood brings beyond that is counted, but not kept in auth_log. */
const MAX_DECIDED = 2000;

/** The thread of Access-Requests: a read-only connection; what it has to record it posts to main in batches. */
serveThread(({ folder, counters, timings, post, dropped }) => {
  const db = openReader(folder);
  let decided: AccessEvent[] = [];
  let flushing: Timer | undefined;
  const flush = () => {
    clearTimeout(flushing);
    flushing = undefined;
    if (decided.length > 0) post({ kind: "decided", events: decided });
    decided = [];
  };
  const port = new AccessPort(db, {
    clock: systemClock,
    counters,
    timings,
    endReading: setImmediate,
    events: {
      dropped,
      authenticatorSeen: (nasId) => post({ kind: "authenticator_seen", nasId }),
      decided: (event) => {
        if (decided.length === MAX_DECIDED) counters.add(null, "auth_log", "left_out");
        else decided.push(event);
        flushing ??= setTimeout(flush, FLUSH_EVERY);
      },
    },
  });
  return {
    receive: (datagram, peer, uptime, reply) => {
      const answer = port.answer(datagram, peer, uptime);
      if (answer) reply(answer);
    },
    finish: async () => {
      flush();
      port.endReading();
      db.$client.close();
    },
  };
});
