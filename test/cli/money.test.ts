import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { claimServing } from "../../db/serving.ts";
import { CommandLine, smallIsp, subscriber } from "./harness.ts";
import { program, shortLived } from "../support/appliance.ts";

const rex = { id: 3, isp_id: 1, name: "Rex", username: "rex", password: "secret-3", profile_type: 3 };

async function withIsp(): Promise<CommandLine> {
  const cli = new CommandLine();
  const isp = smallIsp();
  const subscribers = [subscriber(1, "sam", { salesperson_id: 3 }), subscriber(2, "tom")];
  expect(await cli.import({ ...isp, staff: [...isp.staff, rex], subscribers })).toMatchObject({ code: 0 });
  return cli;
}

const year = new Date().getFullYear();
const receipt = (nth: number, letter = "") => `R-${year}${letter}-00000${nth}`;

test("payment take, list, show, reverse and refund", async () => {
  using cli = await withIsp();
  expect((await cli.run("payment take sam 20 --method bank --reference TX-1 --activate")).stdout).toMatch(
    new RegExp(`^took 20.00: receipt ${receipt(1)}; the balance is 5.00\nactivated until \\d{4}-`),
  );
  expect(await cli.json("payment take tom 1 --activate --keep")).toMatchObject({
    payment: { number: receipt(2), username: "tom", invoice_id: null },
    balance: 1,
    activation: { error: expect.stringContaining("insufficient balance") },
  });
  expect((await cli.run("payment refund sam 5 --note moved")).stdout).toBe(
    `handed back 5.00: receipt ${receipt(3)}; the balance is 0.00\n`,
  );
  const { stdout } = await cli.run("payment list --user sam");
  expect(stdout).toMatch(new RegExp(`^${receipt(3)} +\\S+ \\S+ +sam +-5\\.00 +cash +- +\\S+ +-$`, "m"));
  expect(stdout).toMatch(new RegExp(`^${receipt(1)} +\\S+ \\S+ +sam +20\\.00 +bank +TX-1 +\\S+ +-$`, "m"));
  expect(await cli.json(`payment show ${receipt(1)}`)).toMatchObject({
    id: 1,
    invoice_number: `I-${year}-000001`,
  });
  const reversed = await cli.run(`payment reverse ${receipt(1)} --reason bounced --void`);
  expect(reversed.stdout).toBe(
    `reversed ${receipt(1)}; the balance is -5.00\nThe subscriber is offline; the next login gets the current service.\n`,
  );
  expect(await cli.json("invoice list --user sam")).toMatchObject([{ state: "void", open: 0, amount: 15 }]);
  expect(await cli.json("subscriber show sam")).toMatchObject({ profile_status: "inactive", balance: -5 });
});

test("wallet, invoice and closing print tables, and JSON with all that a paper says", async () => {
  using cli = await withIsp();
  await cli.run("settings set tax_percent 18 --isp 1");
  await cli.run("payment take sam 15 --activate");
  expect((await cli.run("wallet adjust sam down 2.50 --reason slip")).stdout).toBe(
    "adjusted by -2.50; the balance is -2.50\n",
  );
  expect(await cli.json("wallet adjust rex up 3 --reason bonus --staff")).toEqual({
    id: expect.any(Number),
    balance: 3,
  });
  const { stdout } = await cli.run("wallet entries sam");
  expect(stdout.split("\n").map((line) => line.split(/ {2,}/).slice(1, 4))).toEqual([
    ["KIND", "AMOUNT", "BALANCE"],
    ["adjustment", "-2.50", "-2.50"],
    ["activation", "-15.00", "0.00"],
    ["payment", "15.00", "15.00"],
    [],
  ]);
  expect(await cli.json(`invoice show I-${year}-000001`)).toMatchObject({
    amount: 15,
    net: 12.71,
    tax: 2.29,
    tax_name: "Tax",
    tax_percent: 18,
    print: { issuer: { name: "Northlink" }, billed_to: { name: "sam" }, lines: [{ description: "Home 10" }] },
  });
  expect((await cli.run("invoice show 1")).stdout).toMatch(/^state +paid$/m);
  expect((await cli.run("closing list")).stdout).toStartWith("ID  TIME");
});

test("a till is shown, and a day's close confirmed once", async () => {
  using cli = await withIsp();
  expect((await cli.run("closing open ada")).stdout).toBe(
    "METHOD  PAYMENTS  TAKEN  GIVEN BACK\n\nAda should have 0.00 in cash\n",
  );
  using store = new Database(join(cli.data, "gatehouse.db"));
  store.run(
    "INSERT INTO closings (isp_id, staff_id, created_at, taken, returned, expected, counted) VALUES (1, 1, 1900000000, 3600, 200, 3400, 3350)",
  );
  expect(await cli.json("closing open ada")).toMatchObject({ staff_id: 1, expected: 0, methods: [] });
  expect((await cli.run("closing list")).stdout).toMatch(/ Ada +34\.00 +33\.50 +-0\.50 +- +-$/m);
  expect((await cli.run("closing confirm 1")).stdout).toBe("confirmed the day's close 1\n");
  expect((await cli.run("closing list")).stdout).toMatch(/ -0\.50 +command line +-$/m);
});

test.each([
  ["closing confirm 1", "there is no day's close 1"],
  ["closing confirm x", "there is no day's close x; see: gatehouse closing list"],
  ["closing open rex", "Rex is a Reseller and has no till: the wallet has what was taken"],
  ["closing open nobody", "there is no staff account nobody; see: gatehouse staff list"],
  [
    "payment take nobody 1",
    "there is no subscriber with the username nobody; see: gatehouse subscriber list",
  ],
  ["payment take nobody 1 --staff", "there is no staff account nobody; see: gatehouse staff list"],
  ["payment take sam 0", "the amount 0 must be an amount above 0"],
  ["payment refund sam 1", "the wallet of sam holds 0.00; hand back at most what it holds"],
  ["payment show R-1", "there is no payment R-1; see: gatehouse payment list"],
  ["payment list --limit 0", "--limit 0 must be a whole number from 1"],
  ["invoice show 7", "there is no invoice 7"],
])("%s fails in one line", async (argv, message) => {
  using cli = await withIsp();
  const { code, stdout, stderr } = await cli.run(argv);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toStartWith(`gatehouse: ${message}`);
});

/** As a process of its own: this one keeps a store locked until it forgets the statements of a closed one. */
async function separately(cli: CommandLine, argv: string, data = cli.data): Promise<string> {
  const child = Bun.spawn([program, ...argv.split(" ")], {
    env: { ...shortLived, GATEHOUSE_DATA_DIR: data, TZ: process.env["TZ"] },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

test("after a restore the numbers go on with a letter that this box has not used, where any were given out since", async () => {
  using cli = await withIsp();
  const file = join(cli.folder, "copy.db");
  const take = async () => /receipt (\S+);/.exec(await separately(cli, "payment take sam 15"))?.[1];
  await separately(cli, "payment take sam 15 --activate");
  await separately(cli, `backup ${file}`);
  await separately(cli, `restore ${file}`);
  expect(await take()).toBe(receipt(2)); // nothing had been given out since
  await separately(cli, `restore ${file}`);
  expect([await take(), await take()]).toEqual([receipt(1, "b"), receipt(2, "b")]);
  expect(await separately(cli, "payment take tom 15 --activate")).toContain(receipt(3, "b"));
  expect(await separately(cli, "invoice list --user tom")).toContain(`I-${year}b-000001`);
  await separately(cli, `restore ${file}`);
  expect(await take()).toBe(receipt(1, "c"));
  expect(await separately(cli, "check")).toMatch(/^ok +numbers: \d series/m);
  // damaged, so that nobody can read its letter; what was put aside before has b
  await Bun.write(join(cli.data, "gatehouse.db"), "damaged");
  await separately(cli, `restore ${file}`);
  expect(await take()).toBe(receipt(1, "c"));
});

test("books that move to another box as a whole go on where their numbers stand", async () => {
  using cli = await withIsp();
  const [file, key] = [join(cli.folder, "move.db"), join(cli.data, "secret.key")];
  const other = join(cli.folder, "other");
  const take = async (data: string) =>
    /receipt (\S+);/.exec(await separately(cli, "payment take sam 15", data))?.[1];
  await separately(cli, "payment take sam 15 --activate");

  // while somebody serves them, more may be booked
  const serving = claimServing(cli.data);
  expect(await cli.run(`backup ${file} --move`)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("stop it first, for good"),
  });
  serving[Symbol.dispose]();
  expect(existsSync(file)).toBe(false);

  await separately(cli, `backup ${file} --move`);
  await separately(cli, "init", other);
  await separately(cli, `restore ${file} --key ${key}`, other);
  expect([await take(other), await take(other)]).toEqual([receipt(2), receipt(3)]);
  expect(await separately(cli, "check", other)).toMatch(/^ok +numbers: \d series/m);
  // the old box, started again all the same, gives none of those
  expect(await take(cli.data)).toBe(receipt(1, "zzb"));

  // once something was booked there, the same file is older than that, there and at the old box
  await separately(cli, `restore ${file} --key ${key}`, other);
  expect(await take(other)).toBe(receipt(1, "b"));
  await separately(cli, `restore ${file}`);
  expect(await take(cli.data)).toBe(receipt(1, "zzc"));
});
