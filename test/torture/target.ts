import { join } from "node:path";
import { type Addresses, Appliance, portOf } from "../support/appliance.ts";
import { aPackage, aSubscriber, newSubscriber } from "../support/isp.ts";
import { usedBy } from "../../scripts/bench.d/processes.ts";
import { type Answer, askOnce, type Sent } from "./raw-http.ts";

export const ADMIN = { username: "ada", password: "ada-5-Kestrel" };
/** Accounts of honest staff, so that nobody runs into the limit of five logins a minute. */
export const STAFF = Array.from({ length: 6 }, (_, i) => ({
  username: `staff${i}`,
  password: `staff-${i}-Merlin`,
}));
export const SECRET = "core-secret-Osprey";
export const SUBSCRIBERS = 400;
export const loginOf = (id: number) => ({ username: `user${id}`, password: `pw-${id}` });

/** Networks of routers whose secrets nobody here knows: hostile packets come from them. */
export const PROVING_ROUTERS = "127.32.0.0/16";
export const OLD_ROUTERS = "127.33.0.0/16";
/** A proxy before the product, and an honest client. */
export const PROXY = "127.5.0.1";
export const HONEST = "127.9.0.1";

/** The real executable with both HTTP listeners and an ISP to get into. */
export interface Target extends AsyncDisposable {
  readonly appliance: Appliance;
  readonly addresses: Addresses;
  readonly lan: number;
  readonly public: number;
  /** NaN where it is off. */
  readonly walled: number;
  readonly auth: number;
  readonly acct: number;
  readonly dataFolder: string;
  /** Bytes resident, and processor seconds used. */
  readonly used: () => { memory: number; cpu: number };
  /** One request from an address, on a connection of its own; an answer is due. */
  readonly ask: (from: string, listener: "lan" | "public", sent: Sent) => Promise<Answer>;
}

export async function openTarget(
  more: Record<string, string> = {},
  subscribers = SUBSCRIBERS,
): Promise<Target> {
  const appliance = new Appliance({
    GATEHOUSE_PUBLIC_LISTEN: "127.0.0.1:0",
    GATEHOUSE_TRUSTED_PROXIES: PROXY,
    ...more,
  });
  try {
    // by the executable, whose hashes of passwords cost what they cost: how long a wrong one takes is what strangers listen to
    const imported = await appliance.run(["import", "-"], JSON.stringify(isp(subscribers)));
    if (imported.code !== 0) throw new Error(`the import failed: ${imported.stderr}`);
    const addresses = await appliance.serve();
    const ports = {
      lan: portOf(addresses.http),
      public: portOf(addresses.public ?? ""),
      walled: portOf(addresses.walled ?? "off"),
    };
    return {
      ...ports,
      appliance,
      addresses,
      auth: portOf(addresses.radius_auth),
      acct: portOf(addresses.radius_acct),
      dataFolder: join(appliance.folder, "data"),
      used: () => usedBy([appliance.pid]),
      ask: async (from, listener, sent) => {
        const answer = await askOnce({ from, port: ports[listener] }, sent);
        if (!answer) throw new Error(`${sent.method ?? "GET"} ${sent.target} got no answer`);
        return answer;
      },
      [Symbol.asyncDispose]: () => appliance[Symbol.asyncDispose](),
    };
  } catch (error) {
    await appliance[Symbol.asyncDispose]();
    throw error;
  }
}

function isp(subscribers: number): object {
  const account = { isp_id: 1, branch_id: 0, profile_type: 1, status: 1 };
  return {
    isps: [{ id: 1, name: "Northlink" }],
    staff: [ADMIN, ...STAFF].map((one, i) => Object.assign(one, account, { id: i + 1, name: one.username })),
    nas: [
      { id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: SECRET },
      {
        id: 2,
        isp_id: 1,
        name: "proving",
        address: PROVING_ROUTERS,
        secret: "proving-secret-Harrier",
        require_message_authenticator: "yes",
      },
      {
        id: 3,
        isp_id: 1,
        name: "old",
        address: OLD_ROUTERS,
        secret: "old-secret-Goshawk",
        require_message_authenticator: "no",
      },
    ],
    packages: [aPackage(1, { simultaneous_use: 1000 })],
    subscribers: [
      ...Array.from({ length: subscribers }, (_, i) => aSubscriber(i + 1)),
      newSubscriber(subscribers + 1, { username: "evil\u202euser" }),
    ],
  };
}
