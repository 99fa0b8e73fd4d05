import { expect, test } from "bun:test";
import { formatTime, systemClock } from "../../src/domain/core/time/time.ts";
import { Appliance, radiusAt } from "../support/appliance.ts";
import { FakeNas } from "../support/fake-nas.ts";
import { aPackage, aSubscriber, DAY, NAS_SECRET } from "../support/isp.ts";
import { RadiusClient } from "../support/radius-client.ts";

const DISCONNECT_REQUEST = 40;
const ROUTER = "127.0.0.9";

test("who renews in the portal from within the walled garden is let out of it by the router", async () => {
  const { promise: disconnected, resolve } = Promise.withResolvers<number>();
  using nas = await FakeNas.start(
    ({ code }) => {
      resolve(code);
      return {};
    },
    { address: ROUTER, secret: NAS_SECRET },
  );
  await using appliance = new Appliance();
  const expired = { current_expiration_date: formatTime(systemClock() - DAY) };
  const dataSet = {
    settings: { disconnect_confirm: 0 },
    isps: [{ id: 1, name: "Northlink" }],
    staff: [{ id: 1, isp_id: 1, name: "Ada", username: "ada", password: "secret-1", profile_type: 1 }],
    nas: [{ id: 1, isp_id: 1, name: "core", address: ROUTER, secret: NAS_SECRET, coa_port: nas.port }],
    packages: [aPackage(1, { expired_pool: "garden" })],
    subscribers: [aSubscriber(1, expired)],
  };
  await appliance.load(dataSet);
  const at = await appliance.serve();
  const router = new RadiusClient({ ...radiusAt(at), secret: NAS_SECRET, localAddress: ROUTER });
  await router.accounting("Start", [
    ["User-Name", "user1"],
    ["Acct-Session-Id", "81000001"],
  ]);
  await router.close();

  const browser = await signIn(`http://${at.http}`);
  expect(await browser.get("/portal")).toContain("Connected, no internet");
  const answer = await browser.post("/portal/renew", { price: "1500" });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/portal?renewed=1"]);
  expect(await browser.get("/portal?renewed=1")).toContain("Home 1 is renewed.");
  // the executable has the words of other languages, and how they write dates
  expect(await browser.get("/portal/invoices/1", "ru")).toMatch(
    /Счёт.*\d \p{Script=Cyrillic}+\.? \d{4} г\./u,
  );
  expect(await browser.get("/portal/invoices/1", "bn-BD")).toMatch(/বিল.*\d \p{Script=Bengali}+, \d{4}/u);
  expect(await disconnected).toBe(DISCONNECT_REQUEST);
  expect(await appliance.stop()).toBe(0);
});

/** As the app does it, and then as its browser. */
async function signIn(origin: string) {
  const login = await fetch(`${origin}/api/v1/subscriber/login`, {
    method: "POST",
    body: new URLSearchParams({ username: "user1", password: "pw-1" }),
  });
  const [, token = ""] = /"token":"([^"]+)"/.exec(await login.text()) ?? [];
  const landed = await fetch(`${origin}/mobile-auto-login`, {
    headers: { authorization: `Bearer ${token}` },
    redirect: "manual",
  });
  const headers = { cookie: landed.headers.get("set-cookie")?.split(";")[0] ?? "" };
  const get = async (path: string, language = "en") =>
    (await fetch(origin + path, { headers: { ...headers, "accept-language": language } })).text();
  const [, form_token = ""] = /name="form_token" value="([^"]+)"/.exec(await get("/portal")) ?? [];
  const post = (path: string, form: Record<string, string>) =>
    fetch(origin + path, {
      method: "POST",
      headers,
      body: new URLSearchParams({ ...form, form_token }),
      redirect: "manual",
    });
  return { get, post };
}
