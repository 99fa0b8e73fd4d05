import { openWriter } from "../../../db/open.ts";
import type { Needles } from "./needles.ts";
import type { Notes } from "../notes.ts";
import { type Answer, askOnce, basic, form, json, type Sent } from "../raw-http.ts";
import { planted, STAFF, SUBSCRIBER } from "./store.ts";

interface Served {
  readonly lan: number;
  readonly dataFolder: string;
}

/** Calls the API and the portal in every way in which a secret is at hand, and looks at every answer. */
export class TalkingHttp {
  readonly #served: Served;
  readonly #needles: Needles;
  readonly #notes: Notes;
  answers = 0;

  constructor(served: Served, needles: Needles, notes: Notes) {
    this.#served = served;
    this.#needles = needles;
    this.#notes = notes;
  }

  /** An answer in which nothing but what is `allowed` may be found. */
  async ask(sent: Sent, allowed: readonly string[] = []): Promise<Answer> {
    const answer = await askOnce({ port: this.#served.lan, from: "127.10.0.1" }, sent);
    if (!answer) throw new Error(`${sent.method ?? "GET"} ${sent.target} got no answer`);
    this.answers += 1;
    this.#look(answer, sent, allowed);
    return answer;
  }

  #look({ headers, body }: Answer, { method = "GET", target }: Sent, allowed: readonly string[]): void {
    const text = `${[...headers].map(([name, value]) => `${name}: ${value}`).join("\n")}\n${body}`;
    for (const found of this.#needles.in(text, allowed))
      this.#notes.fault(`the answer to ${method} ${target.split("?")[0]} has the ${found}`);
  }

  /** Logs in by every door; the tokens become secrets too, which may be told to whoever logs in and nobody else. */
  async logIn(): Promise<{ staff: string; subscriber: string; session: string }> {
    const staffLogin = json("/api/v1/users/login", { email: STAFF, password: planted["staff password"] });
    const staff = await this.#issued("staff token", staffLogin, /"token":"\d+\|([^"]+)"/);
    const login = json("/api/v1/subscriber/login", {
      username: SUBSCRIBER,
      password: planted["subscriber password"],
    });
    const subscriber = await this.#issued("subscriber token", login, /"token":"([^"]+)"/);
    const page = await this.ask({ target: "/portal/sign-in" });
    const cookie = /^[^;]+/.exec(page.headers.get("set-cookie") ?? "")?.[0] ?? "";
    const form_token = /name="form_token" value="([^"]+)"/.exec(page.body)?.[1] ?? "";
    const fields = { username: SUBSCRIBER, password: planted["subscriber password"], form_token };
    const session = await this.#issued(
      "portal session",
      form("/portal/sign-in", fields, cookie),
      /gatehouse_portal=([^;]+)/,
    );
    return { staff, subscriber, session };
  }

  async #issued(name: string, sent: Sent, pattern: RegExp): Promise<string> {
    const { headers, body } = await this.ask(sent);
    const token = pattern.exec(`${headers.get("set-cookie") ?? ""}${body}`)?.[1];
    if (token === undefined) throw new Error(`no ${name} in ${body.slice(0, 200)}`);
    this.#needles.add(name, token);
    return token;
  }

  /** Right and wrong, well and badly formed. */
  async exercise({
    staff,
    subscriber,
    session,
  }: {
    staff: string;
    subscriber: string;
    session: string;
  }): Promise<void> {
    const admin = basic(STAFF, planted["staff password"]);
    const guess = planted["guessed password"];
    const wrong = [
      json("/api/v1/users/login", { email: STAFF, password: guess }),
      json("/api/v1/users/login", { email: guess, password: [guess] }),
      json("/api/auth-login", { email: STAFF, password: { $ne: guess } }),
      json("/api/v1/subscriber/login", { username: SUBSCRIBER, password: guess }),
      json("/api/v1/subscriber/login", { username: guess, password: guess.repeat(60) }),
      { target: "/api/v1/subscriber/list", headers: basic(STAFF, guess) },
      { target: "/api/v1/subscriber/list", headers: { authorization: `Basic ${guess}` } },
      { target: "/api/v1/users/profile", headers: { authorization: `Bearer ${guess}` } },
      { target: `/api/v1/users/profile?access_token=${planted["token in a URL"]}` },
      { target: `/mobile-auto-login?token=${planted["token in a URL"]}` },
      { target: "/portal", headers: { cookie: `gatehouse_portal=${guess}` } },
      form(
        "/portal/sign-in",
        { username: SUBSCRIBER, password: guess, form_token: guess },
        `gatehouse_visit=${guess}`,
      ),
    ];
    for (const sent of wrong) await this.ask(sent);
    for (const [type, body] of malformed(guess))
      for (const target of [
        "/api/v1/users/login",
        "/api/v1/subscriber/login",
        "/portal/sign-in",
        "/api/v1/subscriber/create",
      ])
        await this.ask({ method: "POST", target, body, headers: { ...admin, "content-type": type } });
    await this.#management(admin);
    await this.#portal(session);
    for (const token of [`1|${staff}`, subscriber])
      for (const target of ["/api/v1/users/profile", "/mobile-auto-login"])
        await this.ask({ target, headers: { authorization: `Bearer ${token}` } });
    await this.#brokenStore(admin);
    for (const target of [
      "/metrics",
      "/openapi.json",
      "/healthz",
      "/healthz/detail",
      "/docs",
      "/nothing",
      "/portal/nothing",
    ])
      await this.ask({ target, headers: admin });
  }

  async #management(admin: Record<string, string>): Promise<void> {
    const post = (path: string, value: unknown) => {
      const sent = json(`/api/v1/${path}`, value);
      return { ...sent, headers: { ...sent.headers, ...admin } };
    };
    const created = planted["created subscriber password"];
    const fields = {
      isp_id: 1,
      name: "New",
      username: "new",
      package_id: 1,
      connection_type_id: 1,
      salesperson_id: 1,
      nas_id: 1,
      nic_number: "N9",
      mobile_number: "M9",
    };
    await this.ask(post("subscriber/create", { ...fields, password: created, package_id: "none" }));
    await this.ask(post("subscriber/create", { ...fields, password: created }));
    await this.ask(post("subscriber/create", { ...fields, password: created }));
    await this.ask(
      post("subscriber/update", { username: SUBSCRIBER, isp_id: 1, password: created.repeat(10) }),
    );
    await this.ask(post("subscriber/reset_password", { user_id: 1, new_password: created.repeat(3) }));
    await this.ask(
      post("subscriber/reset_password", { user_id: 2, new_password: planted["reset subscriber password"] }),
    );
    await this.ask(post("activation/disconnect", { user_id: 1 }));
    await this.ask(post("subscriber/note", { user_id: 1, note: "x" }));
    // who may see and set passwords sees them, in the record and nowhere else (the Admin)
    const kinds = ["subscriber password", "created subscriber password", "reset subscriber password"];
    for (const path of ["subscriber/list", "subscriber/get/1", "subscriber/get/2"])
      await this.ask({ target: `/api/v1/${path}`, headers: admin }, kinds);
    for (const path of [
      "subscriber/usage/1",
      "subscriber/notes/1",
      "role/list",
      "subscriber/list?password=1",
      "subscriber/get/999",
    ])
      await this.ask({ target: `/api/v1/${path}`, headers: admin });
  }

  /** The subscriber chooses a password of its own. */
  async #portal(session: string): Promise<void> {
    const cookie = `gatehouse_portal=${session}`;
    for (const target of ["/portal", "/portal/sessions", "/portal/invoices", "/portal/settings"])
      await this.ask({ target, headers: { cookie } });
    const { body } = await this.ask({ target: "/portal/settings", headers: { cookie } });
    const form_token = /name="form_token" value="([^"]+)"/.exec(body)?.[1] ?? "";
    const chosen = planted["portal password"];
    const change = (current: string, again: string) =>
      this.ask(form("/portal/settings/password", { form_token, current, chosen, again }, cookie));
    await change(planted["guessed password"], chosen);
    await change(planted["subscriber password"], `${chosen}2`);
    const changed = await change(planted["subscriber password"], chosen);
    if (changed.status !== 303) throw new Error(`the portal password was not changed: ${changed.status}`);
    await this.ask(
      json("/api/v1/subscriber/login", { username: SUBSCRIBER, password: planted["subscriber password"] }),
    );
  }

  /** Internal errors, whose stacks stand in the log. */
  async #brokenStore(admin: Record<string, string>): Promise<void> {
    const rename = (from: string, to: string) => {
      const db = openWriter(this.#served.dataFolder, { busyTimeout: 5000 });
      db.$client.run(`ALTER TABLE ${from} RENAME TO ${to}`);
      db.$client.close();
    };
    rename("audit_entries", "audit_gone");
    try {
      const reset = json("/api/v1/subscriber/reset_password", {
        user_id: 2,
        new_password: planted["reset subscriber password"],
      });
      let status = 503; // that another program is writing at this moment
      for (let tries = 0; tries < 20 && status === 503; tries++)
        status = (await this.ask({ ...reset, headers: { ...reset.headers, ...admin } })).status;
      if (status !== 500) throw new Error(`a broken store got ${status}`);
      await this.ask(json("/api/v1/users/login", { email: STAFF, password: planted["staff password"] }));
    } finally {
      rename("audit_gone", "audit_entries");
    }
  }
}

/** Bodies with a secret that are none. */
function malformed(secret: string): [type: string, body: string][] {
  return [
    ["application/json", `{"password":"${secret}"`],
    ["application/json", `{"password":${secret}}`],
    ["application/json", `"${secret}"`],
    ["application/x-www-form-urlencoded", `password=${secret}&password=${secret}`],
    ["application/x-www-form-urlencoded", `password=${secret}%zz`],
    ["application/x-www-form-urlencoded", `${secret}=${secret}&username=x`],
    [
      "multipart/form-data; boundary=x",
      `--x\r\nContent-Disposition: form-data; name="password"\r\n\r\n${secret}`,
    ],
    [`text/${secret}`, secret],
  ];
}
