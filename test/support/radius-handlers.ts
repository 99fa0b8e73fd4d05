import { type Db, openReader, openWriter } from "../../db/open.ts";
import type { QuotaCrossed } from "../../src/domain/service/accounting/accounting.ts";
import { ReportTally } from "../../src/domain/service/live/reported.ts";
import { CarriedTally } from "../../src/domain/money/sums/carried.ts";
import type { AccessEvent } from "../../src/radius/auth/access.ts";
import { AccessHandler } from "../../src/radius/server/access-handler.ts";
import { AccountingHandler } from "../../src/radius/server/accounting-handler.ts";
import type { NamedAttribute } from "../../src/radius/packet/codec.ts";
import { Counters } from "../../src/radius/server/counters.ts";
import type { Source } from "../../src/radius/server/gate.ts";
import { ispStore, NAS_SECRET } from "./isp.ts";
import { type AccountingStatus, type Prepared, RadiusClient, type Reply } from "./radius-client.ts";
import type { AccessRequest } from "./radius-credentials.ts";
import { NOW, type TemporaryStore } from "./store.ts";

export const FROM: Source = { address: "127.0.0.1", port: 40_000, localAddress: "127.0.0.1" };

/** Both RADIUS handlers on a store of their own, without sockets, with a clock that the test sets. */
export class TestHandlers implements AsyncDisposable {
  readonly store: TemporaryStore;
  readonly clock = { now: NOW, uptime: 1000 };
  readonly decided: AccessEvent[] = [];
  readonly dropped: string[] = [];
  readonly latched: string[] = [];
  readonly crossed: QuotaCrossed[] = [];
  readonly crowded: string[] = [];
  readonly guessing: string[] = [];
  readonly batchLost: string[] = [];
  readonly failures: unknown[] = [];
  readonly counters = new Counters();
  readonly carried = new CarriedTally();
  readonly reports = new ReportTally();
  readonly client = new RadiusClient({ host: "127.0.0.1", port: 1, acctPort: 2, secret: NAS_SECRET });
  readonly #reader: Db;
  readonly writer: Db;
  readonly accessHandler: AccessHandler;
  readonly accountingHandler: AccountingHandler;

  private constructor(store: TemporaryStore) {
    this.store = store;
    this.#reader = openReader(store.folder);
    this.writer = openWriter(store.folder, { busyTimeout: 0, temporary: "memory" });
    const clock = () => this.clock.now;
    const common = {
      dropped: (reason: string) => {
        this.dropped.push(reason);
      },
      authenticatorSeen: (nasId: number, address: string) => {
        this.latched.push(`${nasId} ${address}`);
      },
    };
    const { counters, carried, reports } = this;
    this.accessHandler = new AccessHandler(this.#reader, {
      clock,
      counters,
      events: {
        ...common,
        decided: (event) => this.decided.push(event),
        guessing: (nas) => this.guessing.push(nas),
        batchLost: (card) => this.batchLost.push(card),
      },
    });
    this.accountingHandler = new AccountingHandler(this.writer, {
      clock,
      counters,
      carried,
      reports,
      events: {
        ...common,
        crowded: (nas) => this.crowded.push(nas),
        quotaCrossed: (crossed) => this.crossed.push(crossed),
        failed: (error) => this.failures.push(error),
      },
    });
  }

  static async open(data?: Parameters<typeof ispStore>[0]): Promise<TestHandlers> {
    return new TestHandlers(await ispStore(data));
  }

  get db() {
    return this.store.db;
  }

  login(request: AccessRequest, source: Source = FROM): Reply | null {
    return this.ask(this.client.prepareAccess(request), source);
  }

  ask(prepared: Prepared, source: Source = FROM): Reply | null {
    const reply = this.askRaw(prepared.datagram, source);
    return reply ? this.client.judge(reply, prepared) : null;
  }

  askRaw(datagram: Buffer, source: Source = FROM): Buffer | undefined {
    return this.accessHandler.answer(datagram, source, this.clock.uptime);
  }

  /** After its commit; null for silence. */
  async account(
    status: AccountingStatus,
    attributes: readonly NamedAttribute[],
    source: Source = FROM,
  ): Promise<Reply | null> {
    return this.deliver(this.client.prepareAccounting(status, attributes), source);
  }

  async deliver(prepared: Prepared, source: Source = FROM): Promise<Reply | null> {
    const reply = await this.deliverRaw(prepared.datagram, source);
    return reply ? this.client.judge(reply, prepared) : null;
  }

  async deliverRaw(datagram: Buffer, source: Source = FROM): Promise<Buffer | undefined> {
    let answer: Buffer | undefined;
    this.accountingHandler.receive(datagram, source, this.clock.uptime, (reply) => {
      answer = reply;
    });
    await this.accountingHandler.drain(60_000);
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    this.#reader.$client.close();
    this.writer.$client.close();
    this.store[Symbol.dispose]();
  }
}
