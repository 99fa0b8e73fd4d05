import { isNotNull } from "drizzle-orm";
import ipaddr from "ipaddr.js";
import type { Db } from "../../../db/open.ts";
import type { Vault } from "../../../db/vault.ts";
import { nas, nasSources } from "../../../db/schema.ts";
import { accessState, ownBox } from "../../domain/machine/access-boxes/state.ts";
import { type ProfileChoice, profileChoiceIn } from "../../domain/goods/router-setup/garden/profiles.ts";
import type { NasKind } from "../../domain/goods/nas/kinds.ts";
import { splitZone } from "../../domain/core/networks/zone.ts";
import { RADSEC_SECRET } from "../../domain/goods/nas/radsec.ts";
import type { Mppe } from "../auth/mppe.ts";

export interface Client {
  /** null: our own test login (`gatehouse radtest`). */
  readonly id: number | null;
  /** null: of every ISP. */
  readonly ispId: number | null;
  readonly name: string;
  /** The access box that the router belongs to, reachable only there; null: any. */
  readonly zone: string | null;
  readonly secret: Buffer;
  readonly requireMessageAuthenticator: "auto" | "yes" | "no";
  /** Source addresses in "auto" that have sent a valid Message-Authenticator. */
  readonly latched: Set<string>;
  readonly swapOctets: boolean;
  readonly kind: NasKind;
  /** What accompanies MPPE keys in an Accept. */
  readonly mppe: Mppe;
  /** Whether its DHCP servers, which send no password, may ask. */
  readonly dhcp: boolean;
  /** Whether its DHCP lines have separate queues for IPv4 and IPv6, each with half the rate. */
  readonly isHalfEach: boolean;
  /** PPP profiles of its walled garden. */
  readonly gardenProfiles: ProfileChoice | null;
}

/** A router that uses RadSec, and the address that its rows carry wherever it connects from. */
export interface RadsecClient {
  readonly client: Client;
  readonly address: string;
}

type Network = { network: ipaddr.IPv4 | ipaddr.IPv6; length: number; client: Client };

const MAX_CACHED = 10_000;

/** The secret of `gatehouse radtest`: whoever can read the data folder may test from this machine. */
export function ownSecret(vault: Vault): Buffer {
  return vault.deriveKey("radtest");
}

/** NAS rows by source address: addresses before networks, longer prefixes before shorter ones. */
export class Clients {
  /** This appliance, asking from a loopback address; a router may have the same address. */
  readonly own: Client;
  readonly #hosts = new Map<string, Client>();
  /** RadSec routers by id. */
  readonly #radsec = new Map<number, RadsecClient>();
  readonly #networks: Network[] = [];
  readonly #found = new Map<string, Client | undefined>();

  private constructor(vault: Vault) {
    this.own = {
      id: null,
      ispId: null,
      name: "radtest",
      zone: null,
      secret: ownSecret(vault),
      requireMessageAuthenticator: "yes",
      latched: new Set(),
      swapOctets: false,
      kind: "mikrotik",
      mppe: "keys",
      dhcp: true,
      isHalfEach: false,
      gardenProfiles: null,
    };
  }

  /** A router whose stored secret is damaged is unknown: `gatehouse check` reports it, and the others work on. */
  static load(db: Db): Clients {
    const clients = new Clients(db.vault);
    const latched = latchedSources(db);
    const here = accessState(db).role === "access" ? ownBox(db).name : null;
    // routers of this access box go before those of every one
    const rows = db.select().from(nas).all();
    for (const row of [...rows.filter(isEveryBox), ...rows.filter((one) => !isEveryBox(one))]) {
      const { host, zone } = splitZone(row.address);
      if (zone !== null && zone !== here) continue;
      const known = {
        id: row.id,
        ispId: row.ispId,
        name: row.name,
        zone,
        swapOctets: row.swapOctets === 1,
        kind: row.kind,
        mppe: row.mppe,
        dhcp: row.dhcp === 1,
        isHalfEach: row.dualStack === "half",
        gardenProfiles: profileChoiceIn(row.gardenProfiles),
      };
      if (row.radsec === 1) clients.#radsec.set(row.id, { client: byRadsec(known), address: row.address });
      const secret = db.vault.openTextIfWhole(row.secretSealed);
      if (secret === undefined) continue;
      const client: Client = {
        ...known,
        secret: Buffer.from(secret),
        requireMessageAuthenticator: row.requireMessageAuthenticator,
        latched: latched.get(row.id) ?? new Set(),
      };
      if (host.includes("/")) {
        const [network, length] = ipaddr.parseCIDR(host);
        clients.#networks.unshift({ network, length, client });
      } else {
        clients.#hosts.set(host, client);
      }
    }
    clients.#networks.sort((a, b) => b.length - a.length);
    return clients;
  }

  /** The router of a certificate; undefined: deleted since. */
  ofCertificate(nasId: number): RadsecClient | undefined {
    return this.#radsec.get(nasId);
  }

  find(source: string): Client | undefined {
    if (this.#found.has(source)) return this.#found.get(source);
    const client = this.#match(source);
    if (this.#found.size >= MAX_CACHED) this.#found.clear();
    this.#found.set(source, client);
    return client;
  }

  #match(source: string): Client | undefined {
    if (!ipaddr.isValid(source)) return undefined;
    const address = ipaddr.process(source);
    const host = this.#hosts.get(address.toString());
    if (host) return host;
    return this.#networks.find(
      ({ network, length }) => network.kind() === address.kind() && address.match(network, length),
    )?.client;
  }
}

/** TLS has authenticated it and protects the packet: Message-Authenticator is not required. */
function byRadsec(known: Omit<Client, "secret" | "requireMessageAuthenticator" | "latched">): Client {
  return {
    ...known,
    secret: Buffer.from(RADSEC_SECRET),
    requireMessageAuthenticator: "no",
    latched: new Set(),
  };
}

const isEveryBox = ({ address }: { address: string }) => splitZone(address).zone === null;

function latchedSources(db: Db): Map<number, Set<string>> {
  const latched = new Map<number, Set<string>>();
  const rows = db.select().from(nasSources).where(isNotNull(nasSources.authenticatorSeenAt)).all();
  for (const { nasId, address } of rows) {
    const known = latched.get(nasId);
    if (known) known.add(address);
    else latched.set(nasId, new Set([address]));
  }
  return latched;
}

/** A source address in the form that sessions and logs use: IPv4 without its IPv6 mapping. */
export function canonicalAddress(source: string): string {
  return source.includes(":") && ipaddr.isValid(source) ? ipaddr.process(source).toString() : source;
}
