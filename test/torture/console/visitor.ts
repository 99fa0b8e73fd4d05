import { INJECTED } from "./poison.ts";
import { PASSWORD, type World } from "./world.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const FORM = { "content-type": "application/x-www-form-urlencoded" };

/** The list of one's sessions shows it, cut short. */
const HOSTILE_AGENT = `"'>${INJECTED}u onerror=alert(1)>`;

/** Somebody with cookies and without a browser. */
export class Visitor {
  readonly #world: Pick<World, "origin">;
  readonly #headers: Readonly<Record<string, string>>;
  readonly cookies = new Map<string, string>();

  constructor(world: Pick<World, "origin">, headers: Readonly<Record<string, string>> = {}) {
    this.#world = world;
    this.#headers = headers;
  }

  /** Signed in by the form, from an address of their own so that nobody runs into the limit of another. */
  static async signedIn(world: World, username: string, password = PASSWORD): Promise<Visitor> {
    const visitor = new Visitor(world);
    const { status } = await visitor.signIn(username, password);
    if (status !== 303) throw new Error(`${username} was answered ${status} by the sign-in`);
    return visitor;
  }

  async signIn(username: string, password = PASSWORD): Promise<Answer> {
    const page = await this.get("/console/sign-in");
    return this.post("/console/sign-in", { username, password, form_token: tokenOf(page) });
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.#ask(path, { headers });
  }

  post(
    path: string,
    fields: Readonly<Record<string, string>> | URLSearchParams,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const body = new URLSearchParams(fields).toString();
    return this.#ask(path, { method: "POST", body, headers: { ...FORM, ...headers } });
  }

  /** The token of the forms of this session. */
  async token(): Promise<string> {
    return tokenOf(await this.get("/console/me"));
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  async #ask(
    path: string,
    init: { method?: string; body?: string; headers: Readonly<Record<string, string>> },
  ) {
    const headers = { cookie: this.cookie, "user-agent": HOSTILE_AGENT, ...this.#headers, ...init.headers };
    const response = await fetch(this.#world.origin + path, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.cookies.set(name, value);
    }
    return { status: response.status, headers: response.headers, text: await response.text() };
  }
}

export function tokenOf({ text }: { text: string }): string {
  return /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? "";
}
