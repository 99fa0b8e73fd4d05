import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startFreeRadiusTlsProxy } from "../support/freeradius.ts";
import { aSubscriber } from "../support/isp.ts";
import { RadiusClient } from "../support/radius-client.ts";
import { radclient } from "../support/radclient.ts";
import { eventually, startTestRadius, type TestRadius } from "../support/radius-server.ts";
import { certifiedRouter, type RouterFiles, writeFiles } from "../support/radsec-client.ts";
import { startRadsecproxy } from "../support/radsecproxy.ts";

// RadSec as two programs of others speak it, which verify our certificate against the address that they dial.

const SECRET = "between-router-and-proxy";
let radius: TestRadius;
let files: RouterFiles;
let port: number;
let folder: string;

beforeAll(async () => {
  radius = await startTestRadius(
    {
      subscribers: [1, 2, 3, 4].map((id) =>
        aSubscriber(id, { current_expiration_date: "2030-01-01 00:00:00" }),
      ),
      nas: [{ id: 1, isp_id: 1, name: "core", address: "10.99.0.1", secret: "testing123" }],
    },
    { radsec: true },
  );
  files = await certifiedRouter(radius.db, 1);
  await eventually(() => radius.server.radsec() !== undefined);
  port = radius.server.radsec()?.endpoint.port ?? 0;
  folder = await mkdtemp(join(tmpdir(), "gatehouse-radsec-"));
});

afterAll(async () => {
  await radius[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const sessions = (id: string) =>
  radius.db.$client
    .query<{ nas: string; username: string; input: number; stopped: number }, [string]>(
      "SELECT nas_address AS nas, username, input_octets AS input, stopped_at IS NOT NULL AS stopped FROM sessions WHERE acct_session_id = ?",
    )
    .all(id);

test("radsecproxy in front of radclient: logins by all methods, and accounting", async () => {
  await using proxy = await startRadsecproxy({ port, files }, SECRET);
  const at = `127.0.0.1:${proxy.port}`;
  const accept = await radclient(at, "auth", SECRET, 'User-Name = "user1", User-Password = "pw-1"');
  expect(accept).toContain("Received Access-Accept");
  expect(accept).toContain('Mikrotik-Rate-Limit = "10M/20M"');
  const reject = await radclient(at, "auth", SECRET, 'User-Name = "user2", User-Password = "wrong"');
  expect(reject).toContain("Received Access-Reject");
  for (const [status, more] of [
    ["Start", ""],
    ["Stop", ", Acct-Session-Time = 60, Acct-Input-Octets = 1234, Acct-Output-Octets = 99"],
  ] as const) {
    const record = `Acct-Status-Type = ${status}, User-Name = "user2", Acct-Session-Id = "by-proxy"${more}`;
    // radsecproxy takes no Message-Authenticator of radclient in accounting
    const response = await radclient(at, "acct", SECRET, record, { isSigned: false });
    expect(response).toContain("Received Accounting-Response");
  }
  expect(sessions("by-proxy")).toEqual([{ nas: "10.99.0.1", username: "user2", input: 1234, stopped: 1 }]);
  // PAP, CHAP and MS-CHAPv2 with its keys, which are sealed under the secret of each hop
  const router = new RadiusClient({
    host: "127.0.0.1",
    port: proxy.port,
    acctPort: proxy.port,
    secret: SECRET,
  });
  for (const method of ["pap", "chap", "mschapv2"] as const) {
    const reply = await router.access({ name: "user3", password: "pw-3", method });
    expect([method, reply?.code, reply?.faults]).toEqual([method, "Access-Accept", []]);
  }
  await router.close();
});

test("FreeRADIUS's own TLS client: logins and accounting over one connection", async () => {
  const paths = await writeFiles(folder, files);
  const proxy = await startFreeRadiusTlsProxy({ port, ...paths }, SECRET);
  try {
    const accept = await radclient(
      `127.0.0.1:${proxy.port}`,
      "auth",
      SECRET,
      'User-Name = "user1", User-Password = "pw-1"',
    );
    expect(accept).toContain("Received Access-Accept");
    const start = await radclient(
      `127.0.0.1:${proxy.acctPort}`,
      "acct",
      SECRET,
      'Acct-Status-Type = Start, User-Name = "user4", Acct-Session-Id = "by-freeradius"',
    );
    expect(start).toContain("Received Accounting-Response");
    expect(sessions("by-freeradius")).toMatchObject([{ nas: "10.99.0.1", username: "user4" }]);
  } finally {
    await proxy.stop();
  }
});
