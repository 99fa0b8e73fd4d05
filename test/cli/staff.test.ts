import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openReader } from "../../db/open.ts";
import { findStaffBySignIn } from "../../src/domain/people/staff/accounts.ts";
import { verifyPassword } from "../../src/domain/people/staff/passwords.ts";
import { CommandLine } from "./harness.ts";

async function initialized(): Promise<CommandLine> {
  const cli = new CommandLine();
  await cli.init(" --username admin");
  return cli;
}

async function passwordIs(cli: CommandLine, username: string, password: string): Promise<boolean> {
  const db = openReader(cli.data);
  try {
    return await verifyPassword(password, findStaffBySignIn(db, username)?.passwordHash);
  } finally {
    db.$client.close();
  }
}

describe("passwords", () => {
  test.each([
    ["secret-1\n", "secret-1"],
    ["secret-1\r\n", "secret-1"],
    ["secret-1\n\n", undefined],
    [" sécret ", " sécret "],
  ])("--password-stdin strips one trailing newline: %j", async (stdin, password) => {
    using cli = await initialized();
    const { code } = await cli.run("staff add ada --type admin --password-stdin", { stdin });
    expect(code).toBe(password === undefined ? 1 : 0);
    if (password !== undefined) expect(await passwordIs(cli, "ada", password)).toBe(true);
  });

  test("an empty standard input is an error", async () => {
    using cli = await initialized();
    const { code, stderr } = await cli.run("staff passwd admin --password-stdin");
    expect(code).toBe(1);
    expect(stderr).toBe("gatehouse: standard input is empty; write the password to it\n");
  });

  const refused = "password must be text of 8 to 128 characters on one line, not blanks alone\n";
  test.each(["add ada --type admin", "passwd admin"])(
    "staff %s takes eight characters or more",
    async (argv) => {
      using cli = await initialized();
      for (const stdin of ["seven-7", "x".repeat(129), " ".repeat(10), "tab\tseparated"])
        expect(await cli.run(`staff ${argv} --password-stdin`, { stdin })).toMatchObject({
          code: 1,
          stderr: `gatehouse: ${refused}`,
        });
      expect(await cli.run(`staff ${argv} --password-stdin`, { stdin: "çèàùéüöä" })).toMatchObject({
        code: 0,
      });
    },
  );

  test("a data set brings what people have, however short", async () => {
    using cli = await initialized();
    const bob = { id: 1, isp_id: 1, name: "B", username: "bob", password: "x", profile_type: 1 };
    expect(await cli.import({ isps: [{ id: 1, name: "North" }], staff: [bob] })).toMatchObject({ code: 0 });
    expect(await passwordIs(cli, "bob", "x")).toBe(true);
  });

  test("the prompt asks twice without echo, takes backspace and characters of several bytes", async () => {
    using cli = await initialized();
    const { code, stderr, rawModes } = await cli.type("staff passwd admin", "sex\x7fçrèt-1\rseçrèt-1\n");
    expect(code).toBe(0);
    expect(stderr).toBe("New password: \nAgain: \n");
    expect(rawModes).toEqual([true, false]);
    expect(await passwordIs(cli, "admin", "seçrèt-1")).toBe(true);
  });

  test.each([
    ["one\rtwo\r", "gatehouse: the two passwords differ; try again"],
    ["one\x03", "gatehouse: cancelled; nothing was changed"],
    ["one", "gatehouse: cancelled; nothing was changed"],
  ])("the prompt changes nothing after %j", async (keys, message) => {
    using cli = await initialized();
    const { code, stderr, rawModes } = await cli.type("staff passwd admin", keys);
    expect(code).toBe(1);
    expect(stderr).toEndWith(`${message}\n`);
    expect(rawModes).toEqual([true, false]);
  });

  test("without a terminal the prompt names the way out", async () => {
    using cli = await initialized();
    const { code, stderr } = await cli.run("staff passwd admin", { stdin: "x\n" });
    expect(code).toBe(1);
    expect(stderr).toBe(
      "gatehouse: standard input is not a terminal to ask at; write it there, and use --password-stdin\n",
    );
  });
});

describe("accounts", () => {
  test("add, list, disable and enable", async () => {
    using cli = await initialized();
    await cli.import({ isps: [{ id: 3, name: "Northlink" }] });
    const added = await cli.json(
      "staff add Rita --type reseller --isp 3 --email rita@isp.example --phone 7 --password-stdin",
      "secret-1\n",
    );
    expect(added).toMatchObject({ username: "Rita", profile_type: 3, isp_id: 3, status: 1 });
    expect((await cli.run("staff disable rita")).stdout).toBe("disabled rita\n");
    expect((await cli.run("staff list")).stdout).toMatch(
      /^\d+ +Rita +Rita +rita@isp.example +reseller +Northlink +all .*disabled$/m,
    );
    expect((await cli.run("staff enable rita")).code).toBe(0);
    expect(await cli.json("staff list")).toMatchObject([
      { username: "admin" },
      { username: "Rita", status: 1 },
    ]);
  });

  test("second-factor remove lets in who lost the phone", async () => {
    using cli = await initialized();
    const refused = await cli.run("staff second-factor remove admin");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("has no second factor") });
    using store = new Database(join(cli.data, "gatehouse.db"));
    store.run("UPDATE staff SET totp_secret = x'00', totp_step = 1");
    expect((await cli.run("staff second-factor remove Admin")).stdout).toStartWith("Admin signs in with");
    expect(store.query("SELECT totp_secret, totp_step FROM staff").values()).toEqual([[null, null]]);
  });

  test("a role is set to need one", async () => {
    using cli = await initialized();
    await cli.import({ isps: [{ id: 3, name: "Northlink" }] });
    await cli.run("role add Desk");
    expect((await cli.run("role set Desk --second-factor yes")).stdout).toBe("changed the role Desk\n");
    using store = new Database(join(cli.data, "gatehouse.db"));
    expect(store.query("SELECT needs_second_factor FROM roles").values()).toEqual([[1]]);
    expect((await cli.run("role set Desk")).stderr).toContain("say what to change");
  });

  test("set changes what is named and leaves the rest", async () => {
    using cli = await initialized();
    await cli.import({ isps: [{ id: 3, name: "Northlink" }] });
    await cli.json(
      "staff add rita --type staff --isp 3 --email rita@isp.example --password-stdin",
      "secret-1\n",
    );
    const changed = await cli.json("staff set Rita --type reseller --credit-limit 20.00 --phone 7");
    const expected = { username: "rita", profile_type: 3, credit_limit: 20, phone: "7", isp_id: 3 };
    expect(changed).toMatchObject({ ...expected, email: "rita@isp.example" });
    expect((await cli.run("staff set rita --username rio")).stdout).toBe("changed rio\n");
    expect(await cli.run("staff set rio --type admin")).toMatchObject({
      code: 1,
      stderr: "gatehouse: credit_limit is for a Reseller alone; leave it 0\n",
    });
    expect(await cli.run("staff set rio")).toMatchObject({
      code: 1,
      stderr: "gatehouse: say what to change; see: gatehouse staff set --help\n",
    });
  });

  test("every fault is in the one line", async () => {
    using cli = await initialized();
    const { code, stderr } = await cli.run("staff add ADMIN --isp 9 --email x --password-stdin", {
      stdin: "p",
    });
    expect(code).toBe(1);
    expect(stderr.split("\n")).toHaveLength(2);
    expect(stderr).toContain("username is taken by another account");
    expect(stderr).toContain("isp_id is not an ISP of this appliance");
    expect(stderr).toContain("email must be an e-mail address");
  });

  test("a username with a colon, at which HTTP Basic ends it, is refused", async () => {
    using cli = new CommandLine();
    const message =
      "gatehouse: username must not have a colon, at which HTTP Basic ends a name: this account could not use the API\n";
    expect(await cli.run("init --username box:1")).toMatchObject({ code: 1, stderr: message });
    await cli.init();
    const stdin = "secret-1";
    expect(await cli.run("staff add a:b --type admin --password-stdin", { stdin })).toMatchObject({
      code: 1,
      stderr: message,
    });
  });

  test.each(["passwd", "enable", "disable"])("%s of nobody fails", async (command) => {
    using cli = await initialized();
    const stdin = command === "passwd" ? " --password-stdin" : "";
    const { code, stderr } = await cli.run(`staff ${command} nobody${stdin}`, { stdin: "secret-1" });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "gatehouse: there is no staff account nobody; see: gatehouse staff list\n",
    });
  });
});

test("an account of the only ISP needs no --isp; of several, or none, it is asked for", async () => {
  using cli = new CommandLine();
  const add = (username: string) => cli.run(`staff add ${username} --password-stdin`, { stdin: "secret-1" });
  await cli.init();
  expect((await add("bob")).stderr).toBe(
    "gatehouse: there is no ISP yet; add one first: gatehouse place add isp NAME\n",
  );
  await cli.import({ isps: [{ id: 3, name: "Northlink" }] });
  expect(await add("bob")).toMatchObject({ code: 0 });
  expect(await cli.json("staff list")).toContainEqual(
    expect.objectContaining({ username: "bob", profile_type: 2, isp_id: 3 }),
  );
  await cli.import({ isps: [{ id: 4, name: "Southlink" }] });
  expect((await add("tom")).stderr).toBe(
    "gatehouse: there are several ISPs; say whose account it is: --isp ID\n",
  );
});
