import type { Database } from "bun:sqlite";
import { join } from "node:path";
import { authorization, dataSet, makeLogin, SECRET } from "../../../scripts/bench.d/data-set.ts";
import { type Addresses, Appliance } from "../../support/appliance.ts";
import { NatsServer } from "../../support/nats-server.ts";

/** Routers that every box knows, each at an address of its own. */
export const ROUTERS = ["127.0.1.1", "127.0.1.2", "127.0.1.3", "127.0.1.4"] as const;
const BOXES = ["tower-1", "tower-2"] as const;
/** Milliseconds that something may take which comes by itself. */
const PATIENCE = 60_000;

export { authorization, makeLogin, SECRET };

/** One program of the network, that can be killed and started again where it was. */
export interface Part {
  readonly name: string;
  readonly isUp: () => boolean;
  readonly pid: () => number;
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
}

/** A server of the product with its store, on the same ports in every life. */
export class Server implements Part {
  readonly name: string;
  readonly appliance: Appliance;
  #addresses: Addresses | undefined;
  #db: Database | undefined;

  constructor(name: string, env: Record<string, string>) {
    this.name = name;
    this.appliance = new Appliance({ GATEHOUSE_LOG_LEVEL: "warn", ...env });
  }

  get addresses(): Addresses {
    if (!this.#addresses) throw new Error(`${this.name} was never started`);
    return this.#addresses;
  }

  isUp(): boolean {
    return this.appliance.pid !== 0;
  }

  pid(): number {
    return this.appliance.pid;
  }

  /** `env` stays in its environment. */
  async start(env: Record<string, string> = {}): Promise<void> {
    const at = this.#addresses;
    this.#addresses = await this.appliance.serve({
      ...(at && {
        GATEHOUSE_RADIUS_AUTH_LISTEN: at.radius_auth,
        GATEHOUSE_RADIUS_ACCT_LISTEN: at.radius_acct,
      }),
      ...env,
    });
  }

  async kill(): Promise<void> {
    await this.appliance.stop("SIGKILL");
    this.#db?.close();
    this.#db = undefined;
  }

  async run(args: string[], stdin = ""): Promise<string> {
    const { code, stdout, stderr } = await this.appliance.run(args, stdin);
    if (code !== 0) throw new Error(`${this.name}: gatehouse ${args.join(" ")}: ${stderr}`);
    return stdout;
  }

  /** Its store, of which no connection is left open where it is moved away. */
  get #store(): Database {
    return (this.#db ??= this.appliance.otherWriter());
  }

  rows<T>(sql: string, ...values: (string | number)[]): T[] {
    return this.#store.query<T, (string | number)[]>(sql).all(...values);
  }

  one<T>(sql: string, ...values: (string | number)[]): T {
    const [row] = this.rows<T>(sql, ...values);
    if (row === undefined) throw new Error(`${this.name}: nothing of ${sql}`);
    return row;
  }

  change(sql: string, ...values: (string | number)[]): void {
    this.#store.query(sql).run(...values);
  }

  /** What `body` changes, in one transaction. */
  changes(body: () => void): void {
    this.#store.transaction(body).immediate();
  }

  async close(): Promise<void> {
    this.#db?.close();
    await this.appliance[Symbol.asyncDispose]();
  }
}

/** Books, two access boxes and the nats-server between them, each a process of its own, as the handbook sets them up. */
export class Network implements AsyncDisposable {
  readonly nats: NatsServer;
  readonly primary: Server;
  readonly boxes: readonly Server[];
  readonly parts: readonly Part[];
  /** When the books began for the first time, by performance.now(). */
  startedAt = 0;
  #isNatsUp = true;

  private constructor(nats: NatsServer) {
    this.nats = nats;
    const env = { GATEHOUSE_NATS_URL: nats.url };
    this.primary = new Server("books", env);
    this.boxes = BOXES.map((name) => new Server(name, { ...env, GATEHOUSE_ROLE: "access" }));
    const ofNats: Part = {
      name: "nats-server",
      isUp: () => this.#isNatsUp,
      pid: () => nats.pid,
      kill: async () => {
        this.#isNatsUp = false;
        await nats.kill();
      },
      start: async () => {
        await nats.up();
        this.#isNatsUp = true;
      },
    };
    this.parts = [this.primary, ...this.boxes, ofNats];
  }

  /** With so many subscribers, of whom boxes may not know yet. */
  static async open(subscribers: number): Promise<Network> {
    const network = new Network(await NatsServer.start());
    try {
      await network.#setUp(subscribers);
      return network;
    } catch (error) {
      await network[Symbol.asyncDispose]();
      throw error;
    }
  }

  async #setUp(subscribers: number): Promise<void> {
    const { primary, boxes, nats } = this;
    const data = JSON.parse(dataSet(subscribers, { balance: "1000.00" }));
    data.packages[0].simultaneous_use = 4;
    data.nas = ["127.0.0.1", ...ROUTERS].map((address, index) => {
      return { id: index + 1, isp_id: 1, name: `router ${index}`, address, secret: SECRET };
    });
    await primary.appliance.load(data);
    for (const node of boxes) {
      const added = JSON.parse(await primary.run(["box", "add", node.name, "--json"]));
      await node.run(["box", "join"], added.join);
    }
    // as it is printed for the operator, without its certificate and where this one is
    const printed = await primary.run(["box", "server"]);
    nats.config = join(primary.appliance.folder, "nats-server.conf");
    await Bun.write(
      nats.config,
      printed
        .replace(/tls \{[^}]*\}/, "")
        .replace(/listen: .*/, "")
        .replace(/store_dir: .*/, ""),
    );
    await nats.kill();
    await nats.up();
    this.startedAt = performance.now();
    for (const server of [primary, ...boxes]) await server.start();
  }

  /** Waits for what comes by itself; whether it did. */
  async until(isSo: () => boolean | Promise<boolean>, patience = PATIENCE): Promise<boolean> {
    const end = performance.now() + patience;
    while (!(await isSo())) {
      if (performance.now() > end) return false;
      await Bun.sleep(20);
    }
    return true;
  }

  /** Whether every subscriber of the books is at every box. */
  isPublished(): boolean {
    const count = "SELECT count(*) AS count FROM subscribers";
    const all = this.primary.one<{ count: number }>(count).count;
    return this.boxes.every((node) => node.one<{ count: number }>(count).count === all);
  }

  /** Rows of the journals that the books have not said they have. */
  get waiting(): number {
    return this.boxes.reduce(
      (sum, node) =>
        sum +
        node.one<{ count: number }>(
          "SELECT count(*) AS count FROM journal WHERE number > (SELECT home FROM access_state)",
        ).count,
      0,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.primary, ...this.boxes].map((server) => server.close()));
    await this.nats[Symbol.asyncDispose]();
  }
}
