import { afterAll, expect, test } from "bun:test";
import { aPackage, aSubscriber, NAS_SECRET } from "../support/isp.ts";
import { radclient } from "../support/peers.ts";
import type { AccessRequest } from "../support/radius-credentials.ts";
import { startTestRadius } from "../support/radius-server.ts";

// DHCP servers over real datagrams, with the attributes that RouterOS sends, by a program that others wrote.

const secret = NAS_SECRET;
const signed = "Message-Authenticator = 0x00";
const router = `Called-Station-Id = "dhcp-homes", NAS-Identifier = "tower", NAS-IP-Address = 127.0.0.1, ${signed}`;
const radius = await startTestRadius({
  nas: [
    { id: 1, isp_id: 1, name: "homes", address: "127.0.0.1", secret, dhcp: true },
    { id: 2, isp_id: 1, name: "offices", address: "127.0.0.2", secret },
  ],
  address_pools: [
    { id: 1, isp_id: 1, name: "homes", range: "10.20.0.2-10.20.0.9" },
    { id: 2, isp_id: 1, name: "prefixes", range: "2001:db8:100::/40", length: 56 },
  ],
  packages: [aPackage(2, { address_pool: "homes", delegated_ipv6_from: "prefixes" })],
  subscribers: [
    aSubscriber(1, { mac_address: "9C:D6:43:6C:A6:01", mac_login: 1, package_id: 2 }),
    aSubscriber(2, { circuit_id: "0x000400640001", remote_id: "olt-3", package_id: 2 }),
    aSubscriber(3, { package_id: 2 }),
  ],
});
afterAll(() => radius[Symbol.asyncDispose]());

/** With `radius-password=same-as-user`, for radclient leaves out a password that is empty. */
const ask = async (name: string, station: string, more: readonly string[] = []) => {
  const attributes = [
    `NAS-Port-Type = Ethernet, NAS-Port = 2195718190, User-Name = "${name}", User-Password = "${name}"`,
    `Calling-Station-Id = "${station}"`,
    ...more,
    router,
  ].join(", ");
  return (await radclient(radius.server.auth.port, "auth", attributes, { secret })).output;
};
const account = async (attributes: string) =>
  (await radclient(radius.server.acct.port, "acct", attributes, { secret })).output;
const classOf = (text: string) => /Class = (0x[0-9a-f]+)/.exec(text)?.[1] ?? "";
const sessions = (holder: number) =>
  radius.db.$client
    .query<Record<string, unknown>, [number]>(
      `SELECT username, framed_ip AS ip, delegated_ipv6_prefix AS prefix, input_octets AS up FROM sessions WHERE subscriber_id = ?`,
    )
    .all(holder);

test("a lease by the device: its address of the pool, its rate, and its bytes are the subscriber's", async () => {
  const name = "9C:D6:43:6C:A6:01";
  const text = await ask(name, "1:9c:d6:43:6c:a6:1");
  expect(text).toContain("Received Access-Accept");
  expect(text).toContain("Framed-IP-Address = 10.20.0.2");
  expect(text).toContain("Session-Timeout = 1800");
  expect(text).toContain('Mikrotik-Rate-Limit = "10M/20M"');
  const session = `User-Name = "${name}", Acct-Session-Id = "83a00001", Calling-Station-Id = "1:9c:d6:43:6c:a6:1", NAS-Port-Type = Ethernet, Framed-IP-Address = 10.20.0.2, Class = ${classOf(text)}`;
  await account(`Acct-Status-Type = Start, ${session}`);
  await account(
    `Acct-Status-Type = Interim-Update, ${session}, Acct-Session-Time = 60, Acct-Input-Octets = 700, Acct-Output-Octets = 5`,
  );
  // and the prefix, which is no second session
  const six = await ask("0x000300019cd6436ca601", "0x000300019cd6436ca601");
  expect(six).toContain("Received Access-Accept");
  expect(six).toContain("Delegated-IPv6-Prefix = 2001:db8:100::/56");
  expect(six).not.toContain("Framed-IP-Address");
  await account(
    `Acct-Status-Type = Start, User-Name = "0x000300019cd6436ca601", Acct-Session-Id = "83a00002", Class = ${classOf(six)}`,
  );
  expect(sessions(1)).toEqual([{ username: name, ip: "10.20.0.2", prefix: "2001:db8:100::/56", up: 700 }]);
});

test("a lease by option 82, whose device nobody knows, and the same device on another port is nobody", async () => {
  const [name, station] = ["02:00:00:00:00:07", "1:2:0:0:0:0:7"];
  const line = (circuit: string) => [`Agent-Circuit-Id = ${circuit}`, 'Agent-Remote-Id = "olt-3"'];
  const text = await ask(name, station, line("0x000400640001"));
  expect(text).toContain("Framed-IP-Address = 10.20.0.3");
  await account(
    `Acct-Status-Type = Start, User-Name = "${name}", Acct-Session-Id = "83a00003", Calling-Station-Id = "${station}", Class = ${classOf(text)}`,
  );
  expect(sessions(2)).toMatchObject([{ username: name, prefix: "2001:db8:100:100::/56" }]);
  expect(await ask(name, station, line("0x000400640002"))).toContain("Received Access-Reject");
  expect(await ask(name, station)).toContain("Received Access-Reject");
});

test("DHCPv6 on the interface of a session that dialled in", async () => {
  const dial = `User-Name = user3, User-Password = pw-3, Service-Type = Framed-User, Framed-Protocol = PPP, NAS-Port-Type = Ethernet, Calling-Station-Id = "9C:D6:43:6C:A6:03", ${signed}`;
  const { output: text } = await radclient(radius.server.auth.port, "auth", dial, { secret });
  expect(text).toContain("Framed-IP-Address = 10.20.0.4");
  await account(
    `Acct-Status-Type = Start, User-Name = user3, Acct-Session-Id = "81a00004", Service-Type = Framed-User, Framed-Protocol = PPP, Calling-Station-Id = "9C:D6:43:6C:A6:03", Class = ${classOf(text)}`,
  );
  const six = await ask("0x000300019cd6436ca603", "0x000300019cd6436ca603");
  expect(six).toContain("Delegated-IPv6-Prefix = 2001:db8:100:200::/56");
  expect(six).toContain('Mikrotik-Rate-Limit = "10M/20M"');
  expect(sessions(3)).toMatchObject([{ username: "user3", prefix: "2001:db8:100:200::/56" }]);
});

test("without a password: from a router whose DHCP servers may ask, and from no other", async () => {
  const request: AccessRequest = {
    name: "9C:D6:43:6C:A6:01",
    password: "",
    attributes: [
      ["NAS-Port-Type", "Ethernet"],
      ["Calling-Station-Id", "1:9c:d6:43:6c:a6:1"],
      ["NAS-Identifier", "tower"],
    ],
  };
  expect((await radius.client().access(request))?.code).toBe("Access-Accept");
  expect((await radius.client({ localAddress: "127.0.0.2" }).access(request))?.code).toBe("Access-Reject");
});
