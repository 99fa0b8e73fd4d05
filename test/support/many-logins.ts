import { type Db, openReader } from "../../db/open.ts";
import type { AccessEvent } from "../../src/radius/auth/access.ts";
import type { NamedAttribute } from "../../src/radius/packet/codec.ts";
import { AccessHandler } from "../../src/radius/server/access-handler.ts";
import { Counters } from "../../src/radius/server/counters.ts";
import { NAS_SECRET } from "./isp.ts";
import { RadiusClient } from "./radius-client.ts";
import type { AccessRequest } from "./radius-credentials.ts";
import type { TemporaryStore } from "./store.ts";

/** Makes a router's packets. */
export const client = new RadiusClient({ host: "127.0.0.1", port: 1, acctPort: 2, secret: NAS_SECRET });
const source = { address: "127.0.0.1", port: 40_000, localAddress: "127.0.0.1" };
export const macOf = (nth: number) => `02:00:00:00:00:0${nth}`;

/** A store whose logins are answered as on a server. */
export class Answering {
  readonly db: Db;
  readonly decided: AccessEvent[] = [];
  readonly #reader: Db;
  readonly #handler: AccessHandler;

  constructor({ db, folder }: TemporaryStore, clock: () => number) {
    this.db = db;
    this.#reader = openReader(folder);
    const ignored = () => {};
    this.#handler = new AccessHandler(this.#reader, {
      clock,
      counters: new Counters(),
      events: {
        dropped: ignored,
        authenticatorSeen: ignored,
        guessing: ignored,
        batchLost: ignored,
        decided: (event) => this.decided.push(event),
      },
    });
  }

  /** The reply without what is random, its reason, and the Class. */
  ask(prepared: ReturnType<typeof client.prepareAccess>, uptime: number) {
    const bytes = this.#handler.answer(prepared.datagram, source, uptime);
    const reply = bytes && client.judge(bytes, prepared);
    const event = this.decided.at(-1);
    const { Class: classes, ...attributes } = reply?.attributes ?? {};
    const outcome = Object.entries(attributes).filter(([name]) => !/MS-|Message-Auth/.test(name));
    const { reason, subscriberId, cardId, isCardUse, username, mac } = event ?? {};
    return {
      class: (classes?.[0] as Buffer | undefined) ?? null,
      told: [
        reply?.code,
        reply?.faults,
        Object.fromEntries(outcome),
        { reason, subscriberId, cardId, isCardUse, username, mac },
      ],
    };
  }

  close(): void {
    this.#reader.$client.close();
  }
}

const redback = (type: 96 | 97, value: string): NamedAttribute => [
  `Attr-26.2352.${type}`,
  Buffer.from(value),
];

const ppp = (nth: number): NamedAttribute[] => [
  ["Service-Type", "Framed-User"],
  ["Framed-Protocol", "PPP"],
  ["Calling-Station-Id", macOf(nth)],
  ["NAS-Port-Id", `port ${nth}`],
];
const hotspot = (nth: number): NamedAttribute[] => [
  ["NAS-Port-Type", "Wireless-802.11"],
  ["Calling-Station-Id", macOf(nth)],
];
const lease = (nth: number, more: NamedAttribute[] = []): AccessRequest => ({
  name: macOf(nth).toUpperCase(),
  password: "",
  attributes: [
    ["NAS-Port-Type", "Ethernet"],
    ["Calling-Station-Id", `1:${macOf(nth)}`],
    ["Called-Station-Id", "dhcp-homes"],
    ...more,
  ],
});

/** Every way in which somebody comes in. */
export const logins: readonly ((codes: readonly string[]) => AccessRequest)[] = [
  ...(["pap", "chap", "mschap", "mschapv2"] as const).flatMap((method) =>
    [1, 2, 3, 4, 5].map((nth) => () => ({
      name: `user${nth}`,
      password: `pw-${nth}`,
      method,
      attributes: ppp(nth),
    })),
  ),
  ...[1, 2, 6].map((nth) => () => ({ name: `user${nth}`, password: "wrong", attributes: ppp(nth) })),
  ...[3, 4].map((nth) => () => ({ name: `user${nth}`, password: `pw-${nth}`, attributes: hotspot(9) })),
  ...[3, 4, 5].map((nth) => () => lease(nth)),
  () => lease(8, [redback(97, "port 1"), redback(96, "olt-3")]),
  () => lease(8, [redback(97, "port 2"), redback(96, "olt-3")]),
  () => lease(8, [redback(96, "olt-4")]),
  () => ({
    name: "0x000300010200000000001",
    password: "",
    attributes: [
      ["NAS-Port-Type", "Ethernet"],
      ["Calling-Station-Id", "0x00030001020000000001"],
      ["Called-Station-Id", "<pppoe-user1>"],
    ],
  }),
  ...[0, 1, 2, 3].map((nth) => (codes: readonly string[]) => ({
    name: codes[nth] ?? "",
    password: nth % 2 ? (codes[nth] ?? "") : "",
    attributes: hotspot(nth),
  })),
  () => ({ name: macOf(5).replaceAll(":", "-"), password: macOf(5), attributes: hotspot(5) }),
];

/** Changes that staff make. */
export const changes = [
  "UPDATE subscribers SET mac_login = 1 - mac_login WHERE id = 5",
  "UPDATE subscribers SET mac_lock = 1 - mac_lock WHERE id = 2",
  "UPDATE subscribers SET circuit_id = iif(circuit_id = 'port 1', 'port 2', 'port 1') WHERE id = 3",
  "UPDATE subscribers SET remote_id = iif(remote_id IS NULL, 'olt-3', NULL) WHERE id = 3",
  "UPDATE subscribers SET circuit_id = NULL, remote_id = 'olt-4' WHERE id = 4",
  "UPDATE subscribers SET status = 1 - status WHERE id = 1",
  "UPDATE subscribers SET any_connection = 1 - any_connection WHERE id = 4",
  "UPDATE subscribers SET connection_type_id = 3 - connection_type_id WHERE id = 3 AND connection_type_id IN (1, 2)",
  "UPDATE subscribers SET static_ip = iif(static_ip IS NULL, '10.9.0.1', NULL) WHERE id = 1",
  "UPDATE subscribers SET pool_ip = iif(pool_ip IS NULL, '10.20.0.8', NULL) WHERE id = 1",
  "UPDATE subscribers SET pool_prefix = iif(pool_prefix IS NULL, '2001:db8:9::/56', NULL) WHERE id = 1",
  "UPDATE subscribers SET framed_ipv6_prefix = '2001:db8:5::/64' WHERE id = 2",
  "UPDATE subscribers SET reply_attributes = iif(reply_attributes IS NULL, 'Filter-Id=own', NULL) WHERE id = 2",
  "UPDATE services SET reply_attributes = 'Filter-Id=all' WHERE subscriber_id = 4",
  "UPDATE services SET frozen_at = iif(frozen_at IS NULL, 5, NULL) WHERE subscriber_id = 2",
  "UPDATE services SET expires_at = 1000 WHERE subscriber_id = 4",
  "UPDATE services SET expired_pool = 'garden', expired_address_list = 'expired' WHERE subscriber_id IN (4, 5)",
  "UPDATE services SET simultaneous_use = 3 - simultaneous_use WHERE subscriber_id = 1 AND simultaneous_use < 3",
  "UPDATE services SET quota_exceeded = '64k' WHERE subscriber_id = 2",
  "UPDATE services SET extra_bytes = extra_bytes + 900, rolling_bytes = rolling_bytes + 900, quota_total = quota_total + iif(quota_total > 0, 900, 0) WHERE subscriber_id IN (2, 3, 4)",
  "UPDATE services SET tiers = NULL WHERE subscriber_id = 4",
  "UPDATE services SET hours = NULL WHERE subscriber_id = 3",
  "UPDATE services SET idle_timeout = 300, framed_pool = 'p', framed_ipv6_pool = 'v6', address_list = 'paid' WHERE subscriber_id = 1",
  "UPDATE nas SET kind = iif(kind = 'mikrotik', 'cisco', 'mikrotik') WHERE id = 1",
  "UPDATE nas SET dhcp = 1 - dhcp WHERE id = 1",
  "UPDATE nas SET mppe = 'required' WHERE id = 1",
  "INSERT INTO settings (isp_id, key, value) VALUES (0, 'dhcp_lease', '600') ON CONFLICT DO UPDATE SET value = '900'",
  "INSERT INTO settings (isp_id, key, value) VALUES (0, 'expired_session_timeout', '120') ON CONFLICT DO NOTHING",
  "UPDATE cards SET state = 'void' WHERE id = 1",
  "UPDATE cards SET locked_mac = NULL WHERE id = 2",
  "UPDATE card_batches SET rate_limit = '2M/2M', address_list = 'cards' WHERE id = 1",
  "UPDATE card_batches SET simultaneous_use = 2 WHERE id = 2",
];
