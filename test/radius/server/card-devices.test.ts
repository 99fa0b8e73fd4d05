import { afterAll, beforeAll, expect, test } from "bun:test";
import * as fc from "fast-check";
import { recordFirstUses } from "../../../src/domain/service/cards/first-use.ts";
import { Enforcer } from "../../../src/domain/service/enforcement/enforce.ts";
import type { NamedAttribute } from "../../../src/radius/packet/codec.ts";
import { RecordedRouters } from "../../support/recorded-routers.ts";
import { type MadeCard, makeCard, storedCard } from "../../support/card-codes.ts";
import type { AccountingStatus } from "../../support/radius-client.ts";
import { TestHandlers } from "../../support/radius-handlers.ts";
import { NOW } from "../../support/store.ts";
import { runs } from "../../support/runs.ts";

/*
 * Devices of a card come and go at a router that ends each by the Session-Timeout that it was told last, and reports every five
 * minutes. Nobody is cut off while there is time left, and nobody has more than an interval too much.
 */

const UPTIME = 3600;
const INTERIM = 300;
/** Seconds between two looks of the enforcer. */
const STEP = 20;
const END = 3 * UPTIME;
/** Of the share of a session: what no router is asked for, and what passes until the next look. */
const LOST_AT_MOST = 30 + STEP;

interface Visit {
  /** Looks from the beginning. */
  from: number;
  stays: number;
}

interface Online {
  device: number;
  name: string;
  sessionClass: Buffer;
  begin: number;
  leaves: number;
  timeout: number;
}

let handlers: TestHandlers;
beforeAll(async () => {
  handlers = await TestHandlers.open();
});
afterAll(() => handlers[Symbol.asyncDispose]());

/** A router with the devices of one card, by the clock of the test. */
class Room {
  readonly #card: MadeCard;
  readonly #online = new Map<string, Online>();
  readonly #routers = new RecordedRouters();
  readonly #enforcer: Enforcer;
  /** Seconds that were really spent by sessions that are over. */
  #spent = 0;
  #sessions = 0;
  #told = 0;
  left = 0;
  /** Of each session that its router cut: what the card had left for it. */
  readonly cut: number[] = [];

  constructor(devices: number) {
    this.#card = makeCard(handlers.db, { by_clock: 0, uptime_seconds: UPTIME, devices }, NOW - UPTIME);
    const clock = () => handlers.clock.now;
    this.#enforcer = new Enforcer(handlers.db, { clock, routers: this.#routers });
  }

  get used(): number {
    return [...this.#online.values()].reduce((sum, { begin }) => sum + this.#now - begin, this.#spent);
  }

  get booked(): number {
    return storedCard(handlers.db, this.#card.id).usedSeconds;
  }

  /** How often a router was told of another end. */
  get told(): number {
    return this.#told;
  }

  get isEmpty(): boolean {
    return this.#online.size === 0;
  }

  get #now(): number {
    return handlers.clock.now - NOW;
  }

  /** One look at a time: who leaves, is cut, comes or reports, and what the enforcer makes of it. */
  async look(at: number, visits: readonly Visit[]): Promise<void> {
    for (const online of this.#online.values()) {
      const end = online.begin + online.timeout;
      if (end > at) continue;
      this.#at(end);
      this.cut.push((UPTIME - this.used) / this.#online.size);
      await this.#end(online);
    }
    this.#at(at);
    for (const online of this.#online.values()) {
      if (online.leaves <= at) {
        this.left++;
        await this.#end(online);
      } else if ((at - online.begin) % INTERIM < STEP && at > online.begin)
        await this.#tell("Interim-Update", online, at - online.begin);
    }
    for (const [device, { from, stays }] of visits.entries())
      if (from * STEP === at) await this.#begin(device, at + stays * STEP);
    await this.#enforce();
  }

  #at(at: number): void {
    handlers.clock.now = NOW + at;
    handlers.clock.uptime += 20;
  }

  async #enforce(): Promise<void> {
    for (const crossed of handlers.crossed.splice(0)) await this.#enforcer.enforceOne(crossed);
    await this.#enforcer.run();
    for (const requests of this.#routers.take()) {
      const [what, name = "", seconds] = requests.split(" ");
      const online = this.#online.get(name);
      if (!online) continue;
      if (what === "disconnect") await this.#end(online);
      else {
        online.timeout = Number(seconds);
        this.#told++;
      }
    }
  }

  async #begin(device: number, leaves: number): Promise<void> {
    const { code } = this.#card;
    const attributes: NamedAttribute[] = [
      ["NAS-Port-Type", 19],
      ["Calling-Station-Id", macOf(device)],
    ];
    const reply = handlers.login({ name: code, password: code, attributes });
    if (reply?.code !== "Access-Accept") return;
    recordFirstUses(handlers.db, handlers.decided.splice(0));
    const [timeout] = reply.attributes["Session-Timeout"] ?? [];
    const [sessionClass] = reply.attributes["Class"] ?? [];
    if (!Buffer.isBuffer(sessionClass)) throw new Error("an Accept without a Class");
    const name = `${this.#card.id}-${device}-${this.#sessions++}`;
    const begin = this.#now;
    const online = { device, name, sessionClass, begin, leaves, timeout: Number(timeout) };
    this.#online.set(name, online);
    await this.#tell("Start", online);
  }

  async #end(online: Online): Promise<void> {
    this.#online.delete(online.name);
    this.#spent += this.#now - online.begin;
    await this.#tell("Stop", online, this.#now - online.begin);
  }

  async #tell(status: AccountingStatus, { name, device, sessionClass }: Online, seconds?: number) {
    const reply = await handlers.account(status, [
      ["User-Name", this.#card.code],
      ["Acct-Session-Id", name],
      ["Class", sessionClass],
      ["Calling-Station-Id", macOf(device)],
      ...(seconds === undefined ? [] : [["Acct-Session-Time", seconds] as const]),
    ]);
    expect(reply?.code).toBe("Accounting-Response");
  }
}

const macOf = (device: number) => `02:00:00:00:00:0${device}`;

const visits = fc.array(fc.record({ from: fc.nat(150), stays: fc.integer({ min: 1, max: 300 }) }), {
  minLength: 1,
  maxLength: 6,
});

test("whoever stays has what is left, and the time is over once for all", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2, max: 4 }), visits, async (devices, coming) => {
      const room = new Room(devices);
      for (let at = 0; at <= END; at += STEP) await room.look(at, coming);
      expect(room.isEmpty).toBe(true);
      for (const lost of room.cut) expect(lost).toBeLessThanOrEqual(LOST_AT_MOST);
      expect(room.used).toBeLessThanOrEqual(UPTIME + devices * (INTERIM + 2 * STEP));
      expect(room.booked).toBe(room.used);
      // each that goes is a reason to tell those who stay, once
      expect(room.told).toBeLessThanOrEqual((room.left + room.cut.length) * (devices - 1));
    }),
    runs(6, 60),
  );
});
