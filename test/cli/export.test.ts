import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CommandLine, smallIsp, subscriber } from "./harness.ts";
import { program } from "../support/appliance.ts";

const sections = /settings \d+, isps 1, staff 2, nas 1, packages 1, subscribers 2/.source;

describe("export", () => {
  test("says what it holds and what it does not, beside what it writes", async () => {
    using cli = new CommandLine();
    await cli.import(smallIsp());
    const file = join(cli.folder, "isp.json");
    expect((await cli.run(`export ${file}`)).stdout.split("\n")).toEqual([
      expect.stringMatching(new RegExp(`^${file}: ${sections}$`)),
      "passwords, secrets and codes of cards are not in it; --secrets adds them",
      "not in it: ledger, invoices, sessions, usage and audit trail; --all adds them",
      "",
    ]);
    const { stdout, stderr } = await cli.run("export --secrets");
    expect(JSON.parse(stdout)).toContainKey("subscribers");
    expect(stderr).toMatch(
      new RegExp(`^${sections}\npasswords, secrets and codes of cards are in it, in clear:`),
    );
  });

  test("says what to do where a stored secret was damaged", async () => {
    using cli = new CommandLine();
    await cli.import(smallIsp());
    using db = new Database(join(cli.data, "gatehouse.db"));
    db.run("UPDATE nas SET secret_sealed = zeroblob(40)");
    const { code, stderr } = await cli.run("export --secrets");
    expect(code).toBe(1);
    expect(stderr).toBe(
      "gatehouse: a stored password or secret was damaged and cannot be opened; see: gatehouse check\n",
    );
  });

  test("writes over nothing", async () => {
    using cli = new CommandLine();
    await cli.import(smallIsp());
    const file = join(cli.folder, "isp.json");
    writeFileSync(file, "edited");
    const { code, stderr } = await cli.run(`export ${file}`);
    expect(code).toBe(1);
    expect(stderr).toBe(`gatehouse: ${file} exists already; choose another name or remove it\n`);
    expect(await Bun.file(file).text()).toBe("edited");
  });
});

/** A small ISP with money, a session and usage, some of it named to be run by a spreadsheet. */
async function withHistory(cli: CommandLine): Promise<void> {
  const sam = subscriber(1, "=sam", { balance: "20.00" });
  await cli.import({ ...smallIsp(), subscribers: [sam, subscriber(2, "tom")] });
  await cli.run("subscriber credit tom 5");
  using db = new Database(join(cli.data, "gatehouse.db"));
  db.run(`
    INSERT INTO sessions (nas_id, nas_address, acct_session_id, username, subscriber_id, mac, started_at, updated_at, session_time, input_octets, output_octets)
      VALUES (1, '10.0.0.1', '81,"5"', '=sam', 1, '02:00:00:00:00:0A', 1800000000, 1800000060, 60, 5, 7);
    INSERT INTO usage_days VALUES (1, 20270115, 5, 7);
    INSERT INTO invoices (isp_id, subscriber_id, package_id, package_name, amount, currency, period_start, period_end, created_at)
      VALUES (1, 1, 1, '-10', 1500, 'USD', 1800000000, 1802592000, 1800000000)`);
}

describe("export --all", () => {
  test("makes a folder of its owner's with the data set and a CSV file of each history", async () => {
    using cli = new CommandLine();
    await withHistory(cli);
    const folder = join(cli.folder, "out");
    const { code, stdout, stderr } = await cli.run(`export --all ${folder}/`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.split("\n").map((line) => line.replace(/ +/g, " ").trim())).toEqual([
      "FILE HOLDS",
      expect.stringMatching(new RegExp(`^data-set.json ${sections}$`)),
      "subscribers.csv 2 rows",
      "packages.csv 1 rows",
      "routers.csv 1 rows",
      "ledger.csv 2 rows",
      "invoices.csv 1 rows",
      "payments.csv 0 rows",
      "sessions.csv 1 rows",
      "usage.csv 1 rows",
      "card-batches.csv 0 rows",
      "cards.csv 0 rows",
      "audit.csv 2 rows",
      "passwords, secrets and codes of cards are not in it; --secrets adds them",
      "",
    ]);
    expect(readdirSync(cli.folder).sort()).toEqual(["data", "out"]);
    for (const path of [folder, ...readdirSync(folder).map((name) => join(folder, name))])
      expect([path, statSync(path).mode & 0o077]).toEqual([path, 0]);
    const text = async (name: string) => {
      const bytes = await Bun.file(join(folder, name)).bytes();
      expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
      return new TextDecoder().decode(bytes).split("\r\n");
    };
    const [heading = "", first = ""] = await text("subscribers.csv");
    const cells = first.split(",");
    const held = Object.fromEntries(heading.split(",").map((name, index) => [name, cells[index]]));
    expect(held).toMatchObject({ username: "'=sam", router: "core", password: "" });
    expect(held).toMatchObject({ balance: "20.00", status: "1" });
    expect(held["package"]).toBe((await text("packages.csv"))[1]?.split(",")[2]);
    expect((await text("routers.csv"))[1]).toStartWith("1,1,core,10.0.0.1,");
    const ledger = await text("ledger.csv");
    expect(ledger).toEqual([
      "id,created_at,isp_id,subscriber_id,staff_id,username,kind,amount,balance_after,invoice_id,acting_staff_id,actor,about_id,payment_id,branch_id,area_id,package_id,seller_id,reason,day,batch_id,card_id",
      expect.stringMatching(
        /^1,\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,1,1,,'=sam,opening,20\.00,20\.00,,,\w+,,,,,1,1,,\d{4}-\d\d-\d\d,,$/,
      ),
      expect.stringMatching(/^2,.*,1,2,,tom,adjustment,5\.00,5\.00,,,\w+,,,,,1,1,,\d{4}-\d\d-\d\d,,$/),
      "",
    ]);
    expect((await text("sessions.csv"))[1]).toBe(
      `1,1,'=sam,1,core,10.0.0.1,,,"81,""5""",,,,,02:00:00:00:00:0A,,,,2027-01-15 08:00:00,2027-01-15 08:01:00,,60,5,7,,,,`,
    );
    expect((await text("usage.csv"))[1]).toBe("1,'=sam,2027-01-15,5,7");
    expect((await text("invoices.csv"))[1]).toBe(
      "1,2027-01-15 08:00:00,1,1,'=sam,1,'-10,15.00,USD,2027-01-15 08:00:00,2027-02-14 08:00:00,,0.00,,0.00,0,,,,0.00,,0.00,0.00,,,,,",
    );
    expect((await text("audit.csv"))[1]).toContain(",data.import,appliance,,,");
    const outcome = await cli.run(`import --dry-run ${join(folder, "data-set.json")}`);
    expect(outcome.stdout).toEndWith("the file is right; nothing was written\n");
  });

  test("touches nothing that is there, and leaves nothing where it fails", async () => {
    using cli = new CommandLine();
    await withHistory(cli);
    const folder = join(cli.folder, "out");
    mkdirSync(folder);
    expect((await cli.run(`export --all ${folder}`)).stderr).toContain("exists already");
    expect(readdirSync(folder)).toEqual([]);
    const database = new Database(join(cli.data, "gatehouse.db"));
    database.run("ALTER TABLE usage_days RENAME TO elsewhere");
    database.close();
    const failed = await cli.run(`export --all ${join(cli.folder, "other")}`);
    expect(failed.code).toBe(1);
    expect(readdirSync(cli.folder).sort()).toEqual(["data", "out"]);
    const nowhere = await cli.run(`export --all ${join(cli.folder, "no/such/folder")}`);
    expect(nowhere.stderr).toContain(`${join(cli.folder, "no/such")} does not exist; check the path`);
  });

  test("needs a folder to write to", async () => {
    using cli = new CommandLine();
    await cli.import(smallIsp());
    expect(await cli.run("export --all")).toEqual({
      code: 2,
      stdout: "",
      stderr: "gatehouse: --all writes a folder; name one that does not exist yet; see --help\n",
    });
  });

  test("takes the same memory for many sessions as for few", async () => {
    using cli = new CommandLine();
    await withHistory(cli);
    const kilobytes = (name: string) => {
      const command = [program, "export", "--all", join(cli.folder, name)];
      const { exitCode, resourceUsage } = Bun.spawnSync(command, {
        env: { GATEHOUSE_DATA_DIR: cli.data }, // of the environment of tests nothing: it refuses what it does not know
      });
      expect(exitCode).toBe(0);
      return resourceUsage.maxRSS / 1024;
    };
    const few = kilobytes("few");
    const database = new Database(join(cli.data, "gatehouse.db"));
    database.run(
      `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 25000)
       INSERT INTO sessions (nas_address, acct_session_id, username, nas_port_id, started_at, updated_at)
       SELECT '10.0.0.1', 'session-' || n, 'user-' || n, hex(zeroblob(2000)), 1800000000 + n, 1800000000 + n FROM numbers`,
    );
    database.close();
    const many = kilobytes("many");
    expect(statSync(join(cli.folder, "many/sessions.csv")).size).toBeGreaterThan(100_000_000);
    expect(many - few).toBeLessThan(150_000);
  });
});
