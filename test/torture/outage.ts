import { join } from "node:path";
import { Database } from "bun:sqlite";
import { type Addresses, type Appliance } from "../support/appliance.ts";
import { authorization, makeLogin, STAFF } from "../../scripts/bench.d/data-set.ts";
import { type Books, inputAt } from "./books.ts";
import { activate, ACTIVE, clientOf, sendAgain } from "./traffic.ts";

/** Milliseconds that a record may wait for its acknowledgement before it counts as not acknowledged, while the disk is ill. */
const SILENCE = 700;
/** Milliseconds that everything may take to work again when the disk does. */
const RECOVERY = 60_000;
const LOGINS = 40;

/** What was seen while a disk was ill, and after it. */
export interface Seen {
  readonly faults: string[];
  logins: number;
  /** Milliseconds. */
  slowestLogin: number;
  /** Records that were rightly left unanswered. */
  silent: number;
  /** What the API said. */
  reason: string;
}

export const nothingSeen = (): Seen => ({ faults: [], logins: 0, slowestLogin: 0, silent: 0, reason: "" });

/** A server whose disk is ill, seen by its routers and its staff. */
export class Outage {
  readonly #appliance: Appliance;
  readonly at: Addresses;
  readonly #books: Books;

  constructor(appliance: Appliance, at: Addresses, books: Books) {
    this.#appliance = appliance;
    this.at = at;
    this.#books = books;
  }

  /** RADIUS authenticates from what can be read, one login after the other. */
  async logIn(seen: Seen, count = LOGINS): Promise<void> {
    const client = clientOf(this.at);
    for (let number = 0; number < count; number++) {
      const { username, password } = makeLogin((number % ACTIVE) + 1);
      const began = performance.now();
      const reply = await client.access({ name: username, password }, 12_000);
      seen.slowestLogin = Math.max(seen.slowestLogin, performance.now() - began);
      seen.logins++;
      if (reply?.code !== "Access-Accept")
        seen.faults.push(`a login was answered with ${reply?.code ?? "silence"}`);
    }
    await client.close();
  }

  /** Starts of new sessions, all at once. Returns how many were acknowledged. */
  async report(seen: Seen, count: number, patience = SILENCE): Promise<number> {
    const client = clientOf(this.at);
    const { sessions, unacknowledged } = this.#books;
    const answers = Array.from({ length: count }, async () => {
      const number = sessions.size;
      const id = `81${number.toString(16).padStart(6, "0")}`;
      const session = { user: (number % ACTIVE) + 1, sent: 1, acknowledged: -1 };
      sessions.set(id, session);
      const prepared = client.prepareAccounting("Interim-Update", [
        ["User-Name", `user${session.user}`],
        ["Acct-Session-Id", id],
        ["NAS-Port", number],
        ["Acct-Input-Octets", inputAt(1)],
        ["Acct-Output-Octets", 10 * inputAt(1)],
      ]);
      const reply = await client.exchange(prepared, patience);
      if (reply) session.acknowledged = 1;
      else unacknowledged.push({ session: id, record: 1, prepared });
      return reply !== null;
    });
    const acknowledged = (await Promise.all(answers)).filter(Boolean).length;
    seen.silent += count - acknowledged;
    await client.close();
    return acknowledged;
  }

  /** Reading goes on; writing is 503 with a reason. */
  async useApi(seen: Seen, reason = /disk/): Promise<void> {
    const read = await this.#call("GET", "/api/v1/subscriber/get/1");
    if (read.status !== 200) seen.faults.push(`reading by the API is ${read.status}: ${read.text}`);
    const login = await this.#call("POST", "/api/auth-login", {
      email: STAFF.username,
      password: STAFF.password,
    });
    const paid = await this.#call("POST", "/api/v1/activation/activate", { user_id: "1", package_id: "1" });
    for (const { status, text, retryAfter } of [paid, login])
      if (status !== 503 || retryAfter === null || !reason.test(text))
        seen.faults.push(`writing by the API is ${status}: ${text}`);
    seen.reason = paid.text;
  }

  /** A command that writes ends with one line that says why. */
  async useCommand(seen: Seen): Promise<void> {
    const { code, stderr } = await this.#appliance.run(["subscriber", "credit", "user1", "1.00"]);
    if (code !== 1 || !/disk|try again/.test(stderr))
      seen.faults.push(`a credit ends with ${code}: ${stderr.trim()}`);
  }

  /** Everything works again by itself: what was not acknowledged is taken, staff is served, nothing was forgotten. */
  async recover(seen: Seen): Promise<void> {
    const silent = await sendAgain(this.at, this.#books);
    if (silent > 0) seen.faults.push(`${silent} records were not acknowledged when the disk was well again`);
    const id = ACTIVE + 1 + this.#books.activations.size;
    this.#books.activations.set(id, "asked");
    const status = await activate(this.at, id);
    if (status === 200) this.#books.activations.set(id, "promised");
    else seen.faults.push(`an activation is ${status} when the disk is well again`);
    const amount = 10_000 + this.#books.credits.size;
    const { code, stderr } = await this.#appliance.run([
      "subscriber",
      "credit",
      "user1",
      (amount / 100).toFixed(2),
    ]);
    if (code === 0) this.#books.credits.set(amount, "promised");
    else seen.faults.push(`a credit ends with ${code} when the disk is well again: ${stderr.trim()}`);
    seen.faults.push(...this.#books.faultsIn(this.database));
  }

  /** Every decision of every outage stands in the log of decisions, late but there. */
  async decisions(logins: number): Promise<string[]> {
    using store = new Database(this.database, { readonly: true });
    const query = store.query<{ count: number }, []>("SELECT count(*) AS count FROM auth_log");
    const end = performance.now() + RECOVERY;
    while ((query.get()?.count ?? 0) < logins && performance.now() < end) await Bun.sleep(50);
    const count = query.get()?.count ?? 0;
    return count === logins ? [] : [`${logins} login decisions were made and ${count} are recorded`];
  }

  get database(): string {
    return join(this.#appliance.folder, "data", "gatehouse.db");
  }

  async #call(method: string, path: string, body?: Record<string, string>) {
    const response = await fetch(`http://${this.at.http}${path}`, {
      method,
      headers: { authorization },
      ...(body && { body: new URLSearchParams(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, retryAfter: response.headers.get("retry-after") };
  }
}
