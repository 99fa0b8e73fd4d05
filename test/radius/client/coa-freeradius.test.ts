import { afterAll, expect, test } from "bun:test";
import type { CoaNas } from "../../../src/domain/service/control/routers.ts";
import type { Session } from "../../../src/domain/service/sessions/advance.ts";
import { CoaClient } from "../../../src/radius/client/coa.ts";
import { coaRequests } from "../../../src/radius/client/coa-requests.ts";
import { startFreeRadius } from "../../support/freeradius.ts";
import { aSession } from "../../support/sessions.ts";

// FreeRADIUS as the server side of RFC 5176.

const SECRET = "s3cret é";
const server = await startFreeRadius("", SECRET);
const client = new CoaClient();
const requests = coaRequests(client);

afterAll(async () => {
  client.close();
  await server.stop();
});

const router = (values: Partial<CoaNas> = {}): CoaNas => ({
  name: "core",
  kind: "mikrotik",
  address: "127.0.0.1",
  localAddress: "127.0.0.1",
  port: server.coaPort,
  secret: Buffer.from(SECRET),
  wait: 10,
  messageAuthenticator: false,
  eventTimestamp: false,
  ...values,
});
const session = (username: string): Session =>
  aSession({ username, framedIp: "10.0.0.7", nasIp: "192.0.2.1" });

test.each([false, true])("ACK and NAK, Message-Authenticator %p", async (messageAuthenticator) => {
  const nas = router({ messageAuthenticator });
  const where = `the router core (127.0.0.1 port ${server.coaPort})`;
  expect(await requests.disconnect(nas, session("sam"))).toEqual({ kind: "acknowledged" });
  expect(await requests.disconnect(nas, session("gone"))).toEqual({ kind: "gone" });
  expect(await requests.disconnect(nas, session("forbidden"))).toEqual({
    kind: "failed",
    reason: `${where} refused the Disconnect-Request: Error-Cause 501 Administratively-Prohibited: its configuration forbids it`,
  });
  expect(await requests.changeRate(nas, session("sam"), { rateLimit: "5M/10M" })).toEqual({
    kind: "acknowledged",
  });
  expect(await requests.changeRate(nas, session("gone"), { rateLimit: "5M/10M" })).toEqual({ kind: "gone" });
  expect(await requests.changeRate(nas, session("forbidden"), { rateLimit: "5M/10M" })).toMatchObject({
    kind: "failed",
    reason: expect.stringContaining("refused the CoA-Request: Error-Cause 501"),
  });
});

test("it reads from our requests what we wrote", async () => {
  await requests.changeRate(router(), session("ñandú"), { rateLimit: "5M/10M 6M/12M" });
  for (const line of [
    'User-Name = "ñandú"',
    'Acct-Session-Id = "81000001"',
    "Framed-IP-Address = 10.0.0.7",
    "NAS-IP-Address = 192.0.2.1",
    'Mikrotik-Rate-Limit = "5M/10M 6M/12M"',
  ])
    expect(await server.logged(line)).toBe(true);
});

test("another secret is silence", async () => {
  expect(
    await requests.disconnect(router({ wait: 1, secret: Buffer.from("other") }), session("sam")),
  ).toEqual({
    kind: "failed",
    reason: `the router core (127.0.0.1 port ${server.coaPort}) did not answer the Disconnect-Request within 1 s; let it answer with: /radius/incoming/set accept=yes port=${server.coaPort}`,
    isSilent: true,
  });
});
