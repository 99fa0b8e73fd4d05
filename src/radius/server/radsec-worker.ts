import { openReader } from "../../../db/open.ts";
import { configurationNumber, listIdentities } from "../../domain/goods/radsec/identities.ts";
import { serverKeys } from "../../domain/goods/radsec/keys.ts";
import { systemClock } from "../../domain/core/time/time.ts";
import type { Role } from "../packet/authenticator.ts";
import { RadsecForward, repliesIn } from "./radsec-link.ts";
import { RadsecJournal } from "./radsec-journal.ts";
import { RadsecServer } from "./radsec-server.ts";
import type { RadsecNotice, RadsecOrder } from "./radsec-thread.ts";

declare const self: Worker;

/** Milliseconds between two checks of the store, and two signs of life. */
const LOOK_EVERY = 1000;

/** The thread that ends TLS of routers, and exchanges packets with the RADIUS threads. */
const post = (notice: RadsecNotice) => self.postMessage(notice);
let stop = () => {};

function serve({ folder, listen, ends }: RadsecOrder & { kind: "serve" }): void {
  const db = openReader(folder);
  const journal = new RadsecJournal();
  const forwards = (role: Role) => ends[role].map(({ fd }) => new RadsecForward(fd));
  const forward = { auth: forwards("auth"), acct: forwards("acct") };
  let identified: { number: number; identities: ReturnType<typeof listIdentities> } | undefined;
  const identities = () => {
    const number = configurationNumber(db);
    if (identified?.number !== number) identified = { number, identities: listIdentities(db) };
    return identified.identities;
  };
  const server = new RadsecServer({
    clock: systemClock,
    identities,
    // all of one router to the same thread
    forward: (role, packet, connection, nasId) =>
      forward[role][nasId % forward[role].length]?.send(packet, connection, nasId) === true,
    refused: (refusal) => {
      const line = journal.note(refusal, performance.now() / 1000);
      if (line) post({ kind: "refused", line });
    },
  });
  const names = new Set([...ends.auth, ...ends.acct].map(({ channel }) => channel));
  const channels = [...names].map((channel) => {
    const replies = new BroadcastChannel(channel);
    replies.addEventListener("message", ({ data }) => {
      for (const [connection, waiting] of repliesIn(data)) server.reply(connection, waiting);
    });
    return replies;
  });
  let known = -1;
  let isListening = false;
  const look = async () => {
    const number = configurationNumber(db);
    if (number !== known || !isListening) {
      const keys = serverKeys(db);
      if (keys) {
        const endpoint = await server.listen(keys, listen);
        if (!isListening) post({ kind: "listening", endpoint });
        isListening = true;
      }
      known = number;
    }
  };
  let isLooking = false;
  const lookSoon = () => {
    post({ kind: "counted", connections: server.counts() });
    server.lookAgain(); // whether or not a port and keys are to be had
    if (isLooking) return;
    isLooking = true;
    look()
      .catch((error: unknown) => {
        isListening = false;
        post({ kind: "failed", message: String(error) });
      })
      .finally(() => {
        isLooking = false;
      });
  };
  const timer = setInterval(lookSoon, LOOK_EVERY);
  lookSoon();
  stop = () => {
    clearInterval(timer);
    server.close();
    for (const channel of channels) channel.close();
    db.$client.close();
    post({ kind: "stopped" });
  };
}

self.addEventListener("message", ({ data }: MessageEvent<RadsecOrder>) => {
  if (data.kind === "stop") stop();
  else serve(data);
});
// an error of one connection must not end the others
process.on("uncaughtException", (error) => post({ kind: "failed", message: String(error) }));
process.on("unhandledRejection", (reason) => post({ kind: "failed", message: String(reason) }));
