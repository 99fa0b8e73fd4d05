import { expect, test } from "bun:test";
import { openStore } from "../../db/open.ts";
import { recordDecisions } from "../../src/domain/service/access/auth-log.ts";
import { formatTime, systemClock } from "../../src/domain/core/time/time.ts";
import { CommandLine, smallIsp } from "./harness.ts";

const now = systemClock();

async function withLogins(): Promise<CommandLine> {
  const cli = new CommandLine();
  await cli.import(smallIsp());
  const db = openStore(cli.data, { now });
  const login = { nasId: 1, nasAddress: "10.0.0.1", class: null };
  recordDecisions(db, [
    { ...login, at: now - 60, username: "sam", subscriberId: 1, accepted: true, reason: "accepted" },
    { ...login, at: now, username: "x", accepted: false, reason: "unknown_user", mac: "02:00:00:00:00:01" },
  ]);
  db.$client.close();
  return cli;
}

test("logins prints what was decided and why, the newest first", async () => {
  using cli = await withLogins();
  const { code, stdout } = await cli.run("logins");
  expect(code).toBe(0);
  const lines = stdout.split("\n").map((line) => line.replace(/ +/g, " ").trim());
  expect(lines).toEqual([
    "AT NAME ROUTER MAC DECISION",
    `${formatTime(now)} x core 02:00:00:00:00:01 rejected: there is no subscriber with this username, and no card with this code`,
    `${formatTime(now - 60)} sam core - accepted`,
    "",
    "2 logins",
    "",
  ]);
});

test.each([
  ["--user sam", ["sam"]],
  ["--name x", ["x"]],
  ["--rejected", ["x"]],
  ["--accepted", ["sam"]],
  ["--reason unknown_user --nas core", ["x"]],
  ["--mac 020000000001", ["x"]],
  [`--from 2020-01-01 --limit 1`, ["x"]],
  ["--until 2020-01-01", []],
])("%s", async (options, expected) => {
  using cli = await withLogins();
  const { stdout } = await cli.run(`logins --json ${options}`);
  expect(JSON.parse(stdout).map(({ username }: { username: string }) => username)).toEqual(expected);
});

test.each([
  ["--user nobody", "there is no subscriber with the username nobody"],
  ["--nas nowhere", "nowhere"],
  ["--reason late", "--reason is late; it must be one of accepted, "],
  ["--accepted --rejected", "exclude each other"],
])("%s is refused", async (options, message) => {
  using cli = await withLogins();
  const { code, stderr } = await cli.run(`logins ${options}`);
  expect(code).toBe(1);
  expect(stderr).toContain(message);
});
