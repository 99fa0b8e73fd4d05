import { Database } from "bun:sqlite";
import { join } from "node:path";
import { describe, expect, test } from "bun:test";
import { CommandLine, smallIsp, subscriber } from "./harness.ts";

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

  test("list takes what a day asks for", async () => {
    using cli = new CommandLine();
    const dated = (id: number, name: string, more: object) => ({ ...subscriber(id, name), ...more });
    await cli.import({
      ...smallIsp(),
      cities: [{ id: 1, isp_id: 1, name: "Riverton" }],
      areas: [{ id: 1, isp_id: 1, city_id: 1, name: "East" }],
      subscribers: [
        dated(1, "sam", {
          area_id: 1,
          city_id: 1,
          balance: "-5.00",
          current_expiration_date: "2030-01-01 00:00:00",
        }),
        dated(2, "tom", {
          box_number: "B-1",
          balance: "7.00",
          current_expiration_date: "2030-01-02 00:00:00",
        }),
        dated(3, "ann", {}),
      ],
    });
    const listed = async (options: string) => {
      const found = await cli.json(`subscriber list ${options}`.trim());
      return Array.isArray(found) ? found.map(({ username }) => username).join(" ") : found;
    };
    const cases = [
      ["", "sam tom ann"],
      ["--area East", "sam"],
      ["--box B-1", "tom"],
      ["--status inactive", "ann"],
      ["--package 1 --sort name", "ann sam tom"],
      ["--expires-before 2030-01-02", "sam"],
      ["--balance-below 0", "sam"],
      ["--balance-below 7.01 --sort -balance", "tom ann sam"],
      ["--absent 1", "sam tom ann"],
      ["--archived", ""],
    ];
    for (const [options = "", expected] of cases)
      expect([options, await listed(options)]).toEqual([options, expected]);
    const refused = [
      ["--area west", 1, /there is no area west/],
      ["--expires-before soon", 2, /must be a day such as 2030-01-31/],
      ["--balance-below much", 2, /must be an amount/],
      ["--sort colour", 2, /Allowed choices are id, -id/],
    ] as const;
    for (const [options, code, words] of refused)
      expect(await cli.run(`subscriber list ${options}`)).toMatchObject({
        code,
        stderr: expect.stringMatching(words),
      });
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
    const record = await cli.run("subscriber show sam --secrets");
    expect(record).toMatchObject({ code: 0, stderr: "" });
    expect(record.stdout).toMatch(/^mobile_number +M1$/m);
    expect(record.stdout).toMatch(new RegExp(`^password +${RegExp.escape(words)}$`, "m"));
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

describe("subscriber, in the office", () => {
  test("find prints who matches, and says where nobody does", async () => {
    using cli = await withIsp();
    expect(await cli.json("subscriber find sa")).toMatchObject([
      { id: 1, username: "sam", matched: ["name", "username"] },
    ]);
    expect((await cli.run("subscriber find M2")).stdout).toMatch(
      /^ 2 +tom +tom +M2 +Home 10 +inactive +offline +mobile_number$/m,
    );
    expect(await cli.run("subscriber find zzz")).toMatchObject({
      code: 1,
      stderr: "gatehouse: nobody matches zzz; try fewer characters of it\n",
    });
    expect((await cli.run("subscriber find 10.0.0.1 --at yesterday")).stderr).toStartWith(
      "gatehouse: --at is yesterday",
    );
  });

  test("archive, list --archived and restore", async () => {
    using cli = await withIsp();
    expect((await cli.run("subscriber archive sam")).stdout).toBe("archived sam; no session was open\n");
    expect(await cli.json("subscriber list")).toMatchObject([{ username: "tom" }]);
    expect(await cli.json("subscriber list --archived")).toMatchObject([
      { username: "sam", profile_status: "disabled" },
    ]);
    expect((await cli.run("subscriber show sam")).code).toBe(1);
    expect((await cli.run("subscriber statement sam --archived")).code).toBe(0);
    expect((await cli.run("subscriber restore nobody")).stderr).toBe(
      "gatehouse: nobody was archived under the username or id nobody\n",
    );
    expect((await cli.run("subscriber restore SAM")).stdout).toBe(
      "restored sam; let it in with: gatehouse subscriber enable sam\n",
    );
    expect(await cli.json("subscriber show sam")).toMatchObject({ profile_status: "disabled" });
  });

  test("several of one name are restored by their ids", async () => {
    using cli = await withIsp();
    await cli.run("subscriber archive sam");
    await cli.import({ subscribers: [subscriber(5, "sam")] });
    await cli.run("subscriber archive sam");
    expect((await cli.run("subscriber restore sam")).stderr).toBe(
      "gatehouse: several were archived as sam; name one by its id: 1, 5\n",
    );
    expect((await cli.run("subscriber restore 5")).stdout).toStartWith("restored sam;");
  });

  test("archive is refused while the wallet holds money", async () => {
    using cli = await withIsp();
    await cli.run("subscriber credit sam 10");
    expect((await cli.run("subscriber archive sam")).stderr).toStartWith(
      "gatehouse: the wallet of sam holds 10.00;",
    );
  });

  test("a note is an account's", async () => {
    using cli = await withIsp();
    expect((await cli.run("subscriber note sam Called --staff sol")).stdout).toBe("noted for sam\n");
    expect((await cli.run("subscriber note sam Called --staff eve")).stderr).toBe(
      "gatehouse: there is no staff account eve; see: gatehouse staff list\n",
    );
  });

  test("statement prints what moved and what it came to", async () => {
    using cli = await withIsp();
    await cli.run("subscriber credit sam 10");
    expect(await cli.json("subscriber statement sam")).toMatchObject({
      closing_balance: 10,
      entries: [{ amount: 10 }],
    });
    const { stdout } = await cli.run("subscriber statement sam");
    expect(stdout).toMatch(/adjustment +- +- +10\.00 +10\.00$/m);
    expect(stdout).toEndWith("\nthe balance is 10.00\n");
    expect((await cli.run("subscriber statement sam --from soon")).stderr).toStartWith(
      "gatehouse: --from is soon; it must be a day",
    );
  });

  test("why is there under subscriber too", async () => {
    using cli = await withIsp();
    expect((await cli.run("subscriber why sam")).stdout).toBe((await cli.run("why sam")).stdout);
  });
});
