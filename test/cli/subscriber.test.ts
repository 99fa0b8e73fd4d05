import { Database } from "bun:sqlite";
import { join } from "node:path";
import { describe, expect, test } from "bun:test";
import { CommandLine, smallIsp } from "./harness.ts";

async function withIsp(): Promise<CommandLine> {
  const cli = new CommandLine();
  await cli.import(smallIsp());
  return cli;
}

describe("subscriber", () => {
  test("list shows everybody, passwords with --secrets only", async () => {
    using cli = await withIsp();
    expect(await cli.json("subscriber list")).toMatchObject([
      { username: "sam", password: null, profile_status: "inactive" },
      { username: "tom", password: null, profile_status: "inactive" },
    ]);
    expect(await cli.json("subscriber list --secrets")).toMatchObject([{ password: "pw-sam" }, {}]);
    const { stdout } = await cli.run("subscriber list");
    expect(stdout).toMatch(/^ 1 +sam +sam +Home 10 +inactive +offline +- +0\.00$/m);
  });

  test("show finds a username without regard to case", async () => {
    using cli = await withIsp();
    expect(await cli.json("subscriber show SAM")).toMatchObject({ id: 1, username: "sam", password: null });
    expect(await cli.json("subscriber show sam --secrets")).toMatchObject({ password: "pw-sam" });
    expect((await cli.run("subscriber show sam")).stdout).toMatch(/^profile_status +inactive$/m);
  });

  test("a password whose bytes were damaged is said so with what to do, and everything else is shown", async () => {
    using cli = await withIsp();
    const store = new Database(join(cli.data, "gatehouse.db"));
    store.run("UPDATE subscribers SET password_sealed = zeroblob(40) WHERE id = 1");
    store.close();
    const words =
      "cannot be opened, for what is stored was damaged; set a new one (POST /api/v1/subscriber/reset_password)";
    const shown = await cli.run("subscriber show sam --secrets");
    expect(shown).toMatchObject({ code: 0, stderr: "" });
    expect(shown.stdout).toMatch(/^mobile_number +M1$/m);
    expect(shown.stdout).toMatch(new RegExp(`^password +${RegExp.escape(words)}$`, "m"));
    const json = await cli.run("subscriber show sam --secrets --json");
    expect(JSON.parse(json.stdout)).toMatchObject({ username: "sam", password: null });
    expect(json.stderr).toBe(`gatehouse: the password of sam ${words}\n`);
    const list = await cli.run("subscriber list --secrets --json");
    expect(JSON.parse(list.stdout)).toMatchObject([{ password: null }, { password: "pw-tom" }]);
    expect(list.stderr).toBe(json.stderr);
    expect(await cli.run("subscriber show sam --json")).toMatchObject({ code: 0, stderr: "" });
    expect((await cli.run("check")).stdout).toMatch(/^warning +key: 1 of 3 stored secrets were damaged;/m);
  });

  test("disable and enable", async () => {
    using cli = await withIsp();
    expect((await cli.run("subscriber disable sam")).stdout).toBe("disabled sam; no session was open\n");
    expect(await cli.json("subscriber show sam")).toMatchObject({ profile_status: "disabled" });
    expect((await cli.run("subscriber enable sam")).stdout).toBe("enabled sam\n");
    expect(await cli.json("subscriber show sam")).toMatchObject({ profile_status: "inactive" });
  });

  test("credit adds to the wallet", async () => {
    using cli = await withIsp();
    await cli.run("subscriber credit sam 10");
    expect(await cli.json("subscriber credit sam 5.25")).toEqual({
      username: "sam",
      credited: 5.25,
      balance: 15.25,
    });
  });

  test.each([
    [
      "subscriber show nobody",
      "there is no subscriber with the username nobody; see: gatehouse subscriber list",
    ],
    [
      "subscriber disable nobody",
      "there is no subscriber with the username nobody; see: gatehouse subscriber list",
    ],
    [
      "subscriber credit nobody 1",
      "there is no subscriber with the username nobody; see: gatehouse subscriber list",
    ],
    ["subscriber credit sam 1.234", "the amount 1.234 must be an amount with at most two decimals"],
    ["subscriber credit sam 0", "the amount must be above 0"],
  ])("%s fails in one line", async (argv, message) => {
    using cli = await withIsp();
    const { code, stdout, stderr } = await cli.run(argv);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toStartWith(`gatehouse: ${message}`);
    expect(stderr.split("\n")).toHaveLength(2);
  });
});

test("sessions list is an empty array while nobody is online", async () => {
  using cli = await withIsp();
  expect(await cli.json("sessions list")).toEqual([]);
  expect((await cli.run("sessions list")).stdout).toStartWith("USERNAME");
});

describe("settings", () => {
  test("set, get and list", async () => {
    using cli = await withIsp();
    expect(await cli.json("settings get max_coa_wait")).toBe(3);
    expect((await cli.run("settings set max_coa_wait 5")).stdout).toBe("5\n");
    expect(await cli.json("settings set disconnect_enabled false")).toBe(false);
    expect(await cli.json("settings list")).toMatchObject({
      currency: "USD",
      max_coa_wait: 5,
      disconnect_enabled: false,
      acct_interim_interval: 300,
      stale_session_after: 3,
      expired_session_timeout: 600,
    });
  });

  test.each([
    ["settings get colour", "there is no setting colour; there are disconnect_enabled, currency"],
    ["settings set colour red", "there is no setting colour"],
    ["settings set currency euro", "currency must be a currency code such as USD"],
    ["settings set acct_interim_interval 0", "acct_interim_interval must be a whole number from 1"],
    ["settings set disconnect_enabled maybe", "disconnect_enabled must be true or false"],
  ])("%s fails in one line", async (argv, message) => {
    using cli = await withIsp();
    const { code, stderr } = await cli.run(argv);
    expect(code).toBe(1);
    expect(stderr).toStartWith(`gatehouse: ${message}`);
    expect(stderr.split("\n")).toHaveLength(2);
  });
});
