import type { Db } from "../../../db/open.ts";
import type { Clock } from "../../domain/core/time/time.ts";
import { type AccessEvent, AccessService } from "../auth/access.ts";
import type { AccessPlace } from "./access-memory.ts";
import { type Configuration, followConfiguration } from "./configuration.ts";
import type { ArrivalTally } from "./arrival-tally.ts";
import type { Counters } from "./counters.ts";
import type { Timings } from "./timings.ts";
import { PacketFull } from "../packet/writer.ts";
import { Gate, type GateEvents, type Request, type Source } from "./gate.ts";

export interface AccessHandlerEvents extends GateEvents {
  decided: (event: AccessEvent) => void;
  /** Many wrong codes came from this NAS within a minute, so somebody is guessing; at most once a minute. */
  guessing: (nas: string) => void;
  /** A card's batch is missing from the store; only for the first such card. */
  batchLost: (card: string) => void;
}

export interface AccessHandlerOptions {
  events: AccessHandlerEvents;
  counters: Counters;
  timings?: Timings;
  arrivals?: ArrivalTally;
  clock: Clock;
  /**
   * Whether packets share one snapshot of the store until `endReading`: only those that arrive together, so that none is
   * decided by old data. Locking and unlocking the store is most of the cost of a small read.
   */
  readsOn?: boolean;
  /** Undefined: the only thread. */
  place?: AccessPlace;
}

/** Answers Access-Requests: bytes in, bytes out. Reads only, and never waits for a lock. */
export class AccessHandler {
  readonly #db: Db;
  readonly #gate: Gate;
  readonly #service: AccessService;
  readonly #followConfiguration: () => Configuration;
  readonly #options: AccessHandlerOptions;
  readonly #begin;
  readonly #commit;
  /** Of the current read. */
  #configuration: Configuration | undefined;

  constructor(db: Db, options: AccessHandlerOptions) {
    this.#db = db;
    this.#gate = new Gate("auth", options);
    this.#service = new AccessService(db, options.place);
    this.#followConfiguration = followConfiguration(db);
    this.#options = options;
    this.#begin = db.$client.query("BEGIN");
    this.#commit = db.$client.query("COMMIT");
  }

  /** The reply, or undefined for silence. `uptime` and `waited` as in Gate. */
  answer(datagram: Uint8Array, source: Source, uptime: number, waited?: number): Buffer | undefined {
    const configuration = this.#configuration ?? this.#beginReading();
    try {
      const admission = this.#gate.admit(datagram, source, configuration, uptime, waited);
      if (admission.kind === "request") return this.#answer(admission.request, configuration);
      return admission.kind === "reply" ? admission.reply : undefined;
    } finally {
      if (this.#options.readsOn !== true) this.endReading();
    }
  }

  /** Ends the snapshot; the next packet starts a new one. */
  endReading(): void {
    this.#configuration = undefined;
    // a disk error may have ended it
    if (this.#db.$client.inTransaction) this.#commit.run();
  }

  #beginReading(): Configuration {
    this.#begin.run();
    try {
      this.#configuration = this.#followConfiguration();
    } catch (error) {
      this.endReading();
      throw error;
    }
    return this.#configuration;
  }

  #answer(request: Request, configuration: Configuration): Buffer | undefined {
    const { events, counters, timings, clock } = this.#options;
    const begun = performance.now();
    let answered: Buffer | undefined;
    try {
      const { reply, event, tells } = this.#service.answer(request, configuration, clock());
      answered = reply;
      counters.add(request.client.name, "Access-Request", event.reason);
      events.decided(event);
      if (tells?.kind === "many_guesses") events.guessing(request.client.name);
      else if (tells) events.batchLost(tells.card);
    } catch (error) {
      if (!(error instanceof PacketFull)) throw error;
      this.#gate.refuseTooLong(request);
    } finally {
      // also after a failure, so that the retransmission is handled again
      request.settle(answered);
      timings?.observe("access_seconds", (performance.now() - begun) / 1000);
    }
    return answered;
  }
}
