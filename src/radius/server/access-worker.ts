import { openReader } from "../../../db/open.ts";
import { keepTime } from "./box-time.ts";
import { AccessHandler } from "./access-handler.ts";
import { DecisionBatches } from "./decision-batches.ts";
import { packEvents } from "./events.ts";
import { serveThread } from "./worker.ts";

/** An access thread: reads only, and posts what is to be stored to main in batches. */
serveThread(({ folder, place, clock, counters, timings, arrivals, post, dropped }) => {
  const db = openReader(folder);
  const following = keepTime(db);
  const decisions = new DecisionBatches(
    (events) => post({ kind: "decided", events: packEvents(events) }),
    place?.memory.decisions,
  );
  const handler = new AccessHandler(db, {
    clock,
    counters,
    timings,
    arrivals,
    readsOn: true,
    ...(place && { place }),
    events: {
      dropped,
      authenticatorSeen: (nasId, address) => post({ kind: "authenticator_seen", nasId, address }),
      guessing: (nas) => post({ kind: "guessing", nas }),
      batchLost: (card) => post({ kind: "batch_lost", card }),
      decided: (event) => {
        if (!decisions.add(event, Date.now())) counters.add(null, "auth_log", "left_out");
      },
    },
  });
  return {
    receive: (datagram, peer, at, reply, waited) => {
      const answer = handler.answer(datagram, peer, at, waited);
      if (answer) reply(answer, peer);
    },
    endBatch: () => handler.endReading(),
    work: () => "none",
    finish: async () => {
      decisions.flush();
      handler.endReading();
      clearInterval(following);
      db.$client.close();
    },
  };
});
