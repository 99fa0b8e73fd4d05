import { randomBytes, randomInt } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { NamedAttribute } from "../../src/radius/packet/codec.ts";
import { certificate } from "./certificate.ts";
import { fillIn } from "./hotspot-template.ts";
import type { RadclientRouter } from "./radclient-router.ts";

interface ServletOptions {
  readonly folder: string;
  /** As in the profile; https is served beside http. */
  readonly loginBy: readonly ("http-pap" | "http-chap" | "https")[];
  readonly radius: RadclientRouter;
  /** Whether login-by has `trial`: half an hour for each device, granted by the router. */
  readonly trial?: boolean;
  /** The only device. */
  readonly mac?: string;
}

interface Online {
  readonly username: string;
  readonly sessionId: string;
  readonly sessionTimeout: number;
  readonly totalLimit: number;
  uptime: number;
  bytesIn: number;
  bytesOut: number;
}

const ADDRESS = "10.5.50.254";

/**
 * The servlet of a RouterOS hotspot with one device, written from RouterOS's manual ("Hotspot customisation"): pages,
 * variables, passwords, and what it asks and reports over RADIUS.
 */
export class HotspotServlet implements AsyncDisposable {
  readonly options: ServletOptions;
  online: Online | undefined;
  readonly logins: { username: string; by: "pap" | "chap" }[] = [];
  readonly paths: string[] = [];
  readonly #http: Bun.Server<undefined>;
  readonly #https: Bun.Server<undefined> | undefined;
  #challenge: { id: Buffer; bytes: Buffer } | undefined;
  #number = 0;
  #wasTried = false;

  private constructor(options: ServletOptions, tls: { cert: string; key: string } | undefined) {
    this.options = options;
    const serve = (secure?: { cert: string; key: string }) =>
      Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        ...(secure && { tls: secure }),
        fetch: (request) => this.#answer(request, secure !== undefined),
      });
    this.#http = serve();
    this.#https = tls && serve(tls);
  }

  static async start(options: ServletOptions): Promise<HotspotServlet> {
    return new HotspotServlet(options, options.loginBy.includes("https") ? await certificate() : undefined);
  }

  /** The origin of its login page: https where it has that, for the router redirects there. */
  get origin(): string {
    return this.#https ? `https://127.0.0.1:${this.#https.port}` : `http://127.0.0.1:${this.#http.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#http.stop(true), this.#https?.stop(true)]);
  }

  /** "Serving Servlet Pages": the page of each kind of request, with fallbacks for missing files. */
  async #answer(request: Request, isSecure: boolean): Promise<Response> {
    const url = new URL(request.url);
    const host = request.headers.get("host");
    const isOwn = host === `127.0.0.1:${this.#http.port}` || host === `127.0.0.1:${this.#https?.port}`;
    this.paths.push(url.pathname);
    const show = (names: readonly string[], more: Record<string, string> = {}) =>
      this.#page(names, { ...this.#variables(isSecure), ...more });
    if (!isOwn && this.online) return new Response("the internet");
    const entry = { "link-redirect": `${this.origin}/login?dst=${encodeURIComponent(url.href)}` };
    if (!isOwn) return show(["rlogin.html", "redirect.html"], entry);
    switch (url.pathname) {
      case "/":
        return this.online
          ? show(["rstatus.html", "redirect.html"], { "link-redirect": `${this.origin}/status` })
          : show(["rlogin.html", "redirect.html"], { "link-redirect": `${this.origin}/login` });
      case "/login":
        return this.#login(await fieldsOf(request, url), isSecure);
      case "/status":
        return this.online
          ? show(["status.html"])
          : show(["fstatus.html", "redirect.html"], { "link-redirect": `${this.origin}/login` });
      case "/logout":
        return this.#logout(isSecure);
      case "/api":
        return show(["api.json"]);
      default:
        return show([url.pathname.slice(1)]);
    }
  }

  async #login(fields: Readonly<Record<string, string>>, isSecure: boolean): Promise<Response> {
    const { username = "", dst = "" } = fields;
    const error = this.online || username === "" ? undefined : await this.#tryLogin(fields, isSecure);
    const text: Record<string, string> = {
      username,
      "link-orig": dst,
      "link-redirect": dst || `${this.origin}/status`,
    };
    if (this.online) return this.#page(["alogin.html"], { ...this.#variables(isSecure), ...text });
    if (error) Object.assign(text, this.#said(error));
    // an address that says https is not asked to hash: what it sends nobody else can read
    if (this.options.loginBy.includes("http-chap") && !isSecure) {
      // radclient takes 17 bytes for a proof that is made already where one is no printable sign, and else for a password
      this.#challenge = { id: Buffer.of(randomInt(32)), bytes: randomBytes(16) };
      text["chap-id"] = octal(this.#challenge.id);
      text["chap-challenge"] = octal(this.#challenge.bytes);
    }
    const names = error ? ["flogin.html", "login.html"] : ["login.html"];
    return this.#page(names, { ...this.#variables(isSecure), ...text });
  }

  /** Undefined: logged in. Else the error's name in errors.txt, and the text of RADIUS. */
  async #tryLogin({ username = "", password = "" }: Readonly<Record<string, string>>, isSecure: boolean) {
    const { loginBy, radius } = this.options;
    if (username === `T-${this.#mac}`) return this.#tryTrial(username);
    const challenge = this.#challenge;
    this.#challenge = undefined;
    const isHashed = !isSecure && loginBy.includes("http-chap") && /^[0-9a-f]{32}$/.test(password);
    const takesPlain = isSecure || loginBy.includes("http-pap");
    if (isHashed ? !challenge : !takesPlain) return { name: "chap-missing" };
    const attributes = this.#attributes();
    this.logins.push({ username, by: isHashed ? "chap" : "pap" });
    const proof: NamedAttribute[] =
      isHashed && challenge
        ? [
            ["CHAP-Password", Buffer.concat([challenge.id, Buffer.from(password, "hex")])],
            ["CHAP-Challenge", challenge.bytes],
          ]
        : [["User-Password", password]];
    const reply = await radius.access([["User-Name", username], ...proof, ...attributes]);
    if (!reply) return { name: "radius-timeout" };
    const first = (name: string) => reply.attributes[name]?.[0];
    if (reply.code !== "Access-Accept") {
      const text = first("Reply-Message");
      return text === undefined
        ? { name: "invalid-username" }
        : { name: "radius-reply", original: `${text}` };
    }
    this.online = {
      username,
      sessionId: `8050${(++this.#number).toString(16).padStart(4, "0")}`,
      sessionTimeout: Number(first("Session-Timeout") ?? 0),
      totalLimit:
        Number(first("Mikrotik-Total-Limit") ?? 0) +
        Number(first("Mikrotik-Total-Limit-Gigawords") ?? 0) * 2 ** 32,
      uptime: 0,
      bytesIn: 0,
      bytesOut: 0,
    };
    await radius.accounting("Start", this.#accounting(this.online));
    return undefined;
  }

  #tryTrial(username: string): { name: string } | undefined {
    if (!this.#mayTry) return { name: "invalid-username" };
    this.#wasTried = true;
    const used = { uptime: 0, bytesIn: 0, bytesOut: 0 };
    this.online = { username, sessionId: "trial", sessionTimeout: 1800, totalLimit: 0, ...used };
    return undefined;
  }

  get #mayTry(): boolean {
    return this.options.trial === true && !this.#wasTried;
  }

  get #mac(): string {
    return this.options.mac ?? "02:AA:00:00:00:01";
  }

  async #logout(isSecure: boolean): Promise<Response> {
    const { online } = this;
    const variables = this.#variables(isSecure);
    if (!online)
      return this.#page(["flogout.html", "redirect.html"], {
        ...variables,
        "link-redirect": `${this.origin}/login`,
      });
    this.online = undefined;
    await this.options.radius.accounting("Stop", [
      ...this.#accounting(online),
      ["Acct-Session-Time", online.uptime],
      ["Acct-Input-Octets", online.bytesIn],
      ["Acct-Output-Octets", online.bytesOut],
      ["Acct-Terminate-Cause", "User-Request"],
    ]);
    return this.#page(["logout.html"], { ...variables, "logged-in": "no" });
  }

  #attributes(): NamedAttribute[] {
    return [
      ["Service-Type", "Login-User"],
      ["NAS-Port-Type", "Wireless-802.11"],
      ["NAS-Port-Id", "bridge-hs"],
      ["NAS-Identifier", "hotspot"],
      ["NAS-IP-Address", "127.0.0.1"],
      ["Calling-Station-Id", this.#mac],
      ["Called-Station-Id", "hotspot1"],
      ["Framed-IP-Address", ADDRESS],
    ];
  }

  #accounting({ username, sessionId }: Online): NamedAttribute[] {
    return [["User-Name", username], ["Acct-Session-Id", sessionId], ...this.#attributes()];
  }

  /** The text of errors.txt for an error, else the router's own. */
  #said({ name, original = name }: { name: string; original?: string }): Record<string, string> {
    const lines = readFileSync(join(this.options.folder, "errors.txt"), "utf8").split("\n");
    const line = lines.find((each) => each.startsWith(`${name} = `));
    const error =
      line === undefined ? original : fillIn(line.slice(name.length + 3), { "error-orig": original });
    return { error, "error-orig": original };
  }

  #variables(isSecure: boolean): Record<string, string> {
    const { online, origin } = this;
    const common = {
      hostname: "127.0.0.1",
      identity: "MikroTik",
      ip: ADDRESS,
      "link-login": `${origin}/login`,
      "link-login-only": `${origin}/login`,
      "link-logout": `${origin}/logout`,
      "link-status": `${origin}/status`,
      mac: this.#mac,
      trial: this.#mayTry ? "yes" : "no",
      "logged-in": online ? "yes" : "no",
      "plain-passwd": this.options.loginBy.includes("http-pap") ? "yes" : "no",
      "ssl-login": isSecure ? "yes" : "no",
      "session-timeout-secs": `${online?.sessionTimeout ?? 0}`,
    };
    return online ? { ...common, ...usage(online) } : common;
  }

  /** The first of these pages that exists, filled in if it is text or HTML. */
  #page(names: readonly string[], variables: Readonly<Record<string, string>>): Response {
    const name = names.find((each) => /^[\w.-]+$/.test(each) && existsSync(join(this.options.folder, each)));
    if (name === undefined) return new Response("Error 404: Not Found", { status: 404 });
    const content = readFileSync(join(this.options.folder, name));
    const type = types[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
    if (!/\.(html?|txt|json)$/.test(name))
      return new Response(content, { headers: { "content-type": type } });
    const template = content.toString();
    const ask = (more: Record<string, string>) => fillIn(template, { ...variables, ...more }).trim();
    const plain = ask({});
    const isRedirect = template.startsWith("$(if http-status == 302)");
    const location = isRedirect ? ask({ "http-header": "Location" }).split("\n")[0] : undefined;
    return new Response(plain, {
      status: location === undefined ? 200 : 302,
      headers: { "content-type": type, ...(location !== undefined && { location }) },
    });
  }
}

const types: Readonly<Record<string, string>> = {
  html: "text/html",
  txt: "text/plain",
  css: "text/css",
  js: "text/javascript",
  json: "application/captive+json",
  png: "image/png",
  svg: "image/svg+xml",
};

function usage({ username, sessionTimeout, totalLimit, uptime, bytesIn, bytesOut }: Online) {
  const left = Math.max(0, totalLimit - bytesIn - bytesOut);
  return {
    username,
    uptime: `${uptime}s`,
    "uptime-secs": `${uptime}`,
    "bytes-in": `${bytesIn}`,
    "bytes-out": `${bytesOut}`,
    "bytes-in-nice": `${bytesIn} B`,
    "bytes-out-nice": `${bytesOut} B`,
    "refresh-timeout": "1m",
    "refresh-timeout-secs": "60",
    "session-time-left": sessionTimeout > 0 ? `${sessionTimeout - uptime}s` : "",
    "session-time-left-secs": `${Math.max(0, sessionTimeout - uptime)}`,
    // the manual says that a limit that there is not is "---"
    "remain-bytes-total": totalLimit > 0 ? `${left}` : "---",
    "remain-bytes-total-nice": totalLimit > 0 ? `${left} B` : "---",
  };
}

async function fieldsOf(request: Request, url: URL): Promise<Readonly<Record<string, string>>> {
  const sent = request.method === "POST" ? new URLSearchParams(await request.text()) : url.searchParams;
  return Object.fromEntries(sent);
}

/** Each byte as RouterOS writes it into a script. */
const octal = (bytes: Buffer) =>
  Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
