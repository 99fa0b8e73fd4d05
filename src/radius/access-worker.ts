import { openReader } from "../../db/open.ts";
import { systemClock } from "../domain/time.ts";
import type { AccessEvent } from "./access.ts";
import { AccessPort } from "./access-port.ts";
import { type Handlers, serveThread } from "./worker.ts";

/** The thread of Access-Requests: a read-only connection; what it has to record it posts to main in batches. */
serveThread((folder, post, reportDrop): Handlers => {
  const db = openReader(folder);
  let decided: AccessEvent[] = [];
  const flush = () => {
    post({ kind: "decided", events: decided });
    decided = [];
  };
  const port = new AccessPort(db, {
    clock: systemClock,
    events: {
      dropped: reportDrop,
      authenticatorSeen: ({ id }) => post({ kind: "authenticator_seen", nasId: id }),
      decided: (event) => {
        if (decided.length === 0) setImmediate(flush);
        decided.push(event);
      },
    },
  });
  return {
    receive: (datagram, peer, uptime, reply) => {
      const answer = port.answer(datagram, peer, uptime);
      if (answer) reply(answer);
    },
    finish: async () => {
      if (decided.length > 0) flush();
      db.$client.close();
    },
  };
});
