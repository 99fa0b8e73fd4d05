import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createFilledRole } from "../../src/domain/people/roles/permissions.ts";
import { changeSetting } from "../../src/domain/machine/settings/change.ts";
import { addStaff } from "../../src/domain/people/staff/accounts.ts";
import { starters } from "../../src/http/console/pages/team/starters.ts";
import { consoleSessionOf, consoleSite, type ConsoleSite } from "../support/console-browser.ts";
import { temporaryApp, type TestApp } from "../support/http.ts";
import { cli } from "../support/people.ts";
import { NOW, temporaryStore } from "../support/store.ts";

/* An appliance with one ISP as its first Admin has it, and the people of its office, by plain forms as a browser sends them. */

let app: TestApp;
let site: ConsoleSite;
beforeEach(async () => {
  const store = temporaryStore();
  const add = (username: string, profile_type: number, more: object) =>
    addStaff(
      store.db,
      cli,
      { name: username.toUpperCase(), username, password: "secret-1", profile_type, ...more },
      { now: NOW },
    );
  await add("first", 1, { isp_id: 0 });
  app = temporaryApp({}, store);
  site = consoleSite(app);
  await send("first", "/console/start", "/console/start/isp", { name: "Northlink", currency: "EUR" });
  const sold = { name: "Family", price: "22", down: "30", up: "10", duration: "30" };
  await send("first", "/console/start", "/console/start/package", sold);
  await send("first", "/console/start", "/console/start/router", { name: "Tower", address: "10.10.0.2" });
  for (const key of ["clerk", "manager", "reseller"] as const) {
    const flags = starters.find((one) => one.key === key)?.flags ?? [];
    const { code } = createFilledRole(store.db, cli, { ispId: 1, name: key, flags }, { now: NOW });
    await add(key, key === "reseller" ? 3 : 2, { isp_id: 1, role_code: code });
  }
  await add("owner", 1, { isp_id: 1 });
});
afterEach(async () => {
  await site.close();
  app[Symbol.dispose]();
});

async function get(who: string, path: string) {
  const cookie = await consoleSessionOf(site, `${who}:secret-1`);
  const response = await fetch(site.origin + path, { headers: { cookie } });
  return { cookie, text: await response.text() };
}

/** What a form of a page says where nobody touches it: as the browser sends it. */
function untouched(page: string, action: string): Record<string, string> {
  const form = new RegExp(`<form[^>]*action="${action}"[^>]*>(.*?)</form>`, "s").exec(page)?.[1] ?? "";
  const attribute = (tag: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];
  const fields: Record<string, string> = {};
  for (const [tag] of form.matchAll(/<input[^>]*>/g)) {
    const isTicked = !/type="(checkbox|radio)"/.test(tag) || tag.includes(" checked");
    if (isTicked) fields[attribute(tag, "name") ?? ""] = attribute(tag, "value") ?? "";
  }
  for (const [, tag = "", options = ""] of form.matchAll(/<select([^>]*)>(.*?)<\/select>/gs)) {
    const all = [...options.matchAll(/<option[^>]*>/g)].map(([option]) => option);
    const chosen = all.find((option) => option.includes(" selected")) ?? all[0] ?? "";
    fields[attribute(tag, "name") ?? ""] = attribute(chosen, "value") ?? "";
  }
  return fields;
}

async function send(who: string, page: string, action: string, fields: Record<string, string>) {
  const { cookie, text } = await get(who, page);
  const token = /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? "";
  const body = new URLSearchParams({ ...untouched(text, action), ...fields, form_token: token });
  const response = await fetch(site.origin + action, { method: "POST", headers: { cookie }, body });
  return { status: response.status, text: await response.text() };
}

const person = { name: "Tomás Herrera", mobile_number: "+1 555 7" };
const signUp = (who: string, fields: object = {}) =>
  send(who, "/console/sign-up", "/console/sign-up", { ...person, ...fields });
const holders = () =>
  app.db.$client
    .query<{ name: string; seller: string; nic: string | null }, []>(
      "SELECT s.name, a.username AS seller, s.nic_number AS nic FROM subscribers s JOIN staff a ON a.id = s.salesperson_id ORDER BY s.id",
    )
    .all();

describe("where there is one ISP", () => {
  test("its first Admin makes a package without being asked whose", async () => {
    const fields = { name: "Home", price: "1,200", duration: "30", up: "5", down: "20" };
    const made = await send("first", "/console/packages/new", "/console/packages/new", fields);
    expect(made.text).not.toContain("Not saved");
    const rows = app.db.$client.query("SELECT name, isp_id AS isp FROM packages ORDER BY id").all();
    expect(rows).toEqual([
      { name: "Family", isp: 1 },
      { name: "Home", isp: 1 },
    ]);
    expect(made.text).not.toContain("isp_id");
  });

  test.each([
    ["first", "first"],
    ["owner", "owner"],
    ["clerk", "owner"],
    ["manager", "owner"],
    ["reseller", "reseller"],
  ])("a %s signs somebody up by name and phone alone, who is %s's", async (who, seller) => {
    // who pays nothing takes the proposed amount away: of a reseller its wallet would pay it
    const { status, text } = await signUp(who, { activate: "", amount: "" });
    expect([status, text.match(/<p class="fault"[^>]*>[^<]*/)?.[0]]).toEqual([200, undefined]);
    expect(holders()).toEqual([{ name: person.name, seller, nic: null }]);
  });

  test("a second one without an ID number is refused for none", async () => {
    await signUp("clerk", { activate: "" });
    const { status } = await signUp("clerk", { name: "Ann", mobile_number: "+1 555 8", activate: "" });
    expect([status, holders().length]).toEqual([200, 2]);
  });

  test("an ID number can be taken away again", async () => {
    await signUp("clerk", { nic_number: "77", activate: "" });
    const [edit, save] = ["/console/subscribers/1/edit", "/console/subscribers/1/edit"];
    const { text } = await send("owner", edit, save, { nic_number: "" });
    expect([text.match(/<p id="[^"]*-fault"[^>]*>[^<]*/)?.[0], holders()[0]?.nic]).toEqual([undefined, null]);
  });

  test("whom staff sign up is the salesperson's of the settings", async () => {
    changeSetting(app.db, cli, { key: "sign_up_salesperson", value: "reseller", ispId: 1 }, { now: NOW });
    await signUp("clerk", { activate: "" });
    await signUp("owner", { name: "Ann", mobile_number: "+1 555 8", activate: "" });
    expect(holders().map(({ seller }) => seller)).toEqual(["reseller", "owner"]);
    expect(() =>
      changeSetting(app.db, cli, { key: "sign_up_salesperson", value: "clerk", ispId: 1 }, { now: NOW }),
    ).toThrow("Admin or Reseller");
  });

  test("what is wrong in the closed part of the form opens it", async () => {
    const { status, text } = await signUp("clerk", { static_ip: "300.1.1.1" });
    expect(status).toBe(422);
    expect(text).toMatch(/<details class="fold folded quiet after" open[^>]*>/);
  });

  test("its Admin reads what is the box's to set, and who may", async () => {
    const { text } = await get("owner", "/console/settings");
    expect(text).toContain("FIRST may change these");
    expect(text).toContain("Two subscribers with one number");
  });

  test("the operator's settings count though the ISP has its own, and taken back they are as they came", async () => {
    const owner = { ...cli, scope: { ispId: 1, branchId: null, salespersonId: null } };
    changeSetting(app.db, owner, { key: "tax_name", value: "GST" }, { now: NOW });
    changeSetting(app.db, cli, { key: "tax_name", value: "VAT" }, { now: NOW });
    const names = app.db.$client
      .query("SELECT isp_id AS isp, value FROM settings WHERE key = 'tax_name'")
      .all();
    expect(names).toEqual([{ isp: 1, value: '"VAT"' }]);
  });
});

test("with several ISPs a form asks whose it is, and remembers the answer", async () => {
  app.db.$client.run("INSERT INTO isps (id, name) VALUES (2, 'Southlink')");
  const chosen = async () =>
    /<option value="(\d+)" selected[^>]*>[^<]*link</.exec(
      (await get("first", "/console/packages/new")).text,
    )?.[1];
  expect(await chosen()).toBe("1");
  const fields = { name: "Home", price: "12", duration: "30", isp_id: "2" };
  await send("first", "/console/packages/new", "/console/packages/new", fields);
  expect(app.db.$client.query("SELECT isp_id AS isp FROM packages WHERE name = 'Home'").get()).toEqual({
    isp: 2,
  });
  expect(await chosen()).toBe("2");
  expect((await get("first", "/console/sign-up")).text).toContain('name="isp_id" value="2"');
});
