import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { makeReference } from "../../src/domain/desk/incoming/reference.ts";
import { formatTime, systemClock } from "../../src/domain/core/time/time.ts";
import { Appliance } from "../support/appliance.ts";
import { aPackage, aSubscriber, DAY, NAS_SECRET } from "../support/isp.ts";
import { radclient } from "../support/radclient.ts";

const ADMIN = { authorization: `Basic ${btoa("ada:secret-1")}` };
const TOKEN = "callback-token-1";
const LOGIN = 'User-Name = "user1", User-Password = "pw-1"';
const dataSet = {
  isps: [{ id: 1, name: "Northlink" }],
  staff: [{ id: 1, isp_id: 1, name: "Ada", username: "ada", password: "secret-1", profile_type: 1 }],
  nas: [{ id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: NAS_SECRET }],
  packages: [aPackage(1, { price: "15.00" })],
  subscribers: [
    aSubscriber(1, { balance: "0.00", current_expiration_date: formatTime(systemClock() - DAY) }),
  ],
};

test("who has paid is let in at once, and a server that is killed books what it is told again no second time", async () => {
  await using appliance = new Appliance({ GATEHOUSE_PUBLIC_LISTEN: "127.0.0.1:0" });
  await appliance.load(dataSet);
  let at = await appliance.serve();
  const made = await fetch(`http://${at.http}/api/v1/payment_source/create`, {
    method: "POST",
    headers: ADMIN,
    body: new URLSearchParams({
      kind: "provider",
      name: "Xendit",
      method: "online",
      preset: "xendit",
      secret: TOKEN,
    }),
  });
  const [, path = ""] = /"path":"([^"]+)"/.exec(await made.text()) ?? [];
  const pay = async () => {
    const { status } = await fetch(`http://${at.public}${path}`, {
      method: "POST",
      headers: { "x-callback-token": TOKEN, "content-type": "application/json" },
      body: JSON.stringify({
        id: "inv-1",
        status: "PAID",
        paid_amount: 15,
        currency: "USD",
        external_id: makeReference(1),
      }),
    });
    return status;
  };
  const login = () => radclient(at.radius_auth, "auth", NAS_SECRET, LOGIN);
  expect(await login()).toContain("Access-Reject");

  expect(await pay()).toBe(200);
  expect(await login()).toContain("Access-Accept");

  // the answer that the provider did not get, for all it knows
  expect(await appliance.stop("SIGKILL")).not.toBe(0);
  at = await appliance.serve();
  expect(await pay()).toBe(200);
  expect(await login()).toContain("Access-Accept");
  expect(await appliance.stop()).toBe(0);
  const store = new Database(join(appliance.folder, "data", "gatehouse.db"), { readonly: true });
  const count = (table: string) => store.query(`SELECT count(*) AS count FROM ${table}`).values().flat()[0];
  expect([count("payments"), count("incoming_payments"), count("invoices")]).toEqual([1, 1, 1]);
  store.close();
});

test("killed while it is told of many payments, and told of all of them again, it has each once", async () => {
  await using appliance = new Appliance();
  const people = Array.from({ length: 40 }, (_, nth) => aSubscriber(nth + 1, { balance: "0.00" }));
  await appliance.load({ ...dataSet, subscribers: people });
  let at = await appliance.serve();
  const tell = (nth: number) =>
    fetch(`http://${at.http}/api/v1/payment/receive`, {
      method: "POST",
      headers: ADMIN,
      body: new URLSearchParams({
        external_id: `T-${nth}`,
        provider: "desk",
        amount: "1",
        currency: "USD",
        user_id: String(nth),
        paid_at: "2030-01-15 12:00:00",
      }),
    }).then(
      ({ status }) => status,
      () => 0,
    );
  const all = people.map((_, nth) => nth + 1);
  const first = Promise.all(all.map(tell));
  while ((await tell(1)) !== 200) await Bun.sleep(5);
  await appliance.stop("SIGKILL");
  await first;
  at = await appliance.serve();
  expect(new Set(await Promise.all(all.map(tell)))).toEqual(new Set([200]));
  expect(await appliance.stop()).toBe(0);
  const store = new Database(join(appliance.folder, "data", "gatehouse.db"), { readonly: true });
  const booked = store.query("SELECT subscriber_id, count(*) FROM payments GROUP BY subscriber_id").values();
  expect(booked).toEqual(all.map((id) => [id, 1]));
  store.close();
});
