import { portOf } from "../../support/appliance.ts";
import { type Prepared, RadiusClient } from "../../support/radius-client.ts";
import { makeLogin, type Network, ROUTERS, SECRET, type Server } from "./network.ts";

/** A session as its router knows it. */
export interface SentReport {
  readonly id: string;
  readonly user: number;
  readonly router: number;
  /** Of the last report that was answered. */
  octets: number;
  seconds: number;
  isOver: boolean;
}

/** Milliseconds that a router waits for one answer, and how often it asks one server. */
const TIMEOUT = 300;
const TRIES = 2;
const OCTETS = 1000;

/** Routers that report to the nearest server, and go over to the next one when it does not answer, as RouterOS does. */
export class Routers implements AsyncDisposable {
  readonly sessions: SentReport[] = [];
  readonly #network: Network;
  readonly #series: string;
  readonly #clients = new Map<string, RadiusClient>();
  #next = 0;
  /** Reports that were answered, and how many went over to another server. */
  answered = 0;
  failedOver = 0;
  /** Milliseconds that the slowest login and the slowest report waited. */
  slowest = 0;
  logins = 0;

  /** `series`: two digits that the ids of its sessions begin with, so that no two have the same. */
  constructor(network: Network, series: string) {
    this.#network = network;
    this.#series = series;
  }

  /** Lets a subscriber in by the servers in turn, beginning with the one that is nearest to its router. */
  async login(user: number, router: number): Promise<boolean> {
    const began = performance.now();
    for (const server of this.#nearest(router)) {
      const client = this.#client(server, router);
      const { username: name, password } = makeLogin(user);
      for (let tries = 0; tries < TRIES; tries++) {
        const reply = await client.access({ name, password, method: "pap" }, TIMEOUT);
        if (!reply) continue;
        this.logins++;
        this.slowest = Math.max(this.slowest, performance.now() - began);
        return reply.code === "Access-Accept";
      }
    }
    return false;
  }

  /** Whether somebody comes to be let in, or not to be: a busy server is silent, and then another one answers, which may not have heard yet. */
  async comesTo(expected: boolean, user: number, router: number, patience = 10_000): Promise<boolean> {
    for (const end = performance.now() + patience; ;) {
      if ((await this.login(user, router)) === expected) return true;
      if (performance.now() > end) return false;
    }
  }

  begin(user: number, router = this.#next % ROUTERS.length): SentReport {
    const id = `${this.#series}${(this.#next++).toString(16).padStart(6, "0")}`;
    const session = { id, user, router, octets: 0, seconds: 0, isOver: false };
    this.sessions.push(session);
    return session;
  }

  /** Tells of a session, at servers in turn, until one answers; false: none did, and it is told again with the next report. */
  async report(
    session: SentReport,
    status: "Start" | "Interim-Update" | "Stop",
    only?: Server,
  ): Promise<boolean> {
    const octets = status === "Start" ? 0 : session.octets + OCTETS;
    const seconds = status === "Start" ? 0 : session.seconds + 1;
    const { username } = makeLogin(session.user);
    for (const [index, server] of (only ? [only] : this.#nearest(session.router)).entries()) {
      const client = this.#client(server, session.router);
      const prepared: Prepared = client.prepareAccounting(status, [
        ["User-Name", username],
        ["Acct-Session-Id", session.id],
        ["NAS-Port", Number.parseInt(session.id, 16) % 1_000_000],
        ["Calling-Station-Id", macOf(session.id)],
        ["Acct-Session-Time", seconds],
        ["Acct-Input-Octets", octets],
        ["Acct-Output-Octets", 0],
      ]);
      for (let tries = 0; tries < TRIES; tries++) {
        const reply = await client.exchange(prepared, TIMEOUT);
        if (!reply) continue;
        Object.assign(session, { octets, seconds, isOver: status === "Stop" });
        this.answered++;
        if (index > 0) this.failedOver++;
        return true;
      }
    }
    return false;
  }

  /** The box beside the router, the other one, the books. */
  #nearest(router: number): readonly Server[] {
    const { boxes, primary } = this.#network;
    const own = router % boxes.length;
    return [...boxes.slice(own), ...boxes.slice(0, own), primary];
  }

  #client(server: Server, router: number): RadiusClient {
    const key = `${server.name} ${router}`;
    let client = this.#clients.get(key);
    if (!client) {
      const { radius_auth, radius_acct } = server.addresses;
      const localAddress = ROUTERS[router % ROUTERS.length] ?? ROUTERS[0];
      client = new RadiusClient({
        host: "127.0.0.1",
        port: portOf(radius_auth),
        acctPort: portOf(radius_acct),
        secret: SECRET,
        localAddress,
      });
      this.#clients.set(key, client);
    }
    return client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
  }
}

function macOf(id: string): string {
  return `02:00:${id.match(/../g)?.join(":") ?? ""}`.toUpperCase();
}
