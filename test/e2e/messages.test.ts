import { expect, test } from "bun:test";
import { Appliance } from "../support/appliance.ts";
import { aPackage, aSubscriber } from "../support/isp.ts";
import { headerOf, mailServer } from "../support/smtp.ts";

const dataSet = {
  isps: [{ id: 1, name: "Northlink" }],
  staff: [{ id: 1, isp_id: 1, name: "Ada", username: "ada", password: "secret-1", profile_type: 1 }],
  nas: [],
  packages: [aPackage(1)],
  subscribers: [
    aSubscriber(1, {
      nas_id: null,
      email: "ann@example.com",
      mobile_number: "+44 7700 900001",
      sms_status: 1,
    }),
  ],
};
const SECRET = "k-never-told-4711";

/** Of a call: an object, or the rows of a list. */
type Answer = { came?: string; added?: number } & { channel: string; state: string }[];

/** Calls the API of a server as the Admin. */
function callsOf(http: string) {
  return async (method: string, path: string, fields?: Record<string, unknown>) => {
    const response = await fetch(`http://${http}/api/v1/${path}`, {
      method,
      headers: { authorization: `Basic ${btoa("ada:secret-1")}`, "content-type": "application/json" },
      ...(fields && { body: JSON.stringify(fields) }),
    });
    const body: Answer = JSON.parse(await response.text());
    if (response.status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
    return body;
  };
}

const until = async <T>(look: () => Promise<T | undefined>): Promise<T> => {
  for (let tries = 0; tries < 300; tries++) {
    const found = await look();
    if (found !== undefined) return found;
    await Bun.sleep(100);
  }
  throw new Error("it did not come");
};

test("the executable tells people by mail and by a gateway; a kill while a gateway has it makes it no second time", async () => {
  await using mail = await mailServer();
  const { promise: arrived, resolve: came } = Promise.withResolvers<void>();
  let calls = 0;
  await using gateway = Bun.serve({
    port: 0,
    fetch: () => {
      calls++;
      came();
      return new Promise<Response>(() => undefined);
    },
  });
  await using appliance = new Appliance();
  await appliance.load(dataSet);
  let call = callsOf((await appliance.serve()).http);
  await call("POST", "channel/create", {
    name: "Mail",
    kind: "smtp",
    address: "email",
    host: "127.0.0.1",
    port: mail.port,
    tls: "none",
    from: "Northlink <office@isp.example>",
    allow_local: 1,
  });
  const tried = await call("POST", "channel/test/1", { to: "bob@example.com" });
  expect(tried.came).toBe("sent");
  await call("POST", "channel/create", {
    name: "SMS",
    kind: "http",
    address: "mobile",
    is_sms: 1,
    allow_local: 1,
    url: `http://127.0.0.1:${gateway.port}/send`,
    headers: "X-Key: {{secret.key}}",
    body_kind: "json",
    body: '{"to": "{{to}}", "text": "{{body}}"}',
  });
  await call("POST", "channel/secret/2", { name: "key", value: SECRET });
  expect((await call("POST", "message_template/ready", {})).added).toBe(110);
  for (const channel_id of [1, 2])
    await call("POST", "message_rule/create", {
      name: "Receipts",
      on: "event",
      event_type: "payment.received",
      audience: "subscriber",
      channel_id,
      template: "payment_receipt",
    });
  await call("POST", "payment/take", { user_id: 1, amount: 5, method: "cash" });
  const [, receipt] = await mail.took(2);
  if (!receipt) throw new Error("no mail");
  expect(headerOf(receipt, "Subject")).toMatch(/^Receipt \S+$/);
  expect(receipt.text).toContain("User 1, we have received your payment of 5.00 USD");

  await arrived;
  // what a mail server has is booked a moment later
  await until(async () => (await call("GET", "message/list")).find(({ state }) => state === "sent"));
  await appliance.stop("SIGKILL");
  const before = appliance.log;
  call = callsOf((await appliance.serve()).http);
  const states = await until(async () => {
    const list = await call("GET", "message/list");
    return list.every(({ state }) => state === "sent" || state === "perhaps") ? list : undefined;
  });
  expect(states.map(({ channel, state }) => [channel, state]).sort()).toEqual([
    ["Mail", "sent"],
    ["SMS", "perhaps"],
  ]);
  expect(calls).toBe(1);
  const answers = JSON.stringify([
    await call("GET", "channel/list"),
    await call("GET", "message/list"),
    await call("GET", "audit/list"),
  ]);
  expect(await appliance.stop()).toBe(0);
  expect(answers + before + appliance.log).not.toContain(SECRET);
});
