import { describe, expect, test } from "bun:test";
import { openStore } from "../../db/open.ts";
import { sessions } from "../../db/schema.ts";
import { formatTime, systemClock } from "../../src/domain/core/time/time.ts";
import { volume } from "../../src/domain/core/fields/volume.ts";
import { CommandLine, smallIsp, subscriber } from "./harness.ts";

const now = systemClock();
const at = (days: number) => formatTime(now + days * 86_400);

async function anIsp(): Promise<CommandLine> {
  const cli = new CommandLine();
  const [home] = smallIsp().packages;
  const imported = await cli.import({
    ...smallIsp(),
    settings: { currency: "EUR" },
    packages: [home, { ...home, id: 2, name: "Fibre 300" }],
    subscribers: [
      subscriber(1, "sam", { balance: "1200.00", current_expiration_date: at(9), package_id: 2 }),
      subscriber(2, "tom", { balance: "-45.50", current_expiration_date: at(-9) }),
      subscriber(1003, "ann"),
    ],
  });
  expect(imported.stderr).toBe("");
  const db = openStore(cli.data, { now });
  const session = { nasId: 1, nasAddress: "10.0.0.1", startedAt: now - 60, updatedAt: now };
  db.insert(sessions)
    .values([
      { ...session, acctSessionId: "a", username: "sam", subscriberId: 1, outputOctets: 12_345_678_901 },
      {
        ...session,
        acctSessionId: "b",
        username: "\x1b[31mtom",
        outputOctets: 400_000_000,
        inputOctets: 999,
      },
    ])
    .run();
  db.$client.close();
  return cli;
}

const lists = [
  "subscriber list",
  "subscriber show sam",
  "sessions list",
  "staff list",
  "nas list",
  "settings list",
  "check",
];

/** What `check` says of the clock and the disk moves between two runs. */
const still = (text: string) => text.replace(/(it says|clock:) .*|[\d.,]+ \w?B are free/g, "$1");

test.each(lists)("%s: coloured on a terminal, the same text without colours elsewhere", async (argv) => {
  using cli = await anIsp();
  const { stdout: plain } = await cli.run(argv);
  const { stdout: record } = await cli.run(argv, { isTerminal: true });
  expect(plain).not.toContain("\x1b");
  expect(record).toContain("\x1b[");
  expect(still(Bun.stripANSI(record))).toBe(still(plain));
  for (const line of plain.split("\n")) expect(line).toBe(line.trimEnd());
});

test.each([
  [{ NO_COLOR: "1" }, false],
  [{ NO_COLOR: "" }, true],
  [{ TERM: "dumb" }, false],
  [{ TERM: "xterm" }, true],
])("with %j in the environment, a terminal gets colours: %p", async (env, isColored) => {
  using cli = await anIsp();
  const { stdout } = await cli.run("subscriber list", { env, isTerminal: true });
  expect(stdout.includes("\x1b[")).toBe(isColored);
});

describe("on a terminal", () => {
  test("states and debts are in the colour of what they mean, headings and sums stand apart", async () => {
    using cli = await anIsp();
    const { stdout } = await cli.run("subscriber list", { isTerminal: true });
    for (const record of [
      "\x1b[2mUSERNAME\x1b[0m",
      "\x1b[32mactive\x1b[0m",
      "\x1b[31mexpired\x1b[0m",
      "\x1b[32monline\x1b[0m",
      "\x1b[31m-45.50\x1b[0m",
      "\x1b[1m3 subscribers: ",
    ])
      expect(stdout).toContain(record);
  });

  test("JSON has no colours, and a name from a router none of its own", async () => {
    using cli = await anIsp();
    const { stdout: json } = await cli.run("subscriber list --json", { isTerminal: true });
    expect(json).not.toContain("\x1b");
    const { stdout } = await cli.run("sessions list", { isTerminal: true });
    expect(Bun.stripANSI(stdout)).toContain("?[31mtom");
  });
});

test("subscriber list: names instead of ids, figures to the right, and what it comes to", async () => {
  using cli = await anIsp();
  const { stdout } = await cli.run("subscriber list");
  const [heading, ...rows] = stdout.trimEnd().split("\n");
  expect(heading).toMatch(/^ {2}ID {2}USERNAME .* BALANCE$/);
  expect(rows[0]).toMatch(/^ {3}1 {2}sam .* Fibre 300 +active +online .* 1200\.00$/);
  expect(rows[1]).toMatch(/^ {3}2 {2}tom .* Home 10 +expired +offline .* {3}-45\.50$/);
  expect(rows[2]).toMatch(/^1003 {2}ann .* inactive +offline +- +0\.00$/);
  expect(rows.slice(3)).toEqual([
    "",
    "3 subscribers: 1 active, 1 expired, 1 inactive; 1 online; 1200.00 EUR in wallets, 45.50 EUR owed",
  ]);
});

test("sessions list: traffic in the unit that fits, and its sum", async () => {
  using cli = await anIsp();
  const { stdout } = await cli.run("sessions list");
  expect(stdout).toMatch(/^sam .* {4}0 B {3}12\.3 GB /m);
  expect(stdout).toMatch(/^\?\[31mtom .* 999 B {2}400\.0 MB /m);
  expect(stdout).toEndWith("\n\n2 sessions, 999 B up, 12.7 GB down\n");
  expect((await cli.run("sessions list --mac 020000000099")).stdout).toEndWith("\nno sessions\n");
});

test("subscriber show, staff list and nas list: names, of the ids that other commands take", async () => {
  using cli = await anIsp();
  const { stdout } = await cli.run("subscriber show sam");
  for (const line of [
    /^isp_id +Northlink \(1\)$/m,
    /^package_id +Fibre 300 \(2\)$/m,
    /^nas_id +core \(1\)$/m,
  ])
    expect(stdout).toMatch(line);
  expect((await cli.run("staff list")).stdout).toMatch(/ ada .* Northlink +all /);
  expect((await cli.run("nas list")).stdout).toMatch(/^ 1 {2}Northlink {2}core /m);
});

test("a long value does not push the meaning of every setting off the screen", async () => {
  using cli = await anIsp();
  const value = "To the account of Northlink at the Bank of Riverton, with the reference";
  await cli.run("settings list"); // the store is there
  const db = openStore(cli.data, { now });
  db.$client
    .query("INSERT INTO settings (isp_id, key, value) VALUES (0, 'portal_contact', ?)")
    .run(JSON.stringify(value));
  db.$client.close();
  expect((await cli.run("settings list")).stdout).toContain("To the account of Northlink at the Bank… ");
  expect((await cli.run("settings get portal_contact")).stdout).toBe(`${value}\n`);
});

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1.0 kB"],
  [999_949, "999.9 kB"],
  [999_951, "1.0 MB"],
  [1_500_000_000, "1.5 GB"],
  [2.5e12, "2.5 TB"],
  [2e18, "2000.0 PB"],
])("%d octets are %s", (octets, record) => {
  expect(volume(octets)).toBe(record);
});
