import type { Db } from "../../db/open.ts";
import { openRouter } from "../../src/cli/open-router.ts";
import { Arrivals } from "../../src/domain/goods/nas/arrivals.ts";
import {
  type SetupRequest,
  setUpRouter,
  type SetupTools,
} from "../../src/domain/goods/router-setup/setup.ts";
import { routerFindings, type RouterFinding } from "../../src/domain/service/router-watch/findings.ts";
import { mendDifference, mendFindings } from "../../src/domain/service/router-watch/mend.ts";
import { type Looked, watchRouters, type WatchTools } from "../../src/domain/service/router-watch/watch.ts";
import { FakeConfig } from "./fake-routeros-config.ts";
import { FakeRouteros } from "./fake-routeros.ts";
import { by, NAS_SECRET } from "./isp.ts";
import { noNasTools } from "./routers.ts";
import { NOW } from "./store.ts";

/** A fake router that is set up by its API, and the clock of the watch. */
export class WatchedRouter implements AsyncDisposable {
  readonly config: FakeConfig;
  readonly api: FakeRouteros;
  readonly arrivals = new Arrivals();
  now = NOW;
  ahead = 0;
  /** Counter of our /radius row. */
  badReplies = 0;
  readonly #db: Db;

  private constructor(db: Db, config: FakeConfig, api: FakeRouteros) {
    this.#db = db;
    this.config = config;
    this.api = api;
    api.options.clock = () => this.#clock();
    config.commands["/radius/monitor"] = () => [
      ["!re", `=bad-replies=${this.badReplies}`, "=requests=10", "=accepts=10"],
      ["!done"],
    ];
  }

  /** `rows`: what the router has before its set-up, by menu. */
  static async start(
    db: Db,
    {
      version,
      have = {},
    }: { version?: string; have?: Readonly<Record<string, Record<string, string>[]>> } = {},
  ): Promise<WatchedRouter> {
    const config = new FakeConfig(version);
    for (const [menu, rows] of Object.entries(have)) config.have(menu, ...rows);
    const api = await FakeRouteros.start({ config });
    return new WatchedRouter(db, config, api);
  }

  get tools(): WatchTools {
    return { clock: () => this.now, arrivals: this.arrivals, nasTools: { ...noNasTools, open: openRouter } };
  }

  /** Signs in as its Admin and applies the whole set-up. */
  async setUp(choices: SetupRequest["choices"] = {}): Promise<void> {
    await this.#carryOut("setup", choices);
  }

  async remove(): Promise<void> {
    await this.#carryOut("remove", {});
  }

  async #carryOut(mode: SetupRequest["mode"], choices: SetupRequest["choices"]): Promise<void> {
    const tools: SetupTools = {
      now: this.now,
      open: openRouter,
      ownAddress: noNasTools.ownAddress,
      findPlace: (router, lists) => noNasTools.findPlace(router, lists, undefined),
    };
    const login = { username: "admin", password: "secret", port: this.api.port };
    const request = { nasId: 1, login, mode, choices } as const;
    const { outcome } = await setUpRouter(this.#db, by, request, { ...tools, tell: () => {} });
    if (outcome.kind !== "done") throw new Error(`it was not done: ${JSON.stringify(outcome)}`);
  }

  /** Ten minutes after the look before. */
  async look(): Promise<Looked[]> {
    this.now += 600;
    return watchRouters(this.#db, by, { nasId: 1 }, this.tools);
  }

  /** Findings that are confirmed and not hidden. */
  found(): RouterFinding[] {
    return routerFindings(this.#db, by, { nasId: 1 }).findings.filter(
      ({ countedAt, hidden }) => countedAt !== null && hidden === null,
    );
  }

  /** Confirms the change that a finding proposes. */
  async mend(findings: readonly RouterFinding[]): Promise<void> {
    const request = { nasId: 1, ids: findings.map(({ id }) => id) };
    const { digest } = await mendDifference(this.#db, by, request, this.tools);
    const { outcome } = await mendFindings(this.#db, by, { ...request, digest }, this.tools);
    if (outcome.kind !== "done") throw new Error(`it was not mended: ${JSON.stringify(outcome)}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.api[Symbol.asyncDispose]();
  }

  #clock(): Record<string, string> {
    const time = new Date((this.now + this.ahead) * 1000).toISOString();
    return { date: time.slice(0, 10), time: time.slice(11, 19), "gmt-offset": "+00:00" };
  }
}

export { NAS_SECRET };
