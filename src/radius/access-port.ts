import type { Db } from "../../db/open.ts";
import type { Clock } from "../domain/time.ts";
import { type AccessEvent, AccessService } from "./access.ts";
import { type Configuration, followConfiguration } from "./configuration.ts";
import type { Counters } from "./counters.ts";
import { Gate, type GateEvents, type Source } from "./gate.ts";

export interface AccessPortEvents extends GateEvents {
  decided: (event: AccessEvent) => void;
}

/** The authentication port: bytes in, bytes out. Reads only; never waits for a lock. */
export class AccessPort {
  readonly #gate: Gate;
  readonly #service: AccessService;
  readonly #configuration: () => Configuration;
  readonly #events: AccessPortEvents;
  readonly #counters: Counters;
  readonly #clock: Clock;

  constructor(
    db: Db,
    { events, counters, clock }: { events: AccessPortEvents; counters: Counters; clock: Clock },
  ) {
    this.#gate = new Gate("auth", { events, counters });
    this.#service = new AccessService(db);
    this.#configuration = followConfiguration(db);
    this.#events = events;
    this.#counters = counters;
    this.#clock = clock;
  }

  /** The reply, or undefined for silence. `uptime` in seconds of a clock that never goes back. */
  answer(datagram: Uint8Array, source: Source, uptime: number): Buffer | undefined {
    const configuration = this.#configuration();
    const admission = this.#gate.admit(datagram, source, configuration, uptime);
    if (admission.kind === "drop") return undefined;
    if (admission.kind === "reply") return admission.reply;
    const { request } = admission;
    let answered: Buffer | undefined;
    try {
      const { reply, event } = this.#service.answer(request, configuration, this.#clock());
      answered = reply;
      this.#counters.add(request.client.name, "Access-Request", event.reason);
      this.#events.decided(event);
    } finally {
      // also when it failed: the retransmission is then worked on again
      request.settle(answered);
    }
    return answered;
  }
}
