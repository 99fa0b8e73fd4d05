import { afterAll, beforeAll, expect, test } from "bun:test";
import type { CoaNas } from "../../../src/domain/service/control/routers.ts";
import { CoaClient } from "../../../src/radius/client/coa.ts";
import { coaRequests } from "../../../src/radius/client/coa-requests.ts";
import { canRunHostapd, type Hostapd, startHostapd } from "../../support/hostapd.ts";
import { aSession } from "../../support/sessions.ts";

// hostapd as the server side of RFC 5176: it requires Event-Timestamp, and knows no Framed-IP-Address.

const SECRET = "testing123";
const client = new CoaClient();
const requests = coaRequests(client);
let hostapd: Hostapd | undefined;

beforeAll(async () => {
  if (canRunHostapd) hostapd = await startHostapd(SECRET);
  else process.stderr.write("hostapd is NOT TRIED HERE: only root can make the interface that it guards\n");
});
afterAll(async () => {
  client.close();
  await hostapd?.stop();
});

const router = (values: Partial<CoaNas>): CoaNas => ({
  name: "switch",
  kind: "mikrotik",
  address: "127.0.0.1",
  localAddress: "127.0.0.1",
  port: hostapd?.dasPort ?? 0,
  secret: Buffer.from(SECRET),
  wait: 10,
  messageAuthenticator: false,
  eventTimestamp: true,
  ...values,
});
const session = aSession({ username: "sam", framedIp: "10.0.0.7", nasIp: "192.0.2.1" });

test.skipIf(!canRunHostapd)("it finds by session id and name alone that a session is gone", async () => {
  expect(await requests.disconnect(router({}), session)).toEqual({ kind: "gone" });
});

test.skipIf(!canRunHostapd)("a request that does not say when it was made gets no answer", async () => {
  expect(await requests.disconnect(router({ wait: 1, eventTimestamp: false }), session)).toMatchObject({
    isSilent: true,
  });
});
