import { join } from "node:path";
import { Appliance, type Outcome as Ended } from "../../../test/support/appliance.ts";
import { isp, STAFF } from "./isp.ts";
import type { Machine } from "./machine.ts";
import { ADMIN, BOOKS, COA_PORT, HOUSE, HTTP_PORT, ROUTER, SECRET, WALLED_PORT } from "./place.ts";
import { RouterApi } from "./router-api.ts";
import { World } from "./world.ts";

/** Milliseconds that anything may take that a router does by itself. */
const PATIENCE = 45_000;

export interface Finding {
  readonly id: number;
  readonly finding: string;
  readonly key: string;
  readonly counted_at: string | null;
  readonly hidden: unknown;
}

interface Mended {
  readonly outcome: string;
  readonly reason: string | null;
  readonly digest: string;
}

export interface Session {
  readonly id: number;
  readonly stop_time: string | null;
  readonly ip: string | null;
  readonly input_octets: number;
  readonly output_octets: number;
}

/** A router of some version, and a Gatehouse with a store of its own that serves it. */
export class ChrLab implements AsyncDisposable {
  readonly machine: Machine;
  /** Only what a test of the lab itself takes. */
  readonly isShort: boolean;
  /** Its Admin at it. */
  readonly router: RouterApi;
  /** As `/system/resource` says it, such as 7.21. */
  readonly version: string;
  readonly world: World;
  /** What its configuration was before Gatehouse heard of it. */
  exportBefore = "";
  readonly #appliance: Appliance;
  #house: RouterApi | undefined;

  private constructor(
    machine: Machine,
    parts: { router: RouterApi; version: string; world: World; appliance: Appliance; isShort: boolean },
  ) {
    this.isShort = parts.isShort;
    this.machine = machine;
    this.router = parts.router;
    this.version = parts.version;
    this.world = parts.world;
    this.#appliance = parts.appliance;
  }

  /** Waits for the router's API, and serves a store that has the ISP and knows no router yet. */
  static async start(machine: Machine, isShort: boolean): Promise<ChrLab> {
    const router = await RouterApi.atFirst(BOOKS, machine);
    const [resource] = await router.run("/system/resource/print");
    const version = (resource?.["version"] ?? "").replace(/ \(.*$/, "");
    const appliance = new Appliance({
      GATEHOUSE_HTTP_LISTEN: `${BOOKS}:${HTTP_PORT}`,
      GATEHOUSE_RADIUS_AUTH_LISTEN: `${BOOKS}:1812`,
      GATEHOUSE_RADIUS_ACCT_LISTEN: `${BOOKS}:1813`,
      GATEHOUSE_WALLED_LISTEN: `${BOOKS}:${WALLED_PORT}`,
    });
    await appliance.load(isp());
    await appliance.serve();
    const world = await World.start();
    return new ChrLab(machine, { router, version, world, appliance, isShort });
  }

  /** Its number in front of the point. */
  get major(): number {
    return Number.parseInt(this.version, 10);
  }

  attempt(words: readonly string[], stdin = ""): Promise<Ended> {
    return this.#appliance.run([...words], stdin);
  }

  /** A command of Gatehouse that has to succeed; what it printed. */
  async gatehouse(words: readonly string[], stdin = ""): Promise<string> {
    const { code, stdout, stderr } = await this.attempt(words, stdin);
    if (code !== 0)
      throw new Error(`gatehouse ${words.join(" ")} ended with ${code}: ${(stderr + stdout).trim()}`);
    return stdout.trim();
  }

  addRouter(): Promise<string> {
    const add = ["nas", "add", ROUTER, BOOKS, "--dhcp", "--coa-port", String(COA_PORT)];
    return this.gatehouse([...add, "--secret-stdin"], SECRET);
  }

  /** Sets the router up, or takes away what that made, as its Admin. */
  setUp(...options: string[]): Promise<string> {
    return this.gatehouse(["nas", "setup", ROUTER, "--password-stdin", "--yes", ...options], ADMIN.password);
  }

  /** Looks at the router by the command; what counts and nobody hid. */
  async watch(): Promise<Finding[]> {
    const { stdout, stderr } = await this.attempt(["nas", "watch", ROUTER, "--json"]);
    if (!stdout.startsWith("{")) throw new Error(`gatehouse nas watch: ${(stderr + stdout).trim()}`);
    return counted(JSON.parse(stdout));
  }

  /** What stands on the router's page. */
  async findings(): Promise<Finding[]> {
    return counted(await this.api("/api/v1/nas/findings"));
  }

  /** Presses the button of findings: looks at the change, and says yes to it. With `login` as who may more than our account. */
  async mend(
    findings: readonly Finding[],
    login: { username?: string; password?: string } = {},
  ): Promise<void> {
    const body = { id: 1, findings: findings.map(({ id }) => id), ...login };
    const { digest } = await this.api<Mended>("/api/v1/nas/mend", body);
    const { outcome, reason } = await this.api<Mended>("/api/v1/nas/mend", { ...body, digest });
    if (outcome !== "done") throw new Error(`the button ended with ${outcome}: ${reason}`);
  }

  /** A call of the API as the ISP's Admin; with `body` a POST. */
  async api<T>(path: string, body?: object): Promise<T> {
    const { username, password } = STAFF;
    const response = await fetch(`http://${BOOKS}:${HTTP_PORT}${path}`, {
      method: body ? "POST" : "GET",
      headers: {
        authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`,
        "content-type": "application/json",
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    return JSON.parse(text) as T;
  }

  /** The sessions of a subscriber, the newest first. */
  sessions(subscriberId: number): Promise<Session[]> {
    return this.api(`/api/v1/subscriber/sessions/${subscriberId}`);
  }

  /** The machine that dials in, booted when it is asked for first. */
  async house(): Promise<RouterApi> {
    if (!this.#house) {
      this.machine.startHouse();
      this.#house = await RouterApi.atFirst(HOUSE, this.machine);
    }
    return this.#house;
  }

  /** Waits for what a router brings about by itself. */
  async until<T>(what: string, seen: () => Promise<T | undefined | false>, patience = PATIENCE): Promise<T> {
    const end = performance.now() + patience;
    for (;;) {
      const found = await seen();
      if (found !== undefined && found !== false) return found;
      if (performance.now() > end) throw new Error(`${what} did not come in ${patience / 1000} s`);
      await Bun.sleep(250);
    }
  }

  /** A file of this name in the lab's own folder. */
  path(name: string): string {
    return join(this.#appliance.folder, name);
  }

  /** The end of the server's log. */
  lately(): string {
    return this.#appliance.log.split("\n").slice(-15).join("\n");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#house?.[Symbol.dispose]();
    this.router[Symbol.dispose]();
    this.world[Symbol.dispose]();
    await this.#appliance[Symbol.asyncDispose]();
  }
}

const counted = ({ findings }: { findings: readonly Finding[] }) =>
  findings.filter(({ counted_at: at, hidden }) => at !== null && hidden === null);
