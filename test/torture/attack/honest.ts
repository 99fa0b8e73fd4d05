import { RadiusClient } from "../../support/radius-client.ts";
import { ADMIN, HONEST, loginOf, SECRET, STAFF, SUBSCRIBERS, type Target } from "../target.ts";
import { type Notes, quantile, format } from "../notes.ts";
import { type Answer, basic, form, json, type Sent } from "../raw-http.ts";

/** Milliseconds that a router waits before it asks once more. */
const ROUTER_WAITS = 1100;
const METHODS = ["pap", "chap", "mschapv2"] as const;

type Kind =
  "RADIUS login" | "accounting" | "HTTP Basic call" | "subscriber login" | "portal sign-in" | "staff login";

/** Somebody who behaves: logs in at a steady pace by every door, and has to be let in each time. */
export class Honest {
  readonly #target: Target;
  readonly #notes: Notes;
  readonly #tries: number;
  readonly #comesAgain: number;
  readonly #radius: RadiusClient;
  readonly #times = new Map<Kind, number[]>();
  readonly #calls = new Set<Promise<void>>();
  #beat = 0;
  #subscriber = 20;

  /**
   * `tries`: how often it asks over RADIUS before it gives up. `comesAgain`: how often it does as it is told where there are
   * too many sign-ins at once.
   */
  constructor(target: Target, notes: Notes, { tries, comesAgain }: { tries: number; comesAgain: number }) {
    this.#target = target;
    this.#notes = notes;
    this.#tries = tries;
    this.#comesAgain = comesAgain;
    this.#radius = new RadiusClient({
      host: "127.0.0.1",
      port: target.auth,
      acctPort: target.acct,
      secret: SECRET,
    });
  }

  /** Signs in once, as one who did so before anybody attacked. */
  async begin(): Promise<void> {
    const { status } = await this.#ask("public", json("/api/v1/subscriber/login", this.#somebody()));
    this.#notes.expect(status === 200, `an honest client got ${status} before anything happened`);
  }

  /** Calls at this pace (milliseconds between two beats) until `isOver`; ends when everything was answered. */
  async call(pace: number, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      this.#begin();
      await Bun.sleep(pace);
    }
    await Promise.all(this.#calls);
    await this.#radius.close();
  }

  report(): void {
    for (const [kind, times] of this.#times) {
      const slowest = `${Math.round(quantile(times, 0.5))} ms in the middle, ${Math.round(quantile(times, 1))} ms at the most`;
      this.#notes.figure(
        `meanwhile, ${kind}s of an honest client that succeeded`,
        `${format(times.length)} of ${format(times.length)}, ${slowest}`,
      );
    }
  }

  #begin(): void {
    this.#beat += 1;
    this.#follow("RADIUS login", () => this.#login());
    this.#follow("accounting", () => this.#start());
    const reading = { target: "/api/v1/subscriber/get/1", headers: basic(ADMIN.username, ADMIN.password) };
    this.#follow("HTTP Basic call", () => this.#http("lan", reading, 200));
    if (this.#beat % 4 === 1)
      this.#follow("subscriber login", () =>
        this.#http("public", json("/api/v1/subscriber/login", this.#somebody()), 200),
      );
    if (this.#beat % 4 === 3) this.#follow("portal sign-in", () => this.#portal());
    const account = STAFF[(this.#beat >> 4) % STAFF.length];
    if (this.#beat % 16 === 2 && account)
      this.#follow("staff login", () =>
        this.#http(
          "lan",
          json("/api/v1/users/login", { email: account.username, password: account.password }),
          200,
        ),
      );
  }

  /** `work` resolves to what went wrong, if anything. */
  #follow(kind: Kind, work: () => Promise<string | undefined>): void {
    const follow = async () => {
      const began = performance.now();
      const trouble = await work().catch((error: unknown) => String(error));
      if (trouble !== undefined)
        return this.#notes.fault(`while attacked, a ${kind} of an honest client failed: ${trouble}`);
      const times = this.#times.get(kind) ?? [];
      times.push(performance.now() - began);
      this.#times.set(kind, times);
    };
    const call = follow().finally(() => this.#calls.delete(call));
    this.#calls.add(call);
  }

  async #login(): Promise<string | undefined> {
    const { username: name, password } = this.#somebody();
    const method = METHODS[this.#beat % METHODS.length] ?? "pap";
    const request = this.#radius.prepareAccess({ name, password, method });
    for (let tries = 0; tries < this.#tries; tries++) {
      const reply = await this.#radius.exchange(request, ROUTER_WAITS);
      if (reply)
        return reply.code === "Access-Accept" && reply.faults.length === 0
          ? undefined
          : `${reply.code} ${reply.faults.join()}`;
    }
    return `no answer to ${this.#tries} tries`;
  }

  async #start(): Promise<string | undefined> {
    const { username } = this.#somebody();
    const session = `8f${this.#beat.toString(16).padStart(6, "0")}`;
    const request = this.#radius.prepareAccounting("Start", [
      ["User-Name", username],
      ["Acct-Session-Id", session],
      ["Framed-IP-Address", `10.9.${this.#beat >> 8}.${this.#beat & 255}`],
    ]);
    for (let tries = 0; tries < this.#tries; tries++) {
      const reply = await this.#radius.exchange(request, ROUTER_WAITS);
      if (reply) return reply.code === "Accounting-Response" ? undefined : reply.code;
    }
    return `no answer to ${this.#tries} tries`;
  }

  async #http(listener: "lan" | "public", sent: Sent, expected: number): Promise<string | undefined> {
    const answer = await this.#ask(listener, sent);
    return answer.status === expected ? undefined : `${answer.status} ${answer.body.slice(0, 100)}`;
  }

  async #portal(): Promise<string | undefined> {
    const page = await this.#ask("public", { target: "/portal/sign-in" });
    const cookie = /^[^;]+/.exec(page.headers.get("set-cookie") ?? "")?.[0] ?? "";
    const form_token = /name="form_token" value="([^"]+)"/.exec(page.body)?.[1] ?? "";
    const { status } = await this.#ask(
      "public",
      form("/portal/sign-in", { ...this.#somebody(), form_token }, cookie),
    );
    return status === 303 ? undefined : `${status}`;
  }

  async #ask(listener: "lan" | "public", sent: Sent): Promise<Answer> {
    for (let again = 0; ; again++) {
      const answer = await this.#target.ask(HONEST, listener, sent);
      if (answer.status !== 503 || again >= this.#comesAgain) return answer;
      await Bun.sleep(Number(answer.headers.get("retry-after") ?? 1) * 1000);
    }
  }

  /** In turn, so that nobody logs in five times a minute. */
  #somebody(): { username: string; password: string } {
    this.#subscriber = this.#subscriber >= SUBSCRIBERS ? 20 : this.#subscriber + 1;
    return loginOf(this.#subscriber);
  }
}
