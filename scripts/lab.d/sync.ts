import { Database } from "bun:sqlite";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Addresses, Appliance, radiusAt } from "../../test/support/appliance.ts";
import { Copy, type Json, nouns } from "../../test/support/copy.ts";
import { RadiusClient } from "../../test/support/radius-client.ts";
import { drawing } from "../../test/torture/trial.ts";
import { authorization, dataSet, SECRET } from "../bench.d/data-set.ts";
import { must, type Outcome, runSteps } from "./run-steps.ts";

const SUBSCRIBERS = 40;
/** Seconds between two restarts, and for which a webhook's receiver is on, and off. */
const LIFE = 20;
const TURN = 15;
/** Seconds for which nothing more comes at the end, where something still waits. */
const PATIENCE = 120;
const ROWS = 50;
/** Milliseconds after which a program asks again whom nobody answered. */
const PAUSE = 50;
/** Of a second, in which the kernel counts the time of a process. */
const TICKS = 100;

/** Seconds for which a processor worked for a process, all its threads. */
function readSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** No answer, or one that says that it is busy: a program asks again. */
class Away extends Error {}

/** A server that is stopped and killed at its work, a copy of its books that a program keeps, and a webhook that is off for half of the time. */
class World {
  readonly appliance = new Appliance();
  readonly heard = new Set<string>();
  readonly told = { operations: 0, refused: 0, unanswered: 0, restarts: 0, stops: 0 };
  at: Addresses | undefined;
  copy = this.newCopy();
  readonly #draw: () => number;
  readonly #share: number;
  readonly #begin = performance.now();
  readonly #end: number;
  #ended = 0;
  #receiver: Bun.Server<undefined> | undefined;
  #port = 0;

  /** `share` of one core is what it takes at the most, where others work on the machine. */
  constructor(seconds: number, share: number, seed: number) {
    this.#share = share;
    this.#end = this.#begin + seconds * 1000;
    this.#draw = drawing(seed);
  }

  get isOver(): boolean {
    return performance.now() > this.#end;
  }

  below(most: number): number {
    return Math.floor(this.#draw() * most);
  }

  async call(method: string, path: string, body?: Json): Promise<{ status: number; body: Json }> {
    const { at } = this;
    if (!at) throw new Away("the server is being started");
    const init = { method, headers: { authorization, "content-type": "application/json" } };
    const url = `http://${at.http}${path}`;
    const answer = await fetch(url, body ? { ...init, body: JSON.stringify(body) } : init).catch((error) => {
      throw new Away(String(error));
    });
    const text = await answer.text().catch((error) => {
      throw new Away(String(error));
    });
    if (answer.status === 503) throw new Away(text);
    return { status: answer.status, body: JSON.parse(text) };
  }

  newCopy(kept?: string): Copy {
    return new Copy((path) => this.get(path), kept, ROWS);
  }

  async get(path: string): Promise<Json> {
    const { status, body } = await this.call("GET", path);
    must(status === 200, `${path} was answered ${status}: ${JSON.stringify(body)}`);
    return body;
  }

  async begin(): Promise<void> {
    await this.appliance.load(JSON.parse(dataSet(SUBSCRIBERS)));
    this.at = await this.appliance.serve();
    this.hear(true);
    const made = await this.call("POST", "/api/v1/webhook/create", {
      url: `http://127.0.0.1:${this.#port}/`,
      types: "*",
      allow_local: 1,
    });
    must(made.status === 200, `no webhook was made: ${JSON.stringify(made.body)}`);
  }

  hear(isOn: boolean): void {
    void this.#receiver?.stop(true);
    this.#receiver = isOn
      ? Bun.serve({
          hostname: "127.0.0.1",
          port: this.#port,
          fetch: ({ headers }) => {
            this.heard.add(headers.get("webhook-id") ?? "");
            return new Response("");
          },
        })
      : undefined;
    this.#port = this.#receiver?.port ?? this.#port;
  }

  /** Seconds of a processor, of the servers and of this process. */
  get used(): number {
    return this.#ended + (this.at ? readSeconds(this.appliance.pid) : 0) + readSeconds(process.pid);
  }

  /** Waits while more was taken than its share. */
  async pace(): Promise<void> {
    while (!this.isOver && this.used > (this.#share * (performance.now() - this.#begin)) / 1000)
      await Bun.sleep(PAUSE);
  }

  /** A clerk and a router, one thing after the other. */
  async work(): Promise<void> {
    while (!this.isOver) {
      await this.pace();
      const [what, path, body] = this.#operation();
      try {
        if (what === "report") await this.#report();
        else {
          const { status } = await this.call("POST", `/api/v1/${path}`, body);
          must(status < 500 || status === 502, `${path} was answered ${status}`);
          if (status !== 200) this.told.refused++;
        }
        this.told.operations++;
      } catch (error) {
        if (!(error instanceof Away)) throw error;
        this.told.unanswered++;
        await Bun.sleep(PAUSE);
      }
    }
  }

  #operation(): [what: "call" | "report", path: string, body: Json] {
    const n = (most: number) => this.below(most);
    const user_id = 1 + n(SUBSCRIBERS);
    const calls: [string, Json][] = [
      ["subscriber/update", { username: `user${user_id}`, name: `Sam ${n(999)}` }],
      ["payment/take", { user_id, amount: 1 + n(60), method: "cash" }],
      ["payment/reverse", { id: 1 + n(200), reason: "mistake" }],
      ["activation/activate", { user_id, package_id: 1 }],
      ["invoice/void", { invoice_id: 1 + n(200), reason: "wrong" }],
      [`subscriber/${n(2) ? "freeze" : "thaw"}`, { user_id }],
      [`subscriber/${n(4) ? "restore" : "archive"}`, { user_id }],
    ];
    const [path, body] = calls[n(calls.length)] ?? ["", {}];
    return [n(3) === 0 ? "report" : "call", path, body];
  }

  async #report(): Promise<void> {
    const { at } = this;
    if (!at) throw new Away("the server is being started");
    const router = new RadiusClient({ ...radiusAt(at), secret: SECRET, timeout: 2000 });
    const status = (["Start", "Interim-Update", "Stop"] as const)[this.below(3)] ?? "Start";
    const octets = this.below(9000);
    const reply = await router
      .accounting(status, [
        ["User-Name", `user${1 + this.below(SUBSCRIBERS)}`],
        ["Acct-Session-Id", `S${this.below(400)}`],
        ["Acct-Session-Time", this.below(900)],
        ["Acct-Input-Octets", octets],
        ["Acct-Output-Octets", octets],
      ])
      .finally(() => router.close());
    if (!reply) throw new Away("a router got no answer");
  }

  /** The program that keeps the copy, which is stopped now and then. */
  async follow(): Promise<void> {
    while (!this.isOver) {
      await this.pace();
      await this.whole(() => this.copy.follow(1 + this.below(5)));
      await this.whole(() => this.copy.catchUp());
      if (this.below(9) === 0) {
        this.copy = this.newCopy(this.copy.text);
        this.told.stops++;
      }
      await Bun.sleep(this.below(200));
    }
  }

  /** Again and again, until it is answered. */
  async whole<T>(work: () => Promise<T>): Promise<T> {
    for (;;)
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof Away)) throw error;
        await Bun.sleep(PAUSE);
      }
  }

  async restart(): Promise<void> {
    for (let nth = 0; !this.isOver; nth++) {
      await Bun.sleep(this.below(2 * LIFE * 1000));
      this.#ended += readSeconds(this.appliance.pid);
      this.at = undefined;
      const ended = this.appliance.stop(nth % 2 ? "SIGTERM" : "SIGKILL");
      await ended;
      this.at = await this.appliance.serve();
      this.told.restarts++;
    }
  }

  async turn(): Promise<void> {
    for (let isOn = false; !this.isOver; isOn = !isOn) {
      await Bun.sleep(TURN * 1000);
      this.hear(isOn);
    }
  }

  rows<Row>(text: string): Row[] {
    const store = new Database(join(this.appliance.folder, "data/gatehouse.db"), { readonly: true });
    try {
      return store.query<Row, []>(text).all();
    } finally {
      store.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#receiver?.stop(true);
    await this.appliance[Symbol.asyncDispose]();
  }
}

/** What moves by the clock alone, which is no change of a record. */
const states = new Set(["connection_status", "profile_status", "current_expiration_date"]);
const plain = (record: Json, names: readonly string[]) =>
  JSON.stringify(names.filter((name) => !states.has(name)).map((name) => [name, record[name]]));

const tables = {
  subscriber: "SELECT id FROM subscribers",
  payment: "SELECT id FROM payments",
  invoice: "SELECT id FROM invoices",
  session: "SELECT id FROM sessions WHERE stopped_at IS NOT NULL",
} as const;

async function openSessions(world: World): Promise<string[]> {
  const ids: string[] = [];
  for (let before = ""; ; before = `&before=${ids.at(-1)}`) {
    const page = (await world.get(`/api/v1/session/list?open=1&limit=1000${before}`)) as unknown as Json[];
    ids.push(...page.map(({ id }) => String(id)));
    if (page.length < 1000) return ids;
  }
}

/** Holds the copy against the books: which records there are, and each as its call answers it. */
async function compare(world: World): Promise<string> {
  const { copy } = world;
  await copy.follow();
  await copy.catchUp();
  const fresh = world.newCopy();
  await fresh.follow();
  const counts: string[] = [];
  // a late report may open one that had ended: then this list has it, and no change tells it before it ends again
  for (const id of await openSessions(world)) delete copy.of("session")[id];
  for (const noun of nouns) {
    const ids = world.rows<{ id: number }>(tables[noun]).map(({ id }) => String(id));
    const kept = copy.of(noun);
    must(ids.length === Object.keys(kept).length, `${Object.keys(kept).length} ${noun}s, not ${ids.length}`);
    for (const id of ids) {
      const now =
        noun === "session" ? fresh.of(noun)[id] : await world.get(`/api/v1/${noun}/get/${id}?archived=1`);
      const names = Object.keys(kept[id] ?? {}); // a `get` may have more, as what is printed
      const [copied, is] = [plain(kept[id] ?? {}, names), plain(now ?? {}, names)];
      must(copied === is && names.length > 0, `${noun} ${id} is ${copied}, not ${is}`);
    }
    counts.push(`${ids.length.toLocaleString("en")} ${noun}s`);
  }
  return counts.join(", ");
}

/** Holds what was listed, and what the webhook heard once it was asked for again, against the events that there are. */
async function compareEvents(world: World): Promise<string> {
  const events = world.rows<{ uid: string }>("SELECT uid FROM events ORDER BY id").map(({ uid }) => uid);
  const listed = world.copy.events.map(({ id }) => String(id));
  must(JSON.stringify(listed) === JSON.stringify(events), `${listed.length} listed, not ${events.length}`);
  const heard = events.filter((uid) => world.heard.has(uid)).length;
  world.hear(true);
  await world.call("POST", "/api/v1/webhook/enable/1", { enabled: 1 });
  let [before, end] = [Infinity, 0];
  for (;;) {
    const missing = events.filter((uid) => !world.heard.has(uid));
    if (missing.length === 0) break;
    if (missing.length < before) end = performance.now() + PATIENCE * 1000;
    before = missing.length;
    must(
      performance.now() < end,
      `${missing.length} of ${events.length} events never came: ${describeMissing(world, missing)}`,
    );
    await world.call("POST", "/api/v1/webhook/resend/1", { from: "2020-01-01" });
    // a subscriber's wait for its oldest one, which is sent again in an hour or a day unless somebody presses
    const tried = "SELECT id FROM webhook_deliveries WHERE state = 'waiting' AND attempts > 0";
    for (const { id } of world.rows<{ id: number }>(tried))
      await world.call("POST", `/api/v1/webhook/replay/${id}`, {});
    await Bun.sleep(500);
  }
  return `${events.length.toLocaleString("en")} listed, in order and once; ${heard.toLocaleString("en")} of them heard until then, the others when they were asked for`;
}

/** What the books say of events that never came. */
function describeMissing(world: World, missing: readonly string[]): string {
  const states = world.rows<{ uid: string; said: string }>(
    `SELECT e.uid, e.type || ' ' || ifnull(d.state || ', ' || d.attempts || ' attempts', 'unplanned') AS said
     FROM events e LEFT JOIN webhook_deliveries d ON d.event_id = e.id AND d.endpoint_id = 1`,
  );
  const all = new Set(missing);
  const counts = Map.groupBy(
    states.filter(({ uid }) => all.has(uid)),
    ({ said }) => said,
  );
  return [...counts].map(([said, { length }]) => `${length} ${said}`).join("; ");
}

/** A copy that follows the real executable for `minutes`. */
export async function sync({
  minutes,
  share,
  log,
}: {
  minutes: number;
  share: number;
  log: (line: string) => void;
}): Promise<Outcome> {
  await using world = new World(minutes * 60, share, Date.now() % 2 ** 31);
  await world.begin();
  const steps = [
    {
      what: `${minutes} minutes of random operations, restarts, and a webhook that is off for half of them`,
      run: async () => {
        await Promise.all([world.work(), world.work(), world.follow(), world.restart(), world.turn()]);
        const core = Math.round((100 * world.used) / (minutes * 60));
        const { operations, refused, unanswered, restarts, stops } = world.told;
        return `${operations.toLocaleString("en")} operations, ${refused.toLocaleString("en")} of them refused, ${unanswered} without an answer; ${restarts} restarts, half of them kills; the copy was stopped ${stops} times; ${core}% of a core`;
      },
    },
    { what: "the copy equals the books", run: () => compare(world) },
    { what: "what happened is there once", run: () => compareEvents(world) },
  ];
  return await runSteps(steps, world, { log, lately: async () => world.appliance.log.slice(-2000) });
}
