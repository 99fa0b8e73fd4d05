import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Addresses, Appliance, portOf, radiusAt } from "../support/appliance.ts";
import { ada, NAS_SECRET, rex } from "../support/isp.ts";
import { RadiusClient } from "../support/radius-client.ts";
import { authorization } from "../../scripts/bench.d/data-set.ts";
import { Clocks } from "./clocks.ts";
import { diskFolder } from "../support/disk.ts";

export interface BoxOptions {
  /** What the wall clock says at the start, in UTC seconds. */
  readonly now: number;
  readonly zone: string;
  /** In the import format, beside ISP 1 and its Admin `ada` and Reseller `rex`. */
  readonly data: Record<string, unknown>;
}

/** Milliseconds that something may take which the product does by itself. */
const PATIENCE = 60_000;
/** Answers of the program without any change after which nothing more is on its way: some 300 ms, and more where it is slower. */
const STILL = 40;
/** Seconds between two turns of the slowest job that somebody waits for. */
const JOBS_EVERY = 15;

/** The compiled product with an ISP, whose clocks the trial moves. */
export class Box implements AsyncDisposable {
  readonly clocks: Clocks;
  readonly #folder: string;
  readonly #appliance: Appliance;
  readonly #routers: RadiusClient[] = [];
  #addresses: Addresses | undefined;
  #db: Database | undefined;

  private constructor(folder: string, clocks: Clocks, zone: string) {
    this.#folder = folder;
    this.clocks = clocks;
    this.#appliance = new Appliance({ ...clocks.env, TZ: zone, GATEHOUSE_LOG_LEVEL: "warn" });
  }

  static async open({ now, zone, data }: BoxOptions): Promise<Box> {
    const folder = mkdtempSync(join(diskFolder(), "gatehouse-clock-"));
    try {
      const box = new Box(folder, await Clocks.open(folder, now), zone);
      try {
        const isp = JSON.stringify({ isps: [{ id: 1, name: "Northlink" }], staff: [ada, rex], ...data });
        const imported = await box.#appliance.run(["import", "-"], isp);
        if (imported.code !== 0) throw new Error(`the import failed: ${imported.stderr}`);
        await box.start();
        return box;
      } catch (error) {
        await box[Symbol.asyncDispose]();
        throw error;
      }
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  async start(zone?: string): Promise<void> {
    this.#addresses = await this.#appliance.serve(zone === undefined ? {} : { TZ: zone });
    this.#db ??= new Database(join(this.#appliance.folder, "data/gatehouse.db"), { readonly: true });
  }

  /** Nothing runs for so many seconds of the box's clock. */
  async standStill(seconds: number): Promise<void> {
    await this.#closeRouters();
    await this.#appliance.stop();
    this.clocks.pass(seconds);
    await this.start();
  }

  /** Where the program listens for logins. */
  get radiusPort(): number {
    return this.#addresses ? portOf(this.#addresses.radius_auth) : 0;
  }

  /** Where its API is. */
  get http(): string {
    return this.#addresses?.http ?? "";
  }

  /** Stops the program and starts it again in another zone. */
  async moveTo(zone: string): Promise<void> {
    await this.#closeRouters();
    await this.#appliance.stop();
    await this.start(zone);
  }

  get now(): number {
    return this.clocks.now;
  }

  get log(): string {
    return this.#appliance.log;
  }

  get pid(): number {
    return this.#appliance.pid;
  }

  /** The header of a call as the Admin. */
  readonly asAdmin = { authorization };

  /** Rows of the store as it is now. */
  rows<T>(sql: string, ...values: (string | number)[]): T[] {
    if (!this.#db) throw new Error("the box was never started");
    return this.#db.query<T, (string | number)[]>(sql).all(...values);
  }

  /** A router at an address of its own on loopback. */
  router(localAddress: string): RadiusClient {
    if (!this.#addresses) throw new Error("the box was never started");
    const router = new RadiusClient({ ...radiusAt(this.#addresses), secret: NAS_SECRET, localAddress });
    this.#routers.push(router);
    return router;
  }

  /** A call of the API; as the Admin by HTTP Basic unless `headers` say otherwise. */
  async call(
    method: string,
    path: string,
    fields?: Record<string, string>,
    headers: Record<string, string> = this.asAdmin,
  ): Promise<Answer> {
    const response = await fetch(`http://${this.#addresses?.http}${path}`, {
      method,
      headers,
      redirect: "manual",
      ...(fields && { body: new URLSearchParams(fields) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : { text } };
  }

  /** A command of the program beside the running server. */
  async run(args: string[]): Promise<void> {
    const { code, stderr } = await this.#appliance.run(args);
    if (code !== 0) throw new Error(`gatehouse ${args.join(" ")}: ${stderr}`);
  }

  /** Lets time pass, and every thread notice. */
  async pass(seconds: number): Promise<void> {
    this.clocks.pass(seconds);
    await this.call("GET", "/healthz");
  }

  /**
   * Waits for what the product does by itself; false when it did not come. Jobs that have run already at this moment get
   * another turn when nothing moves any more, by `state`.
   */
  async eventually(isSo: () => boolean, state: () => string): Promise<boolean> {
    const end = performance.now() + PATIENCE;
    let still = { state: state(), answers: 0 };
    while (!isSo()) {
      if (performance.now() > end) return false;
      const is = state();
      if (is !== still.state) still = { state: is, answers: 0 };
      if (++still.answers > STILL) {
        this.clocks.tick(JOBS_EVERY);
        still.answers = 0;
      }
      await this.call("GET", "/healthz");
      await Bun.sleep(5);
    }
    return true;
  }

  async #closeRouters(): Promise<void> {
    await Promise.all(this.#routers.splice(0).map((router) => router.close()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#closeRouters();
    this.#db?.close();
    await this.#appliance[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** What is no JSON stands under `text`. */
  readonly body: Record<string, unknown>;
}
