import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { openWriter } from "../../../db/open.ts";
import { printedCode } from "../../../src/domain/goods/codes/codes.ts";
import { makeBatch } from "../../support/card-codes.ts";
import { RadiusClient } from "../../support/radius-client.ts";
import { basic, form, json } from "../raw-http.ts";
import type { TalkingCommands } from "./commands.ts";
import type { TalkingHttp } from "./http.ts";
import type { Needles } from "./needles.ts";
import { planted, STAFF } from "./store.ts";

/** Codes of cards that go in by every door. */
export interface PlantedCodes {
  /** A card that logs in, one that is sold and made void, and one that the operator prints again. */
  readonly used: string;
  readonly sold: string;
  readonly printed: string;
  /** Of the same form, and nobody's. */
  readonly guessed: string;
  /** Refills, by whom they are redeemed. */
  readonly byStaff: string;
  readonly inApp: string;
  readonly inPortal: string;
  readonly inConsole: string;
}

const FORMS = ["kept", "typed", "printed"] as const;
/** The names of a code's secrets. */
const secretsOf = (name: keyof PlantedCodes) => FORMS.map((form) => `code that is ${name}, as ${form}`);

/** Makes cards; each code, as it is kept and as it is printed, is a secret. */
export function plantCodes(dataFolder: string, needles: Needles): PlantedCodes {
  const db = openWriter(dataFolder, { busyTimeout: 5000 });
  const now = Math.floor(Date.now() / 1000);
  const made = makeBatch(db, { quantity: 4, length: 12, devices: 100 }, now).map(({ code }) => code);
  const [used = "", sold = "", printed = "", like = ""] = made;
  const guessed = `${like.slice(0, -2)}${like.endsWith("22") ? "33" : "22"}`;
  const refills = { kind: "refill", package_id: null, duration: null, duration_unit: null };
  const redeemed = makeBatch(db, { ...refills, quantity: 4, length: 12 }, now).map(({ code }) => code);
  const [byStaff = "", inApp = "", inPortal = "", inConsole = ""] = redeemed;
  db.$client.close();
  const codes = { used, sold, printed, guessed, byStaff, inApp, inPortal, inConsole };
  for (const [name, code] of Object.entries(codes))
    for (const [form, text] of Object.entries({
      kept: code,
      typed: code.toLowerCase(),
      printed: printedCode(code),
    }))
      needles.add(`code that is ${name}, as ${form}`, text);
  return codes;
}

/** Logins by a code and by one that is none, in every writing, and accounting under the code. */
export async function logInByCards(
  { auth, acct }: { auth: number; acct: number },
  { used, guessed }: PlantedCodes,
): Promise<void> {
  const target = { host: "127.0.0.1", port: auth, acctPort: acct, timeout: 2000 };
  const client = new RadiusClient({ ...target, secret: planted["NAS secret"] });
  const first = await client.access({ name: used, password: used, method: "pap" }, 20_000);
  if (first?.code !== "Access-Accept") throw new Error(`a card was answered ${first?.code ?? "nothing"}`);
  for (const method of ["pap", "chap", "mschap", "mschapv2"] as const)
    for (const code of [used, guessed])
      for (const name of [code, code.toLowerCase(), printedCode(code), `hotspot\\${code}`])
        await client.access({ name, password: code, method });
  for (const status of ["Start", "Interim-Update", "Stop"] as const)
    for (const [session, code] of [
      ["82000001", used.toLowerCase()],
      ["82000002", guessed],
    ] as const)
      await client.accounting(status, [
        ["User-Name", code],
        ["Acct-Session-Id", session],
        ["Framed-IP-Address", "10.0.0.8"],
      ]);
  await client.close();
}

/** What staff do with cards by their codes. Printing alone shows one. */
export async function sellCards(
  http: TalkingHttp,
  { used, sold, printed, guessed }: PlantedCodes,
): Promise<void> {
  const admin = basic(STAFF, planted["staff password"]);
  const post = (action: string, value: object, more: Record<string, string> = {}) => {
    const sent = json(`/api/v1/card/${action}`, value);
    return { ...sent, headers: { ...sent.headers, ...admin, ...more } };
  };
  for (const code of [used, sold, guessed, printedCode(used)]) await http.ask(post("find", { code }));
  for (const code of [sold, sold, guessed])
    await http.ask(post("sell", { code, method: "cash" }, { "idempotency-key": `sale ${code === sold}` }));
  for (const target of [
    "/api/v1/card/list",
    "/api/v1/card_batch/list",
    "/api/v1/report/cards",
    "/api/v1/session/list",
  ])
    await http.ask({ target, headers: admin });
  await http.ask(post("void", { id: 2, reason: "was handed back" }));
  await http.ask(post("unlock", { id: 1 }));
  const { body } = await http.ask(post("reprint", { id: 3 }), secretsOf("printed"));
  if (!body.replaceAll("-", "").includes(printed)) throw new Error(`no code in ${body.slice(0, 200)}`);
}

/** Cards that subscribers and staff redeem, by every door, with codes that are right, used already, and none. */
export async function redeemCards(
  http: TalkingHttp,
  codes: PlantedCodes,
  { subscriber, session }: { subscriber: string; session: string },
): Promise<void> {
  const staff = basic(STAFF, planted["staff password"]);
  const send = (path: string, value: object, headers: Record<string, string>) => {
    const sent = json(path, value);
    return http.ask({ ...sent, headers: { ...sent.headers, ...headers } });
  };
  const app = { authorization: `Bearer ${subscriber}` };
  const doors: readonly Door[] = [
    { name: "byStaff", path: "/api/v1/card", headers: staff, more: { user_id: 1 } },
    { name: "inApp", path: "/api/v1/subscriber/card", headers: app, more: {} },
  ];
  for (const { name, path, headers, more } of doors) {
    const code = printedCode(codes[name]).toLowerCase();
    for (const tried of [codes.guessed, codes.used, code])
      await send(`${path}/preview`, { ...more, code: tried }, headers);
    const done = await send(`${path}/redeem`, { ...more, code }, headers);
    if (done.status !== 200) throw new Error(`redeeming at ${path} was answered ${done.status} ${done.body}`);
    await send(`${path}/redeem`, { ...more, code }, headers);
    await send(`${path}/redeem`, { ...more, code: [codes[name]] }, headers);
    const broken = { method: "POST", target: `${path}/redeem`, body: `{"code":"${codes[name]}"` };
    await http.ask({ ...broken, headers: { ...headers, "content-type": "application/json" } });
    await http.ask({ target: `${path}/redeem?page=2`, headers });
  }
  await redeemOnPage(http, codes, "inPortal", {
    cookie: `gatehouse_portal=${session}`,
    show: "/portal/card",
    look: "/portal/card",
    press: "/portal/card/redeem",
  });
  await redeemOnPage(http, codes, "inConsole", {
    cookie: await consoleSession(http),
    show: "/console/subscribers/1/card",
    look: "/console/subscribers/1/card",
    press: "/console/subscribers/1/card",
  });
}

interface Door {
  readonly name: "byStaff" | "inApp";
  readonly path: string;
  readonly headers: Record<string, string>;
  /** Whose card it is to be. */
  readonly more: object;
}

interface Page {
  readonly cookie: string;
  readonly show: string;
  readonly look: string;
  readonly press: string;
}

/** A page may show who typed a code that very code, to be mended or pressed, in the answer and nowhere else. */
async function redeemOnPage(
  http: TalkingHttp,
  codes: PlantedCodes,
  name: "inPortal" | "inConsole",
  { cookie, show, look, press }: Page,
): Promise<void> {
  const { body } = await http.ask({ target: show, headers: { cookie } });
  const form_token = /name="form_token" value="([^"]+)"/.exec(body)?.[1] ?? "";
  for (const code of [codes.guessed, codes.sold, printedCode(codes[name])])
    await http.ask(form(look, { form_token, code }, cookie), [...secretsOf("guessed"), ...secretsOf(name)]);
  const fields = { form_token, code: codes[name], sure: "1", key: "press-1" };
  const { status } = await http.ask(form(press, fields, cookie));
  if (status !== 303) throw new Error(`redeeming at ${press} was answered ${status}`);
  await http.ask(form(press, fields, cookie));
  await http.ask({ target: show, headers: { cookie } });
}

/** Signs in to the console; returns its cookie. */
export async function consoleSession(http: TalkingHttp): Promise<string> {
  const page = await http.ask({ target: "/console/sign-in" });
  const visit = /^[^;]+/.exec(page.headers.get("set-cookie") ?? "")?.[0] ?? "";
  const form_token = /name="form_token" value="([^"]+)"/.exec(page.body)?.[1] ?? "";
  const fields = { username: STAFF, password: planted["staff password"], form_token };
  const { headers } = await http.ask(form("/console/sign-in", fields, visit));
  const cookies = headers.get("set-cookie") ?? "";
  const session = cookies.split("\n").map((line) => line.split(";")[0] ?? "");
  return session.filter((one) => !one.endsWith("=")).join("; ");
}

/** The commands of cards. Only the file that is printed from has codes, and its owner alone may read it. */
export async function runCardCommands(
  commands: TalkingCommands,
  folder: string,
  { printed, guessed }: PlantedCodes,
): Promise<void> {
  for (const code of [printed, printed.toLowerCase(), guessed])
    await commands.run(["card", "find", "--code-stdin"], code);
  await commands.run(["card", "find", "--code-stdin", "--json"], printedCode(printed));
  await commands.run(["card", "list", "--json"]);
  await commands.run(["card", "batch", "list"]);
  await commands.run(["card", "unlock", "C-000001"]);
  const file = join(folder, "codes.csv");
  await commands.run(["card", "csv", "1", file]);
  await commands.run(["card", "csv", "1", file]);
  const text = readFileSync(file, "utf8");
  if (!text.includes(printed)) throw new Error(`the file to print from has no code: ${text.slice(0, 200)}`);
  if ((statSync(file).mode & 0o077) !== 0) throw new Error("others may read the codes of a batch");
  rmSync(file);
  const pages = join(folder, "hotspot");
  await commands.run(["hotspot", "pages", pages]);
}
