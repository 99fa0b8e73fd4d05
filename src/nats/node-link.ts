import { type Msg, type NatsConnection, nuid } from "@nats-io/transport-node";
import { type Db, writePatiently } from "../../db/open.ts";
import { forgetOthers, followBeat, MISSED, othersCountFor } from "../domain/machine/access-boxes/hearing.ts";
import type { Elapsed } from "../domain/machine/access-boxes/journal.ts";
import type { NodeLinkState } from "../domain/machine/access-boxes/link-state.ts";
import type { BoxReport, OwnReport } from "../domain/machine/access-boxes/report.ts";
import { isHigher, type Pair, parseHead } from "../domain/machine/access-boxes/seal.ts";
import { isFarAbove } from "../domain/machine/access-boxes/signed-head.ts";
import type { Scope } from "../domain/service/box-standing/box-scope.ts";
import {
  accessState,
  nodeTrust,
  leaveReferences,
  noteBeat,
  recordSeal,
} from "../domain/machine/access-boxes/state.ts";
import type { NodeRequest } from "../domain/service/control/routers-of-boxes.ts";
import type { TimeSignal } from "../domain/core/time/steady-clock.ts";
import { type Clock, machineTime, type Seconds } from "../domain/core/time/time.ts";
import { BucketReader } from "./bucket-reader.ts";
import { connectLink, type NatsOptions } from "./connection.ts";
import { Ending } from "./ending.ts";
import { EPOCH_ASK } from "./epochs.ts";
import { goHomeAlways } from "./going-home.ts";
import type { NodeAnswer } from "./messages.ts";
import { askSubject, nodeInbox, reportSubject } from "./subjects.ts";

/** Milliseconds between two status reports of this access box. */
const REPORT_EVERY = 10_000;

export interface NodeLinkNeeds {
  readonly name: string;
  readonly scope: Scope | null;
  readonly clock: Clock;
  readonly elapsed: Elapsed;
  /** The primary sent its time, which `clock` follows from then on. */
  readonly follow: (signal: TimeSignal) => void;
  /** Subscribers or routers may have changed: sessions that may not continue are to be disconnected. */
  readonly changed: () => void;
  /** The primary wants a router asked. */
  readonly onRequest: (request: NodeRequest) => Promise<NodeAnswer>;
  readonly report: () => OwnReport;
  readonly failed: (what: string, error: unknown) => void;
}

/**
 * The NATS side of an access box: it stores what the primary publishes, and sends its journal. Cut off it goes on serving;
 * after each reconnect or missed heartbeat it reads the whole bucket again, as it keeps no position.
 */
export class NodeLink {
  readonly state: { -readonly [K in keyof Omit<NodeLinkState, "at">]: NodeLinkState[K] };
  readonly #db: Db;
  readonly #needs: NodeLinkNeeds;
  readonly #reader: BucketReader;
  readonly #ending = new Ending();
  #nc: NatsConnection | undefined;
  #onRequest: Pair | undefined;
  /** Time of the last heartbeat, from a monotonic clock. */
  #heardAt: number;
  /** Whether sessions of other access boxes are ignored until the primary is heard again. */
  #isAlone = false;
  /** Whether nats-server has denied this connection the subjects of other access boxes. */
  #isWalled = false;
  #work: Promise<unknown> = Promise.resolve();

  constructor(db: Db, needs: NodeLinkNeeds) {
    this.#db = db;
    this.#needs = needs;
    const signal = {
      beat: (time: Seconds) => this.#beat(time),
      complete: (isComplete: boolean) => void (this.state.isComplete = isComplete),
      unsigned: (epoch: number | null) => this.#hearUnsigned(epoch),
      isAlone: () => this.#isAlone,
    };
    this.#reader = new BucketReader(db, { ...needs, ...signal }, this.#ending);
    const { beatAt } = accessState(db);
    // after a restart it counts from the last known heartbeat
    this.#heardAt = performance.now() - Math.max(0, needs.clock() - (beatAt ?? needs.clock())) * 1000;
    leaveReferences(db);
    this.state = {
      isConnected: false,
      since: needs.clock(),
      heardAt: null,
      ahead: 0,
      isComplete: false,
      unsigned: null,
      fault: null,
    };
  }

  /** Connects and runs until stopped. Resolves at the first connection. */
  async start(options: NatsOptions): Promise<void> {
    const nc = await connectLink(options, {
      ...this.#needs,
      state: this.state,
      inbox: nodeInbox(this.#needs.name),
      ending: this.#ending,
      back: () => {
        this.#isWalled = false;
        this.#reader.again();
      },
    });
    if (!nc) return;
    this.#nc = nc;
    void this.#hearAsks(nc);
    const home = { ...this.#needs, isConnected: () => this.state.isConnected };
    this.#work = Promise.all([
      ...[this.#reader.readAlways(nc), this.#watchBeat(), this.#reportAlways(nc)],
      goHomeAlways(this.#db, home, { nc, ending: this.#ending }),
    ]);
  }

  /** The link's state as it is stored. */
  standing(now: Seconds): NodeLinkState {
    return { ...this.state, at: now };
  }

  /** Stops writing, and resolves when work under way has ended. */
  async stop(): Promise<void> {
    this.#ending.come();
    this.#reader.again();
    await this.#work;
    await this.#nc?.close();
  }

  #beat(time: Seconds): void {
    const { elapsed, clock, follow } = this.#needs;
    // after a gap, sessions of other access boxes have to be read again too
    if (this.#isAlone || performance.now() - this.#heardAt > MISSED) this.#reader.again();
    this.#isAlone = false;
    this.#heardAt = performance.now();
    noteBeat(this.#db, time, elapsed);
    followBeat(this.#db, elapsed, follow);
    this.state.heardAt = clock();
    this.state.ahead = time - machineTime();
  }

  #hearUnsigned(epoch: number | null): void {
    if (epoch !== null && epoch !== this.state.unsigned)
      this.#needs.failed(
        `somebody says that books with epoch ${epoch} count, and these books have not signed it`,
        "what they say is left out",
      );
    this.state.unsigned = epoch;
  }

  async #hearAsks(nc: NatsConnection): Promise<void> {
    for await (const message of nc.subscribe(askSubject(this.#needs.name))) void this.#answerOr(message);
  }

  async #answerOr(message: Msg): Promise<void> {
    try {
      await this.#answer(message);
    } catch (error) {
      this.#needs.failed("what the books ask could not be done", error);
    }
  }

  /** Answers each request once: a replayed request does nothing. */
  async #answer(message: Msg): Promise<void> {
    const { subject, data } = message;
    const seal = recordSeal(this.#db);
    if (!seal) return;
    const head = parseHead(data);
    const request = JSON.parse(seal.open(subject, data)) as NodeRequest | { ask: typeof EPOCH_ASK }; // sealed by the books
    if (request.ask === EPOCH_ASK) {
      const { highest: epoch } = accessState(this.#db);
      const { proof } = nodeTrust(this.#db);
      const answer = JSON.stringify({
        epoch,
        ...(proof && { proof: Buffer.from(proof).toString("base64") }),
      });
      message.respond(seal.seal(`${subject}.answer`, { epoch, number: 0, isGone: false }, answer));
      return;
    }
    const { highest } = accessState(this.#db);
    if (head.epoch < highest || isFarAbove(head.epoch, highest)) return;
    if (this.#onRequest && !isHigher(head, this.#onRequest)) return;
    this.#onRequest = head;
    const answer = JSON.stringify(await this.#needs.onRequest(request));
    message.respond(seal.seal(`${subject}.answer`, { ...head, isGone: false }, answer));
  }

  async #watchBeat(): Promise<void> {
    while (!this.#ending.isCome) {
      await this.#ending.pause(1000);
      const unheard = performance.now() - this.#heardAt;
      if (!this.#isAlone && unheard > othersCountFor(this.#db)) await this.#forgetOthers();
      if (unheard < MISSED || performance.now() - this.#reader.readAt < MISSED) continue;
      this.#reader.again();
    }
  }

  async #forgetOthers(): Promise<void> {
    try {
      await writePatiently(this.#db, (tx) => forgetOthers(tx, this.#needs.clock()));
      this.#isAlone = true;
    } catch (error) {
      this.#needs.failed("the sessions of other boxes could not be forgotten; trying again", error);
    }
  }

  /** Reports this access box's state, heard or not. */
  async #reportAlways(nc: NatsConnection): Promise<void> {
    const subject = reportSubject(this.#needs.name);
    while (!this.#ending.isCome) {
      try {
        // each refusal is logged by nats-server: one is enough
        this.#isWalled ||= this.state.isConnected && (await isWalled(nc));
        const seal = recordSeal(this.#db);
        if (seal && this.state.isConnected) {
          const report: BoxReport = {
            ...this.#needs.report(),
            isComplete: this.state.isComplete,
            isWalled: this.#isWalled,
          };
          const head = { epoch: accessState(this.#db).highest, number: 0, isGone: false };
          nc.publish(subject, seal.seal(subject, head, JSON.stringify(report)));
        }
      } catch (error) {
        this.#needs.failed("how this box is could not be said; trying again", error);
      }
      await this.#ending.pause(REPORT_EVERY);
    }
  }
}

/** Whether nats-server limits this access box to its own inbox: the configuration of 0.2.0 let every box read the replies of others. */
async function isWalled(nc: NatsConnection): Promise<boolean> {
  let isRefused = false;
  const probe = nc.subscribe(`_INBOX.${nuid.next()}`, {
    callback: (error) => {
      isRefused ||= error !== null;
    },
  });
  await nc.flush(); // the refusal comes before its answer
  probe.unsubscribe();
  return isRefused;
}
