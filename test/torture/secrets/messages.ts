import { createHmac } from "node:crypto";
import { consoleRoutes } from "../../../src/http/console/routes.ts";
import { basic, json } from "../raw-http.ts";
import { consoleSession } from "./cards.ts";
import { Echoes } from "./echoes.ts";
import type { TalkingHttp } from "./http.ts";
import type { Needles } from "./needles.ts";
import type { Notes } from "../notes.ts";
import { planted, STAFF, SUBSCRIBER } from "./store.ts";

/** Milliseconds that something may take which the product does by itself. */
const PATIENCE = 60_000;

interface Doors {
  /** Of the LAN, and of the listener that providers call. */
  readonly http: TalkingHttp;
  readonly outside: TalkingHttp;
}

/** Secrets of channels, webhooks and payment sources go in, or are made; each is used, right and wrong, and told by who gets it. */
export async function tellPeople({ http, outside }: Doors, needles: Needles, notes: Notes): Promise<void> {
  await using there = new Echoes();
  await there.open();
  const admin = basic(STAFF, planted["staff password"]);
  const call = async (path: string, value: object, allowed: readonly string[] = []) => {
    const sent = json(`/api/v1/${path}`, value);
    const answer = await http.ask({ ...sent, headers: { ...sent.headers, ...admin } }, allowed);
    if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status} ${answer.body}`);
    return answer.body;
  };
  await channels(call, there);
  await webhooks(call, there, needles);
  await payments({ http, outside }, call, needles);
  await untilReported(there, http, admin);
  for (const found of needles.in(there.bodies.join("\n"), ["channel token"]))
    notes.fault(`what is sent to a gateway or a receiver has the ${found}`);
  await lookAround(http, admin);
}

type Call = (path: string, value: object, allowed?: readonly string[]) => Promise<string>;

async function channels(call: Call, there: Echoes): Promise<void> {
  const local = { isp_id: 1, allow_local: 1 };
  await call("channel/create", {
    ...local,
    name: "Gateway",
    kind: "http",
    address: "none",
    method: "POST",
    url: `${there.origin}/send?key={{secret.token}}`,
    headers: "Authorization: Bearer {{secret.token}}",
    body_kind: "json",
    body: '{"key": "{{secret.token}}", "text": "{{body}}"}',
  });
  await call("channel/create", {
    ...local,
    name: "Mail",
    kind: "smtp",
    address: "email",
    host: "127.0.0.1",
    port: there.mailPort,
    tls: "none",
    user: "office",
    from: "office@isp.example",
  });
  await call("channel/secret/1", { name: "token", value: planted["channel token"] });
  await call("channel/secret/2", { name: "password", value: planted["mail password"] });
  await call("message_template/save", {
    isp_id: 1,
    name: "changed",
    language: "en",
    subject: "{{isp}}",
    body: "{{name}}: your password was changed.",
  });
  for (const channel_id of [1, 2])
    await call("message_rule/create", {
      isp_id: 1,
      name: `Changed ${channel_id}`,
      on: "event",
      event_type: "subscriber.password_changed",
      audience: "subscriber",
      channel_id,
      template: "changed",
    });
  await call("channel/test/1", { to: "+44 7700 900001" });
  await call("channel/test/2", { to: "ann@x.example" });
  await call("subscriber/update", { username: "new", isp_id: 1, email: "ann@x.example" });
  // two events, each to be told by both channels and the webhook
  await call("subscriber/reset_password", { user_id: 2, new_password: planted["told password"] });
}

async function webhooks(call: Call, there: Echoes, needles: Needles): Promise<void> {
  const made = { isp_id: 1, url: `${there.origin}/hook`, types: "*", allow_local: 1 };
  const before = secretIn(await call("webhook/create", made));
  needles.add("webhook secret of before", before.slice("whsec_".length));
  needles.add("webhook secret", secretIn(await call("webhook/rotate/1", {})).slice("whsec_".length));
  await call("webhook/secret/1", {}, ["webhook secret"]);
  await call("webhook/test/1", {});
  await call("subscriber/reset_password", { user_id: 2, new_password: planted["told password"] });
}

const secretIn = (body: string): string => {
  const { secret }: { secret: string } = JSON.parse(body);
  return secret;
};

/** Calls of a provider with its token, without, with another, and with what is none; and of a program that signs. */
async function payments({ http, outside }: Doors, call: Call, needles: Needles): Promise<void> {
  const provider = { isp_id: 1, kind: "provider", name: "Cards", method: "cash", preset: "flutterwave_v3" };
  const secret = planted["provider secret"];
  const { source }: { source: { path: string } } = JSON.parse(
    await call("payment_source/create", { ...provider, secret }),
  );
  needles.add("key of a provider", source.path.slice("/pay/".length));
  const notice = (id: number) => ({
    event: "charge.completed",
    data: { id, amount: 1, currency: "USD", status: "successful", tx_ref: SUBSCRIBER },
    device: planted["what a provider sent"],
  });
  const pay = (value: object, headers: Record<string, string>) => {
    const sent = json(source.path, value);
    return outside.ask({ ...sent, headers: { ...sent.headers, ...headers } });
  };
  const { status } = await pay(notice(1), { "verif-hash": secret });
  if (status !== 200) throw new Error(`a provider was answered ${status}`);
  await pay(notice(2), { "verif-hash": planted["guessed password"] });
  await pay(notice(2), { "x-other": secret });
  await pay({ ...notice(3), data: { tx_ref: secret } }, { "verif-hash": secret });
  for (const body of ["", "{", `{"${secret}`, "x".repeat(300_000)])
    await outside.ask({ method: "POST", target: source.path, body, headers: { "verif-hash": secret } });
  await outside.ask({ target: source.path });
  const program = secretIn(
    await call("payment_source/create", { isp_id: 1, kind: "signed", name: "Books", method: "cash" }),
  );
  needles.add("secret of a program", program.slice("whsec_".length));
  await tellSigned(http, program);
  await call("payment_source/update/1", { secret }, ["key of a provider"]);
  await call("payment_source/update/1", { secret: "short" }).catch(() => {});
  const raw = await call("incoming_payment/raw/1", {}, ["what a provider sent"]);
  if (!raw.includes(planted["what a provider sent"])) throw new Error(`what was sent is not in ${raw}`);
}

/** A program tells of a payment, rightly and wrongly signed. */
async function tellSigned(http: TalkingHttp, secret: string): Promise<void> {
  const payment = {
    external_id: "B-1",
    provider: "Books",
    amount: "1.00",
    currency: "USD",
    username: SUBSCRIBER,
    paid_at: new Date().toISOString(),
  };
  const sent = json("/api/v1/payment/receive", payment);
  for (const key of [Buffer.from(secret.slice("whsec_".length), "base64"), Buffer.from(secret)]) {
    const at = Math.floor(Date.now() / 1000);
    const mac = createHmac("sha256", key).update(`msg_1.${at}.${sent.body}`).digest("base64");
    const signed = {
      "webhook-id": "msg_1",
      "webhook-timestamp": String(at),
      "webhook-signature": `v1,${mac}`,
    };
    await http.ask({ ...sent, headers: { ...sent.headers, ...signed } });
  }
  await http.ask({
    ...sent,
    headers: { ...sent.headers, "webhook-signature": secret, "webhook-id": secret },
  });
}

/** Waits until everything was tried once, and what came of it is written. */
async function untilReported(
  there: Echoes,
  http: TalkingHttp,
  headers: Record<string, string>,
): Promise<void> {
  const until = performance.now() + PATIENCE;
  for (;;) {
    const { body } = await http.ask({ target: "/api/v1/message/list?limit=100", headers });
    const attempts = await http.ask({ target: "/api/v1/webhook/delivery/1", headers });
    const isWritten =
      /it answered 500/.test(body) && /535 5\.7\.8/.test(body) && /"status":500/.test(attempts.body);
    if (there.seen.size === 3 && isWritten) return;
    if (performance.now() > until)
      throw new Error(
        `only ${[...there.seen].join(", ")} was asked: ${body.slice(0, 2000)} ${attempts.body.slice(0, 500)}`,
      );
    await Bun.sleep(100);
  }
}

/** Every page of the console, and what the API tells of all of it; who may see a key or a password sees it in its own place alone. */
async function lookAround(http: TalkingHttp, admin: Record<string, string>): Promise<void> {
  const lists = [
    ...["channel/list", "channel/get/1", "channel/get/2", "channel/presets", "webhook/list", "webhook/get/1"],
    ...[
      "webhook/deliveries?webhook_id=1",
      "webhook/delivery/1",
      "message/list",
      "message/get/1",
      "message/get/2",
    ],
    ...["message_rule/list", "message_template/list", "payment_source/list", "payment_source/get/1"],
    ...[
      "payment_source/get/2",
      "incoming_payment/list?view=all",
      "incoming_payment/get/1",
      "audit/list?limit=500",
    ],
  ];
  for (const path of lists) await http.ask({ target: `/api/v1/${path}`, headers: admin }, textAt(path));
  const cookie = await consoleSession(http);
  const pages = consoleRoutes.filter(
    ({ method, path }) => method === "GET" && !/(live|sign-out)$/.test(path),
  );
  let text = 0;
  for (const { path } of pages) {
    const target = path.replaceAll(/:\w+/g, "1");
    const { status } = await http.ask({ target, headers: { cookie } }, textAt(target));
    if (status === 200) text++;
  }
  if (text < pages.length / 2) throw new Error(`only ${text} of ${pages.length} pages were shown`);
}

/** What stands in a place for who may change it. */
function textAt(path: string): string[] {
  if (/payment[-_]source/.test(path)) return ["key of a provider"];
  if (/subscribers?\b/.test(path))
    return [
      "subscriber password",
      "created subscriber password",
      "reset subscriber password",
      "told password",
    ];
  return [];
}
