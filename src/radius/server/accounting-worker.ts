import { openWriter } from "../../../db/open.ts";
import { shareTurns } from "../../../db/turns.ts";
import { Journal } from "../../domain/machine/access-boxes/journal.ts";
import { accessState, leaveReferences } from "../../domain/machine/access-boxes/state.ts";
import { machineClock } from "../../os/machine.ts";
import { systemClock } from "../../domain/core/time/time.ts";
import { keepTime } from "./box-time.ts";
import { AccountingHandler } from "./accounting-handler.ts";
import { serveThread } from "./worker.ts";

/** Milliseconds that shutdown waits for the write lock to commit what has arrived. */
const DRAIN_PATIENCE = 4000;

/** The accounting thread: group commit on a connection that never blocks on the write lock. */
serveThread(
  ({ folder, turns, clock, counters, timings, carried, reports, arrivals, post, dropped, failed }) => {
    const db = openWriter(folder, { busyTimeout: 0, temporary: "memory" });
    if (turns) shareTurns(db, turns);
    // an access box adds it to its journal in the same transaction
    const isAccess = accessState(db).role === "access";
    leaveReferences(db);
    const following = keepTime(db);
    const journal = isAccess ? new Journal(db, { elapsed: machineClock(), clock: systemClock }) : undefined;
    const handler = new AccountingHandler(db, {
      onBooked: journal && ((report) => journal.accounted(report)),
      clock,
      counters,
      timings,
      carried,
      reports,
      arrivals,
      events: {
        dropped,
        failed,
        authenticatorSeen: () => {},
        crowded: (nas) => post({ kind: "crowded", nas }),
        quotaCrossed: (crossed) => post({ kind: "quota_crossed", crossed }),
      },
    });
    return {
      receive: (datagram, peer, at, reply) =>
        handler.receive(datagram, peer, at, (answer) => reply(answer, peer)),
      endBatch: () => handler.commit(),
      work: () => (handler.isLockedOut ? "soon" : handler.isWaiting ? "now" : "none"),
      finish: async () => {
        await handler.drain(DRAIN_PATIENCE);
        clearInterval(following);
        db.$client.close();
      },
    };
  },
);
