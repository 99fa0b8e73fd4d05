import { expect, test } from "bun:test";
import { openStore } from "../../db/open.ts";
import { authLog, sessions } from "../../db/schema.ts";
import { cardNumber } from "../../src/domain/goods/codes/codes.ts";
import { formatTime, systemClock } from "../../src/domain/core/time/time.ts";
import { makeCard } from "../support/card-codes.ts";
import { CommandLine, smallIsp } from "./harness.ts";

const now = systemClock();

async function withSessions(): Promise<CommandLine> {
  const cli = new CommandLine();
  await cli.import(smallIsp());
  const db = openStore(cli.data, { now });
  const session = {
    nasId: 1,
    nasAddress: "10.0.0.1",
    username: "sam",
    subscriberId: 1,
    mac: "02:00:00:00:00:01",
  };
  db.insert(sessions)
    .values([
      {
        ...session,
        acctSessionId: "a",
        framedIp: "10.5.0.2",
        startedAt: now - 7200,
        updatedAt: now - 3600,
        stoppedAt: now - 3600,
        terminateCause: "User-Request",
        closedBy: "stop",
        inputOctets: 1_234_567,
      },
      {
        ...session,
        acctSessionId: "b",
        delegatedIpv6Prefix: "2001:db8:5::/56",
        framedIp: "10.5.0.3",
        startedAt: now - 60,
        updatedAt: now,
      },
      {
        ...session,
        acctSessionId: "c",
        username: "tom",
        subscriberId: 2,
        mac: null,
        startedAt: now - 50,
        updatedAt: now,
      },
    ])
    .run();
  db.insert(authLog)
    .values({
      at: now - 5,
      nasId: 1,
      nasAddress: "10.0.0.1",
      username: "sam",
      subscriberId: 1,
      accepted: 0,
      reason: "wrong_password",
      detail: "garbled",
      method: "pap",
    })
    .run();
  db.$client.close();
  return cli;
}

test("sessions list, by what is asked for", async () => {
  using cli = await withSessions();
  const ids = async (argv: string) => {
    const found = await cli.json(`sessions list ${argv}`.trim());
    return Array.isArray(found) ? found.map(({ session_id }) => session_id) : found;
  };
  expect(await ids("")).toEqual(["b", "c"]);
  expect(await ids("--user SAM")).toEqual(["b"]);
  expect(await ids("--all")).toEqual(["c", "b", "a"]);
  expect(await ids("--all --mac 020000000001 --nas core --limit 1")).toEqual(["b"]);
  expect(await ids("--address 10.5.0.3")).toEqual(["b"]);
  const { stdout } = await cli.run("sessions list --all");
  expect(stdout.split("\n")[0]).toMatch(/^USERNAME +ADDRESS +MAC +NAS +UP +DOWN +SINCE +UNTIL +CAUSE$/);
  expect(stdout).toMatch(/sam +10\.5\.0\.2 .* 1\.2 MB +0 B .* User-Request$/m);
});

test.each([
  ["--nas coer", "there is no NAS coer; see: gatehouse nas list"],
  ["--user smith", "there is no subscriber with the username smith; see: gatehouse subscriber list"],
])("a misspelt name is not taken for nobody online: %s", async (argv, message) => {
  using cli = await withSessions();
  const outcome = { code: 1, stdout: "", stderr: `gatehouse: ${message}\n` };
  expect(await cli.run(`sessions list ${argv}`)).toEqual(outcome);
  expect(await cli.json(`sessions list ${argv}`)).toEqual([]);
});

test("a card is named by its number, in lists and to end its sessions", async () => {
  using cli = await withSessions();
  const db = openStore(cli.data, { now });
  const card = makeCard(db, {}, now);
  const session = { nasId: 1, nasAddress: "10.0.0.1", cardId: card.id, username: cardNumber(card.id) };
  db.insert(sessions)
    .values({ ...session, acctSessionId: "h", startedAt: now, updatedAt: now })
    .run();
  db.$client.close();
  for (const who of [cardNumber(card.id), `c${card.id}`])
    expect(await cli.json(`sessions list --user ${who}`)).toMatchObject([
      { session_id: "h", username: cardNumber(card.id), user_id: null, name: null },
    ]);
  expect((await cli.run("sessions list")).stdout).toMatch(/^C-000001 /m);
  const ended = await cli.run(`sessions end ${cardNumber(card.id)} --books-only`);
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  // nobody is online by it, and it is no misspelt name
  expect(await cli.run("sessions list --user C-000001")).toMatchObject({ code: 0, stderr: "" });
  expect(await cli.run("sessions list --user C-000002")).toMatchObject({ code: 1 });
});

test("sessions who: now, at a time, and for IPv6", async () => {
  using cli = await withSessions();
  expect(await cli.json("sessions who 10.5.0.3")).toMatchObject([
    { username: "sam", name: "sam", session_id: "b" },
  ]);
  expect(await cli.json("sessions who 2001:db8:5:7::1")).toMatchObject([{ session_id: "b" }]);
  expect(await cli.json("sessions who 2001:db8:5::/56")).toMatchObject([{ session_id: "b" }]);
  expect(await cli.json("sessions who 2001:db8:5:7::/64")).toMatchObject([{ session_id: "b" }]);
  expect(await cli.json("sessions who 2001:db8:5::/48")).toEqual([]);
  expect(await cli.json("sessions who 10.5.0.2")).toEqual([]);
  const at = formatTime(now - 5000).replace(" ", "T");
  expect((await cli.run(`sessions who 10.5.0.2 --at ${at}`)).stdout).toMatch(
    /sam +sam +02:00:00:00:00:01 +core/,
  );
  expect(await cli.run("sessions who 10.5.0.2")).toMatchObject({
    code: 1,
    stderr: "gatehouse: no session on record had 10.5.0.2 at that time\n",
  });
});

test.each([
  ["sessions who 10.5.0", '"10.5.0" is no IP address'],
  ["sessions who 10.5.0.2 --at yesterday", "--at is yesterday; it must be a time such as"],
  ["sessions list --mac 1", "--mac is 1; it must be a MAC address"],
  ["sessions list --limit 0", "--limit is 0; it must be a whole number from 1"],
])("%s is refused", async (argv, message) => {
  using cli = await withSessions();
  const { code, stderr } = await cli.run(argv);
  expect(code).toBe(1);
  expect(stderr).toContain(message);
});

test("why says where a subscriber stands, what was decided, and what it points to", async () => {
  using cli = await withSessions();
  const { code, stdout } = await cli.run("why SAM");
  expect(code).toBe(0);
  const [state, finding, heading, decision] = stdout.split("\n");
  expect(state).toMatch(/^sam is inactive, and online since .* on core with 10\.5\.0\.3$/);
  expect(finding).toStartWith("! 1 of the last 1 passwords from the router core (10.0.0.1) are no text");
  expect(heading).toMatch(/^AT +ROUTER +MAC +DECISION$/);
  expect(decision).toMatch(/core +- +rejected: wrong password$/);
  expect(await cli.json("why sam")).toMatchObject({
    username: "sam",
    decisions: [{ reason: "wrong_password" }],
  });
  const nobody = await cli.run("why nobody");
  expect(nobody.stdout).toStartWith("! there is no subscriber with the username nobody\n");
});

test("no name that a router sends reaches the protocols of the terminal, in words or in JSON", async () => {
  using cli = await withSessions();
  const name = "\u001b[2J\u009b31m\u202e\u2028x";
  const db = openStore(cli.data, { now });
  db.$client.run("UPDATE sessions SET username = ?, terminate_cause = ?", [name, name]);
  db.$client.close();
  const commands = ["sessions list --all", "sessions list --all --json", `why ${name}`, `why ${name} --json`];
  for (const command of [...commands, `subscriber show ${name}`]) {
    const { stdout, stderr } = await cli.run(command);
    expect(stdout + stderr).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\u2028]/u);
  }
  expect(await cli.json(`why ${name}`)).toMatchObject({ username: name });
});
