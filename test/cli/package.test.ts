import { afterEach, beforeEach, expect, test } from "bun:test";
import { openStore } from "../../db/open.ts";
import { FakeNas } from "../support/fake-nas.ts";
import { aPackage, aSubscriber, loadIsp } from "../support/isp.ts";
import { insertSessions } from "../support/sessions.ts";
import { makeStore, NOW } from "../support/store.ts";
import { CommandLine } from "./harness.ts";

let shell: CommandLine;
let nas: FakeNas;

beforeEach(async () => {
  shell = new CommandLine();
  nas = await FakeNas.start();
  makeStore(shell.data);
  const db = openStore(shell.data, { create: false, now: NOW });
  await loadIsp(db, {
    nas: [{ id: 1, isp_id: 1, name: "core", address: nas.address, secret: "testing123", coa_port: nas.port }],
    packages: [aPackage(2, { name: "Twin" }), aPackage(3, { name: "Twin" })],
    subscribers: [1, 2].map((id) => aSubscriber(id, { current_expiration_date: "2099-01-01 00:00:00" })),
  });
  insertSessions(db, { nasAddress: nas.address });
  db.$client.close();
});
afterEach(() => {
  nas[Symbol.dispose]();
  shell[Symbol.dispose]();
});

const faster = { packages: [{ id: 1, rate_limit: "90M/90M" }] };

test("an import that changes a package says who stays on the old terms, and the command brings them along", async () => {
  expect((await shell.import(faster)).stdout).toContain(
    "imported all of it\n2 with Home 1 stay on its old terms until their next activation; give them the new ones with: gatehouse package apply 1\n",
  );
  expect((await shell.run("package apply 1 --dry-run")).stdout).toBe(
    "2 would get other terms; of their sessions 1 are open\nnothing was changed\n",
  );
  expect(await shell.run(`package apply 1 --nas core`)).toEqual({
    code: 0,
    stdout:
      "2 have the package's present terms now, and had other ones before\nsessions: 1 changed by CoA, 0 ended to redial, 0 must still redial, 0 refused, 0 had nothing to change\n",
    stderr: "",
  });
  expect(nas.requests).toHaveLength(1);
  expect(await shell.json("package apply 1")).toMatchObject({ changed: 0, failures: [] });
  expect((await shell.import(faster)).stdout).not.toContain("old terms");
});

test("the JSON of an import names them, and says nothing where there are none", async () => {
  expect(await shell.json("import -", JSON.stringify(faster))).toMatchObject({
    packages: { changed: 1 },
    old_terms: [{ package_id: 1, name: "Home 1", subscribers: 2 }],
  });
  const priced = { packages: [{ id: 2, price: "16.00" }] };
  await shell.run("package apply 1");
  expect(await shell.json("import -", JSON.stringify(priced))).not.toHaveProperty("old_terms");
});

test("a package is named by its name or its id, and has to be there", async () => {
  await shell.import({ packages: [{ id: 1, name: "Best", rate_limit: "1M/1M" }] });
  expect((await shell.run("package apply Best --dry-run")).stdout).toContain("2 would get");
  expect(await shell.run("package apply Twin")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      "several packages are called Twin; name one by its id: 2 (ISP 1), 3 (ISP 1)",
    ),
  });
  expect(await shell.run("package apply nix")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("there is no package nix; there are: 1 Best, 2 Twin, 3 Twin"),
  });
});

test("tiers, hours and the window of a package are set, shown and cleared; a sixth tier is refused in words", async () => {
  const five = "10GB 8M/8M; 20GB 6M/6M; 30GB 4M/4M; 40GB 2M/2M; 50GB 1M/1M";
  const hours = "daily 01:00-06:00 free 50M/50M";
  const set = ["package", "set", "1", "--fair-window", "week", "--tiers", five, "--hours", hours];
  expect(await shell.run(set)).toMatchObject({
    code: 0,
    stderr: "",
    stdout: expect.stringContaining("2 with Home 1 stay on its old terms"),
  });
  const record = async () => shell.json("package show 1");
  expect(await record()).toMatchObject({ tiers: five, hours, fair_window: "week" });
  expect(await shell.run(["package", "set", "1", "--tiers", `${five}; 60GB 512k`])).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("must be one to five slower rates, each with the bytes of the window"),
  });
  expect(await shell.run(["package", "set", "1", "--fair-window", "year"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("period, month, week"),
  });
  expect(await shell.run(["package", "set", "1", "--hours", "22:00-06:00"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("such as mon-fri 22:00-06:00 free 20M/20M"),
  });
  expect(await record()).toMatchObject({ tiers: five, hours, fair_window: "week" });
  await shell.run(["package", "set", "1", "--tiers", "", "--hours", "", "--fair-window", ""]);
  expect(await record()).toMatchObject({ tiers: null, hours: null, fair_window: "period" });
});

test("the help of an option says what the API says of its field, with options for fields and an empty value for null", async () => {
  const { stdout } = await shell.run("package set --help");
  const help = stdout.replaceAll(/\s+/g, " ");
  expect(help).toContain(
    "--idle-timeout <seconds> seconds without traffic after which the router ends a session; empty: never --reply",
  );
  expect(help).toContain("--net-price <amount> the same without tax, sent in place of --price --reseller");
  expect(help).toContain("--duration-unit <unit> hour, day or month; months are those of the calendar");
  expect(help).not.toMatch(/`|undefined/);
});
