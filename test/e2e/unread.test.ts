import { beforeAll, expect, test } from "bun:test";
import { type Addresses, Appliance, radiusAt } from "../support/appliance.ts";
import { aPackage, aSubscriber } from "../support/isp.ts";
import { RadiusClient } from "../support/radius-client.ts";

/** What a shell says of a program that SIGPIPE ended. */
const SIGPIPE = 128 + 13;

const appliance = new Appliance();
beforeAll(async () => {
  const subscribers = Array.from({ length: 1000 }, (_, i) => aSubscriber(i + 1)); // more than a pipe holds
  const packages = [aPackage(1)];
  const staff = [{ id: 1, isp_id: 1, name: "Adán", username: "ada", password: "secret-1", profile_type: 1 }];
  const nas = [{ id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: "testing123" }];
  const dataSet = { isps: [{ id: 1, name: "Northlink" }], staff, nas, packages, subscribers };
  await appliance.load(dataSet);
  return () => appliance[Symbol.asyncDispose]();
});

/** A command under bash, where `$GATEHOUSE` is the program. */
async function bash(script: string) {
  const child = Bun.spawn(["bash", "-c", script], { ...place(), stderr: "pipe" });
  const [code, stderr] = await Promise.all([child.exited, child.stderr.text()]);
  return { code, stderr };
}

test.each(["subscriber list", "subscriber list --json"])(
  "%s into a reader who has read enough ends without a word",
  async (argv) => {
    const outcome = await bash(`set -o pipefail; "$GATEHOUSE" ${argv} | head -c 100 >/dev/null`);
    expect(outcome).toEqual({ code: SIGPIPE, stderr: "" });
  },
);

test("export into a reader who has read enough says what it holds and no more", async () => {
  const whole = await bash(`"$GATEHOUSE" export >/dev/null`);
  expect(whole).toMatchObject({ code: 0, stderr: expect.stringContaining("not in it: ledger") });
  const outcome = await bash(`set -o pipefail; "$GATEHOUSE" export | head -c 100 >/dev/null`);
  expect(outcome).toEqual({ code: SIGPIPE, stderr: whole.stderr });
});

test.each(["subscriber list", "nas list", "settings list", "check", "version", "--help", "nas add --help"])(
  "%s into a reader who has left ends without a word",
  async (argv) => {
    const outcome = await bash(`exec {gone}> >(true); wait $!; "$GATEHOUSE" ${argv} >&$gone`);
    expect(outcome).toEqual({ code: SIGPIPE, stderr: "" });
  },
);

test("a command whose messages nobody reads does its work all the same", async () => {
  const outcome = await bash(`exec {gone}> >(true); wait $!; "$GATEHOUSE" settings get nothing 2>&$gone`);
  expect(outcome).toEqual({ code: 1, stderr: "" });
});

test.each(["subscriber list", "staff list", "version --licenses"])(
  "%s onto a full disk is a failure, in words",
  async (argv) => {
    const stderr =
      "gatehouse: what was printed did not arrive whole: the disk of standard output is full; make room and try again\n";
    expect(await bash(`"$GATEHOUSE" ${argv} >/dev/full`)).toEqual({ code: 1, stderr });
  },
);

test("the server outlives the reader of its log", async () => {
  const child = Bun.spawn(["bash", "-c", `exec "$GATEHOUSE" serve > >(grep --max-count=1 '"ready"')`], {
    ...place(),
    stderr: "pipe",
  });
  const ready: Addresses = JSON.parse(await child.stdout.text()); // the log has no reader any more
  const stranger = new RadiusClient({ ...radiusAt(ready), secret: "not the router's", timeout: 200 });
  for (let i = 0; i < 3; i++) expect(await stranger.accounting("Start", [])).toBeNull(); // each is logged
  await stranger.close();
  expect((await fetch(`http://${ready.http}/healthz`)).status).toBe(200);
  child.kill("SIGTERM");
  expect([await child.exited, await child.stderr.text()]).toEqual([0, ""]);
});

/** Where the program finds the store, under bash. */
function place() {
  const [program = ""] = appliance.command;
  return {
    cwd: appliance.folder,
    env: {
      PATH: process.env["PATH"] ?? "",
      GATEHOUSE: program,
      GATEHOUSE_HTTP_LISTEN: "127.0.0.1:0",
      GATEHOUSE_RADIUS_AUTH_LISTEN: "127.0.0.1:0",
      GATEHOUSE_RADIUS_ACCT_LISTEN: "127.0.0.1:0",
    },
  };
}
