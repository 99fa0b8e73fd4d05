import { authorization, makeLogin } from "../../../scripts/bench.d/data-set.ts";

const PAGE = 1000;
/** People at the API at the same time. */
const STAFF_AT_ONCE = 2;
const VISITORS = 4;
/** Milliseconds that somebody looks at a page before the next one. */
const LOOKS = 100;
const paths = ["/portal", "/portal/invoices", "/portal/sessions"];

/** Staff that lists subscribers a thousand at a time, and subscribers in the portal; as long as it is told to go on. */
export class Browsing {
  readonly faults: string[] = [];
  pages = 0;
  visits = 0;
  readonly #url: string;
  readonly #subscribers: number;
  readonly #cookies: readonly string[];
  #leaving = new AbortController();
  #people: Promise<unknown> = Promise.resolve();

  private constructor(url: string, subscribers: number, cookies: readonly string[]) {
    this.#url = url;
    this.#subscribers = subscribers;
    this.#cookies = cookies;
  }

  static async open(url: string, subscribers: number): Promise<Browsing> {
    const ids = Array.from({ length: VISITORS }, (_, index) => index + 1);
    return new Browsing(url, subscribers, await Promise.all(ids.map((id) => signIn(url, id))));
  }

  begin(): void {
    this.#leaving = new AbortController();
    const { signal } = this.#leaving;
    const staff = Array.from({ length: STAFF_AT_ONCE }, (_, index) => this.#list(index, signal));
    this.#people = Promise.all([...staff, ...this.#cookies.map((cookie) => this.#browse(cookie, signal))]);
  }

  async end(): Promise<void> {
    this.#leaving.abort();
    await this.#people;
  }

  async #list(from: number, signal: AbortSignal): Promise<void> {
    const last = Math.max(1, this.#subscribers - PAGE);
    for (let offset = (from * PAGE) % last; !signal.aborted; offset = (offset + PAGE) % last) {
      const path = `/api/v1/subscriber/list?limit=${PAGE}&offset=${offset}`;
      const response = await fetch(this.#url + path, { headers: { authorization } });
      const rows: unknown = await response.json();
      if (response.status !== 200 || !Array.isArray(rows) || rows.length === 0)
        this.faults.push(`a list is answered ${response.status}`);
      this.pages++;
      await Bun.sleep(LOOKS);
    }
  }

  async #browse(cookie: string, signal: AbortSignal): Promise<void> {
    for (let turn = 0; !signal.aborted; turn++) {
      const path = paths[turn % paths.length] ?? "";
      const response = await fetch(this.#url + path, { headers: { cookie }, redirect: "manual" });
      await response.arrayBuffer();
      if (response.status !== 200) this.faults.push(`${path} is answered ${response.status}`);
      this.visits++;
      await Bun.sleep(LOOKS);
    }
  }
}

async function signIn(url: string, id: number): Promise<string> {
  const login = await fetch(`${url}/api/v1/subscriber/login`, {
    method: "POST",
    body: new URLSearchParams(makeLogin(id)),
  });
  const token = /"token":"([^"]+)"/.exec(await login.text())?.[1];
  const headers = { authorization: `Bearer ${token}` };
  const entered = await fetch(`${url}/mobile-auto-login`, { headers, redirect: "manual" });
  return entered.headers.get("set-cookie")?.split(";")[0] ?? "";
}
