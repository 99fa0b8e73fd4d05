import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { setupState } from "../../src/domain/machine/setup/setup.ts";
import { createFilledRole } from "../../src/domain/people/roles/permissions.ts";
import { addStaff } from "../../src/domain/people/staff/accounts.ts";
import { consoleSessionOf, consoleSite, type ConsoleSite } from "../support/console-browser.ts";
import { temporaryApp, type TestApp } from "../support/http.ts";
import { cli } from "../support/people.ts";
import { NOW, temporaryStore } from "../support/store.ts";

/* The first start, by plain forms. */

const OPERATOR = "operator:printed-1";
let app: TestApp;
let site: ConsoleSite;
let cookie = "";
beforeEach(async () => {
  const store = temporaryStore();
  const account = {
    isp_id: 0,
    name: "Operator",
    username: "operator",
    password: "printed-1",
    profile_type: 1,
  };
  await addStaff(store.db, cli, account, { now: NOW });
  app = temporaryApp({}, store);
  site = consoleSite(app);
  cookie = await consoleSessionOf(site, OPERATOR);
});
afterEach(async () => {
  await site.close();
  app[Symbol.dispose]();
});

async function get(path: string) {
  const response = await fetch(site.origin + path, { headers: { cookie }, redirect: "manual" });
  return { status: response.status, text: await response.text() };
}

async function post(path: string, fields: Record<string, string>) {
  const { text } = await get("/console/start");
  const token = /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? "";
  const response = await fetch(site.origin + path, {
    method: "POST",
    redirect: "manual",
    headers: { cookie },
    body: new URLSearchParams({ ...fields, form_token: token }),
  });
  const location = response.headers.get("location");
  return { status: response.status, location, text: await response.text() };
}

const states = () => setupState(app.db, cli).map(({ state }) => state);
const isp = { name: "Northlink", currency: "eur" };
const sold = { name: "Family", price: "22", down: "30", up: "10", duration: "30" };
const tower = { name: "Tower-1", address: "10.10.0.2" };
const amina = { name: "Amina", mobile_number: "1", nic_number: "2", username: "amina", password: "line-1" };
const next = { status: 303, location: "/console/start" };

async function signIn(password: string): Promise<string | null> {
  const page = await fetch(`${site.origin}/console/sign-in`);
  const visit = page.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const token = /name="form_token" value="([^"]+)"/.exec(await page.text())?.[1] ?? "";
  const response = await fetch(`${site.origin}/console/sign-in`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie: visit },
    body: new URLSearchParams({ username: "operator", password, form_token: token }),
  });
  return response.headers.get("location");
}

describe("the first start", () => {
  test("leads from an empty box to a subscriber who has paid and may log in, and then no more", async () => {
    expect(await signIn("printed-1")).toBe("/console/start");
    const chosen = { current: "printed-1", chosen: "mine-for-ever" };
    expect(await post("/console/start/password", chosen)).toMatchObject(next);
    expect(await post("/console/start/isp", isp)).toMatchObject(next);
    expect(await post("/console/start/package", sold)).toMatchObject(next);
    const router = await post("/console/start/router", tower);
    expect(router.status).toBe(200);
    expect(router.text.replaceAll(/<[^>]*>/g, "")).toContain("/radius add service=ppp,hotspot");
    expect(router.text).toContain("Nothing has come from 10.10.0.2 yet");
    expect(await post("/console/start/subscriber", { ...amina, paid: "1" })).toMatchObject(next);
    expect(await post("/console/start/backup_place", { folder: `${app.folder}/copies` })).toMatchObject(next);
    const passphrase = "written on paper";
    const both = { passphrase, again: passphrase };
    expect(await post("/console/start/backup_passphrase", both)).toMatchObject(next);
    expect(states()).toEqual(Array(7).fill("done"));
    const page = (await get("/console/start")).text;
    for (const text of [
      "Northlink, EUR",
      "€22.00",
      "Tower-1, 10.10.0.2",
      "Amina, amina",
      "Backups hold the key",
    ])
      expect(page).toContain(text);
    expect(page).not.toContain(passphrase);
    const line = app.db.$client.query<{ rate: string; paid: number }, []>(
      "SELECT v.rate_limit AS rate, p.amount AS paid FROM services v JOIN payments p ON p.subscriber_id = v.subscriber_id",
    );
    expect(line.all()).toEqual([{ rate: "10M/30M", paid: 2200 }]);
    expect(app.db.$client.query("SELECT sms_status FROM subscribers").values()).toEqual([[1]]);
    expect(await signIn("mine-for-ever")).toBe("/console");
  });

  test("is followed by accounts that need a role, whose form says where the first one is made", async () => {
    await post("/console/start/isp", isp);
    expect((await get("/console/settings/staff/new")).text).toContain("There is no role yet");
    createFilledRole(app.db, cli, { ispId: 1, name: "Clerk", flags: ["subscriber_view"] }, { now: NOW });
    const { text } = await get("/console/settings/staff/new");
    expect([text.includes("There is no role yet"), text.includes("An Admin needs none")]).toEqual([
      false,
      true,
    ]);
  });

  test("has a page of its router that says of traffic nothing that its session contradicts", async () => {
    await post("/console/start/isp", isp);
    await post("/console/start/router", tower);
    const { text } = await get("/console/routers/1");
    expect(text).toContain("No traffic to draw yet");
  });

  test("may be skipped step by step, and goes on where it was left", async () => {
    expect(await post("/console/start/password", { skip: "yes" })).toMatchObject(next);
    expect(states()).toEqual(["skipped", ...Array(6).fill("open")]);
    expect((await get("/console/start")).text).toContain('action="/console/start/isp"');
    expect(await signIn("printed-1")).toBe("/console/start");
    await post("/console/start/isp", isp);
    await post("/console/start/isp", { skip: "yes" });
    expect(states().slice(0, 2)).toEqual(["skipped", "done"]);
  });

  test.each<[string, string, Record<string, string>, string]>([
    [
      "a password that is not the printed one",
      "password",
      { current: "x", chosen: "secret-22" },
      "present password",
    ],
    ["a password that is too short", "password", { current: "printed-1", chosen: "x" }, "8 to 128"],
    ["a currency that is none", "isp", { name: "N", currency: "E" }, "currency code"],
    ["a currency in words", "isp", { name: "N", currency: "rupees" }, "currency code"],
    ["a package before there is an ISP", "package", sold, "comes first"],
    ["a subscriber before there is a package", "subscriber", amina, "come first"],
    ["a folder that cannot be", "backup_place", { folder: "/proc/nothing" }, "nothing was changed"],
    ["a folder that is no path", "backup_place", { folder: "copies" }, "a path that begins with /"],
    ["a speed that is none", "package", { ...sold, up: "fast" }, "comes first"],
    ["a passphrase that is too short", "backup_passphrase", { passphrase: "x", again: "x" }, "12 characters"],
    [
      "a passphrase typed otherwise",
      "backup_passphrase",
      { passphrase: "x".repeat(12), again: "y" },
      "not the same",
    ],
  ])("says what is wrong with %s, and sets nothing", async (_, step, fields, words) => {
    const { status, text } = await post(`/console/start/${step}`, fields);
    expect([status, text.includes(words)]).toEqual([422, true]);
    expect(states()).toEqual(Array(7).fill("open"));
  });

  test("takes an amount with its thousands parted, and half a megabit, and shows them again", async () => {
    await post("/console/start/isp", isp);
    const parted = { ...sold, price: "1,500", down: "12.5", up: "2,5" };
    expect(await post("/console/start/package", parted)).toMatchObject(next);
    const made = app.db.$client.query<{ rate: string; price: number }, []>(
      "SELECT rate_limit AS rate, price FROM packages",
    );
    expect(made.all()).toEqual([{ rate: "2500k/12500k", price: 150_000 }]);
    const { text } = await get("/console/start?step=package");
    for (const value of ['value="12.5"', 'value="2.5"']) expect(text).toContain(value);
    expect((await post("/console/start/package", { ...sold, price: "22,50" })).status).toBe(422);
  });

  test("refuses a mobile number without a digit, with what was typed still there", async () => {
    await post("/console/start/isp", isp);
    await post("/console/start/package", sold);
    await post("/console/start/router", tower);
    const { status, text } = await post("/console/start/subscriber", { ...amina, mobile_number: "call me" });
    expect(status).toBe(422);
    expect(text).toContain("must have the digits of a number");
    expect(text).toContain('value="call me"');
  });

  test("is called by its titles in the trail", async () => {
    await post("/console/start/isp", isp);
    await post("/console/start/backup_place", { skip: "yes" });
    const { text } = await get("/console/trail");
    expect(text).toContain("A place for backups");
    expect(text.replaceAll(/<[^>]*>/g, "")).not.toContain("backup_place");
  });

  test("is nobody's but the operator's, and a box with an ISP is not led to it", async () => {
    await post("/console/start/isp", isp);
    app.db.$client.run("DELETE FROM setup_steps");
    expect(await signIn("printed-1")).toBe("/console");
    const account = { isp_id: 1, name: "A", username: "ada", password: "secret-1", profile_type: 1 };
    await addStaff(app.db, cli, account, { now: NOW });
    cookie = await consoleSessionOf(site, "ada:secret-1");
    expect((await get("/console/start")).status).toBe(403);
  });
});
