import { expect } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { checkAddresses } from "../../../../src/domain/machine/check/addresses.ts";
import { checkMoney } from "../../../../src/domain/machine/check/money.ts";
import { aPackage, newSubscriber } from "../../../support/isp.ts";
import type { AccountingStatus } from "../../../support/radius-client.ts";
import { TestHandlers } from "../../../support/radius-handlers.ts";
import { NOW } from "../../../support/store.ts";

export const GB = 1e9;
/** More than the pool has addresses for. 3 has no money, and so may be archived. */
export const IDS = [1, 2, 3, 4];
const data = {
  address_pools: [
    { id: 1, isp_id: 1, name: "small", range: "10.9.0.1-10.9.0.2" },
    { id: 2, isp_id: 1, name: "six", range: "2001:db8::/54", length: 56 },
  ],
  packages: [
    aPackage(2, { data_quota_bytes: 10 * GB, address_pool: "small" }),
    aPackage(3, {
      tiers: "5GB 1M/1M",
      fair_window: "day",
      delegated_ipv6_from: "six",
      duration: 3,
      duration_unit: "day",
      price: "7.77",
    }),
    aPackage(4, {
      data_quota_bytes: 4 * GB,
      fair_window: "week",
      quota_exceeded: "1M/1M",
      price: "0.00",
      hours: "daily 22:00-06:00 free 50M/50M",
      address_pool: "small",
    }),
    aPackage(5, { data_quota_bytes: 4 * GB, billing_type: "postpaid", price: "30.00" }),
    aPackage(10, { name: "5 GB more", price: "3.00", top_up_bytes: 5 * GB }),
    aPackage(11, { name: "5 GB that stay", price: "4.00", top_up_bytes: 5 * GB, top_up_rolls: 1 }),
    aPackage(12, { name: "3 days", price: "2.00", top_up_days: 3 }),
  ],
  subscribers: IDS.map((id) => newSubscriber(id, { balance: id === 3 ? "0.00" : "500.00" })),
};

/** Who has a session open, and what its router has counted. */
interface Open {
  readonly id: string;
  readonly began: number;
  readonly class: Buffer;
  octets: number;
}

/** An ISP with its router. */
export class World implements AsyncDisposable {
  readonly handlers: TestHandlers;
  readonly #open = new Map<number, Open>();
  readonly #told = new Map<number, number>();
  #number = 0;

  private constructor(handlers: TestHandlers) {
    this.handlers = handlers;
  }

  static async open(): Promise<World> {
    return new World(await TestHandlers.open(data));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.handlers[Symbol.asyncDispose]();
  }

  set now(now: number) {
    Object.assign(this.handlers.clock, { now, uptime: now - NOW + 1000 });
  }

  /** A report of a session, which begins with a login where there is none. */
  async use(subscriberId: number, octets: number): Promise<void> {
    const open = this.#open.get(subscriberId) ?? (await this.#begin(subscriberId));
    if (!open) return;
    open.octets += octets;
    this.#told.set(subscriberId, (this.#told.get(subscriberId) ?? 0) + octets);
    await this.#send(subscriberId, open, "Interim-Update");
  }

  async stop(subscriberId: number): Promise<void> {
    const open = this.#open.get(subscriberId);
    this.#open.delete(subscriberId);
    if (open) await this.#send(subscriberId, open, "Stop");
  }

  /** What is not as it has to be, whatever was done. */
  judge({ now }: { now: number }): void {
    const { db } = this.handlers;
    const found = [...checkMoney(db), ...checkAddresses(db)];
    expect(found.filter(({ severity }) => severity === "error")).toEqual([]);
    for (const row of servicesOf(db)) {
      const { subscriberId, extra, rolling, used, total, own, expiresAt, isHere, ...addresses } = row;
      expect([rolling >= 0, extra >= rolling, used >= 0]).toEqual([true, true, true]);
      expect({ subscriberId, total }).toEqual({ subscriberId, total: own === 0 ? 0 : own + extra });
      const { hasIp, hasPrefix, wantsIp, wantsPrefix } = addresses;
      if (isHere === 0) expect([subscriberId, hasIp, hasPrefix]).toEqual([subscriberId, 0, 0]);
      else if (expiresAt > now)
        expect([subscriberId, hasIp, hasPrefix]).toEqual([subscriberId, wantsIp, wantsPrefix]);
    }
    expect(carriedOf(db)).toEqual([...this.#told].toSorted(([one], [other]) => one - other));
  }

  async #begin(subscriberId: number): Promise<Open | undefined> {
    const reply = this.handlers.login({ name: `user${subscriberId}`, password: `pw-${subscriberId}` });
    const known = servicesOf(this.handlers.db).find((row) => row.subscriberId === subscriberId);
    const { now } = this.handlers.clock;
    if (reply?.code !== "Access-Accept") return undefined;
    expect(known).toMatchObject({ isHere: 1, frozenAt: null });
    expect(known?.expiresAt).toBeGreaterThan(now);
    expect(reply.attributes["Framed-IP-Address"]?.length ?? 0).toBe(known?.hasIp ?? 0);
    const [sessionClass] = reply.attributes["Class"] ?? [];
    const open = {
      id: `s${++this.#number}`,
      began: now,
      class: Buffer.from(sessionClass as Buffer),
      octets: 0,
    };
    this.#open.set(subscriberId, open);
    await this.#send(subscriberId, open, "Start");
    return open;
  }

  async #send(subscriberId: number, open: Open, status: AccountingStatus): Promise<void> {
    const reply = await this.handlers.account(status, [
      ["User-Name", `user${subscriberId}`],
      ["Acct-Session-Id", open.id],
      ["Class", open.class],
      ["NAS-Port", subscriberId],
      ["Acct-Session-Time", this.handlers.clock.now - open.began],
      ["Acct-Input-Octets", open.octets % 2 ** 32],
      ["Acct-Input-Gigawords", Math.floor(open.octets / 2 ** 32)],
    ]);
    expect(reply?.code).toBe("Accounting-Response");
  }
}

interface Held {
  readonly subscriberId: number;
  readonly extra: number;
  readonly rolling: number;
  readonly used: number;
  readonly total: number;
  /** The volume of the package. */
  readonly own: number;
  readonly expiresAt: number;
  readonly frozenAt: number | null;
  readonly isHere: number;
  readonly hasIp: number;
  readonly hasPrefix: number;
  readonly wantsIp: number;
  readonly wantsPrefix: number;
}

const servicesOf = ({ $client }: Db) =>
  $client
    .query<Held, []>(
      `SELECT v.subscriber_id AS subscriberId, v.extra_bytes AS extra, v.rolling_bytes AS rolling, v.quota_used AS used,
         v.quota_total AS total, p.data_quota_bytes AS own, v.expires_at AS expiresAt, v.frozen_at AS frozenAt,
         s.archived_at IS NULL AS isHere, s.pool_ip IS NOT NULL AS hasIp, s.pool_prefix IS NOT NULL AS hasPrefix,
         p.address_pool IS NOT NULL AS wantsIp, p.delegated_ipv6_from IS NOT NULL AS wantsPrefix
       FROM services v JOIN packages p ON p.id = v.package_id JOIN subscribers s ON s.id = v.subscriber_id`,
    )
    .all();

const carriedOf = ({ $client }: Db) =>
  $client
    .query<{ id: number; octets: number }, []>(
      "SELECT subscriber_id AS id, sum(input_octets) AS octets FROM sessions GROUP BY subscriber_id ORDER BY id",
    )
    .all()
    .map(({ id, octets }) => [id, octets]);
