import { afterAll, describe, expect, test } from "bun:test";

import { verifyResponse } from "../../src/radius/packet/authenticator.ts";
import { encodeAttribute } from "../../src/radius/packet/codec.ts";
import { Code, codeName } from "../../src/radius/packet/numbers.ts";
import { parsePacket } from "../../src/radius/packet/packet.ts";
import { PacketWriter } from "../../src/radius/packet/writer.ts";
import { startFreeRadius } from "../support/freeradius.ts";
import { RadiusClient } from "../support/radius-client.ts";

// The client judges our server in other tests; here FreeRADIUS judges the client.

const SECRET = "s3cret é";
const LONG = "seventeen bytes !, and more than three whole blocks of them";
const USERS = `
bob Cleartext-Password := "bob"
	Message-Authenticator := 0x00,
	Reply-Message = "hello",
	Mikrotik-Rate-Limit = "5M/10M",
	Framed-IP-Address = 10.1.2.3

BIGCO\\bob Cleartext-Password := "bob"
	Message-Authenticator := 0x00

long Cleartext-Password := "${LONG}"
	Message-Authenticator := 0x00

accented Cleartext-Password := "ñandú€"
	Message-Authenticator := 0x00

DEFAULT Auth-Type := Reject
	Message-Authenticator := 0x00
`;

const server = await startFreeRadius(USERS, SECRET);
const client = new RadiusClient({ ...server, host: "127.0.0.1", secret: SECRET });

afterAll(async () => {
  await client.close();
  await server.stop();
});

const METHODS = ["pap", "chap", "mschap", "mschapv2"] as const;

describe.each(METHODS)("%s", (method) => {
  test.each([
    ["bob", "bob"],
    ["BIGCO\\bob", "bob"],
    ["long", LONG],
    ["accented", "ñandú€"],
  ])("%s is accepted, and every proof of the reply holds", async (name, password) => {
    const reply = await client.access({ name, password, method });
    expect(reply).toMatchObject({ code: "Access-Accept", faults: [] });
  });

  test("a wrong password is rejected", async () => {
    const reply = await client.access({ name: "bob", password: "bo", method });
    expect(reply).toMatchObject({ code: "Access-Reject", faults: [] });
  });

  test("a request without Message-Authenticator is accepted too", async () => {
    const reply = await client.access({ name: "bob", password: "bob", method, messageAuthenticator: false });
    expect(reply).toMatchObject({ code: "Access-Accept", faults: [] });
  });
});

test("CHAP with the Request Authenticator as challenge is accepted", async () => {
  const reply = await client.access({
    name: "bob",
    password: "bob",
    method: "chap",
    chapByAuthenticator: true,
  });
  expect(reply).toMatchObject({ code: "Access-Accept", faults: [] });
});

test("attributes of the reply stand by their names", async () => {
  const reply = await client.access({ name: "bob", password: "bob" });
  expect(reply?.attributes).toMatchObject({
    "Reply-Message": ["hello"],
    "Mikrotik-Rate-Limit": ["5M/10M"],
    "Framed-IP-Address": ["10.1.2.3"],
  });
});

test("attributes of the request arrive under their names, and Proxy-State comes back", async () => {
  const reply = await client.access({
    name: "bob",
    password: "bob",
    attributes: [
      ["NAS-Port-Type", "Ethernet"],
      ["Calling-Station-Id", "00:50:56:25:8B:97"],
      ["Mikrotik-Host-IP", "10.5.50.2"],
      ["WISPr-Logoff-URL", "http://10.5.50.1/logout"],
      ["Delegated-IPv6-Prefix", "2001:db8:1::/56"],
      ["Proxy-State", Buffer.from("one")],
      ["Proxy-State", Buffer.from("two")],
    ],
  });
  expect(reply?.faults).toEqual([]);
  for (const line of [
    "NAS-Port-Type = Ethernet",
    'Calling-Station-Id = "00:50:56:25:8B:97"',
    "Mikrotik-Host-IP = 10.5.50.2",
    'WISPr-Logoff-URL = "http://10.5.50.1/logout"',
    "Delegated-IPv6-Prefix = 2001:db8:1::/56",
  ]) {
    expect(await server.logged(line)).toBe(true);
  }
});

test("accounting is acknowledged, with a Message-Authenticator or without", async () => {
  const start = await client.accounting("Start", [
    ["User-Name", "bob"],
    ["Acct-Session-Id", "81000001"],
    ["Acct-Input-Octets", 4294967295],
  ]);
  expect(start).toMatchObject({ code: "Accounting-Response", faults: [] });
  const stop = client.prepareAccounting("Stop", [["User-Name", "bob"]], { messageAuthenticator: true });
  expect(await client.exchange(stop)).toMatchObject({ code: "Accounting-Response", faults: [] });
});

test("Status-Server is answered on both ports", async () => {
  expect(await client.status("auth")).toMatchObject({ code: "Access-Accept", faults: [] });
  expect(await client.status("acct")).toMatchObject({ code: "Accounting-Response", faults: [] });
});

test("another secret: PAP is rejected under a Response Authenticator that we cannot verify, else there is silence", async () => {
  const stranger = new RadiusClient({ ...server, host: "127.0.0.1", secret: "other" });
  const reply = await stranger.access({ name: "bob", password: "bob", messageAuthenticator: false });
  expect(reply?.code).toBe("Access-Reject");
  expect(reply?.faults).toContain("Response Authenticator");
  expect(await stranger.access({ name: "bob", password: "bob" }, 300)).toBeNull();
  expect(await stranger.accounting("Start", [["User-Name", "bob"]], 300)).toBeNull();
  await stranger.close();
});

test.each([
  [Code["Disconnect-Request"], false, "Disconnect-ACK"],
  [Code["Disconnect-Request"], true, "Disconnect-ACK"],
  [Code["CoA-Request"], false, "CoA-ACK"],
  [Code["CoA-Request"], true, "CoA-ACK"],
])(
  "our request of code %d, Message-Authenticator %p, is answered by %s",
  async (code, messageAuthenticator, answer) => {
    const secret = Buffer.from(SECRET);
    const request = PacketWriter.request(code, 77, { messageAuthenticator })
      .raw([encodeAttribute("User-Name", "bob"), encodeAttribute("Acct-Session-Id", "81000001")])
      .sign(secret);
    const router = new RadiusClient({ ...server, host: "127.0.0.1", port: server.coaPort, secret: SECRET });
    const datagram = await router.raw("auth", request);
    await router.close();
    const reply = parsePacket(datagram ?? Buffer.alloc(0));
    if (typeof reply === "string") throw new Error(reply);
    expect(codeName(reply.code)).toBe(answer);
    expect(verifyResponse(reply, request, secret, { requireMessageAuthenticator: false })).toBe("ok");
  },
);
