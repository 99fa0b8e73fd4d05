import { openWriter } from "../../db/open.ts";
import { shareTurns } from "../../db/turns.ts";
import {
  type PrimaryLinkState,
  type NodeLinkState,
  keepLinkState,
} from "../domain/machine/access-boxes/link-state.ts";
import { makeBoxReport } from "../domain/machine/access-boxes/report.ts";
import { takeOther } from "../domain/machine/access-boxes/apply-other.ts";
import { readSeed } from "../domain/machine/access-boxes/boxes.ts";
import { followBeat } from "../domain/machine/access-boxes/hearing.ts";
import { accessState, ownBox } from "../domain/machine/access-boxes/state.ts";
import { followSignal, systemClock } from "../domain/core/time/time.ts";
import { machineClock } from "../os/machine.ts";
import { PrimaryLink } from "./primary-link.ts";
import { NodeLink } from "./node-link.ts";
import type { NodeRequest } from "../domain/service/control/routers-of-boxes.ts";
import type { NodeAnswer, LinkNotice, LinkOrder, LookAnswer, PutAnswer } from "./messages.ts";

declare const self: Worker;

/** Milliseconds that a write waits for the lock: nobody waits for this thread. */
const BUSY_TIMEOUT = 2000;
/** Milliseconds between two posts of the state. */
const STATE_EVERY = 1000;
/** Milliseconds after which the state is also stored, for commands. */
const KEEP_EVERY = 10_000;

const post = (notice: LinkNotice) => self.postMessage(notice);
const failed = (what: string, error: unknown) => post({ kind: "failed", what, error: String(error) });

// a thread, so that neither logins nor pages wait for publishing or for reports of access boxes
let link: PrimaryLink | NodeLink | undefined;

self.addEventListener("message", ({ data }: MessageEvent<LinkOrder>) => {
  switch (data.kind) {
    case "serve":
      serve(data).catch((error: unknown) => failed("the link to the boxes could not begin", error));
      break;
    case "ask":
      void ask(data);
      break;
    case "put":
      void put(data);
      break;
    case "look":
      void look(data);
      break;
    case "answer":
      answers.get(data.id)?.(data.answer);
      answers.delete(data.id);
      break;
    case "stop":
      stop().catch((error: unknown) => failed("the link to the boxes could not end", error));
  }
});
process.on("uncaughtException", (error) => failed("the link to the boxes", error));
process.on("unhandledRejection", (reason) => failed("the link to the boxes", reason));

async function serve({
  folder,
  version,
  options,
  turns,
}: Extract<LinkOrder, { kind: "serve" }>): Promise<void> {
  const db = openWriter(folder, { busyTimeout: BUSY_TIMEOUT, temporary: "memory" });
  if (turns) shareTurns(db, turns);
  const clock = systemClock;
  const elapsed = machineClock();
  const needs = { folder, version, clock, elapsed, begun: elapsed.uptime() };
  followBeat(db, elapsed);
  const begun =
    accessState(db).role === "access"
      ? new NodeLink(db, {
          ...ownBox(db),
          clock,
          elapsed,
          failed,
          follow: followSignal,
          changed: () => post({ kind: "changed" }),
          onRequest: askMain,
          report: () => makeBoxReport(db, needs),
        })
      : new PrimaryLink(db, {
          clock,
          failed,
          take: (row, authority, refuse) => takeOther(db, row, { authority, refuse, now: clock() }),
          carried: (sums) => post({ kind: "carried", sums }),
          crossed: (crossed) => post({ kind: "crossed", crossed }),
        });
  link = begun;
  const keeper = new LinkKeeper((state) => keepLinkState(db, state));
  setInterval(() => {
    const state = begun.standing(clock());
    post({ kind: "state", state });
    keeper.keep(state);
  }, STATE_EVERY);
  await begun.start({ ...options, seed: readSeed(db) ?? null });
}

/** Stores the link's state for commands: every 10 seconds, and at once when it connects or is cut off. */
class LinkKeeper {
  readonly #write: (state: PrimaryLinkState | NodeLinkState) => void;
  #last = "";
  #at = -KEEP_EVERY;

  constructor(write: (state: PrimaryLinkState | NodeLinkState) => void) {
    this.#write = write;
  }

  keep(state: PrimaryLinkState | NodeLinkState): void {
    const what = `${state.isConnected} ${state.fault} ${"isComplete" in state && state.isComplete && state.heardAt !== null}`;
    if (what === this.#last && performance.now() - this.#at < KEEP_EVERY) return;
    try {
      this.#write(state);
      this.#last = what;
      this.#at = performance.now();
    } catch (error) {
      failed("how the link stands could not be written; trying again", error);
    }
  }
}

/** Pending requests to main, by number. */
const answers = new Map<number, (answer: NodeAnswer) => void>();
let lastRequest = 0;

function askMain(request: NodeRequest): Promise<NodeAnswer> {
  const { promise, resolve } = Promise.withResolvers<NodeAnswer>();
  const id = ++lastRequest;
  answers.set(id, resolve);
  post({ kind: "asked", id, request });
  return promise;
}

async function ask({ id, box: node, request }: Extract<LinkOrder, { kind: "ask" }>): Promise<void> {
  let answer: unknown;
  try {
    if (link instanceof PrimaryLink) answer = await link.ask(node, request);
  } catch {
    answer = undefined; // it is cut off
  }
  post({ kind: "answered", id, answer });
}

async function put({ id, file }: Extract<LinkOrder, { kind: "put" }>): Promise<void> {
  const putting =
    link instanceof PrimaryLink ? link.putBackup(file) : Promise.reject(new Error("NATS is away"));
  const answer: PutAnswer = await putting.then(
    (bytes) => ({ bytes }),
    (error: unknown) => ({ fault: error instanceof Error ? error.message : String(error) }),
  );
  post({ kind: "put", id, answer });
}

async function look({ id }: Extract<LinkOrder, { kind: "look" }>): Promise<void> {
  const looking =
    link instanceof PrimaryLink ? link.newestBackup() : Promise.reject(new Error("NATS is away"));
  const answer: LookAnswer = await looking.then(
    (newest) => ({ newest }),
    (error: unknown) => ({ fault: error instanceof Error ? error.message : String(error) }),
  );
  post({ kind: "looked", id, answer });
}

async function stop(): Promise<void> {
  await link?.stop();
  post({ kind: "stopped" });
}
