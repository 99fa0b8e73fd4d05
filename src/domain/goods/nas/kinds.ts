import { dualStacks, nasKinds, shapers } from "../../../../db/schema.ts";

export { dualStacks, nasKinds, shapers };

/** How a router keeps the queues of lines short. */
export type Shaper = (typeof shapers)[number];

/** What lines of DHCP get in two queues. */
export type DualStack = (typeof dualStacks)[number];

/** What a router is, by which it is told rates and asked about sessions. */
export type NasKind = (typeof nasKinds)[number];

/** The kind that another system calls so, as the type of a NAS; undefined for words that are not ours. */
export function kindCalled(type: string): NasKind | undefined {
  return nasKinds.find((kind) => kind === type.trim().toLowerCase());
}

/** How a kind is told the list that an address is put into: null where it knows no such thing, so that none can confine anybody. */
interface ListSupport {
  readonly name: "Mikrotik-Address-List" | "Filter-Id" | "ERX-Ingress-Policy-Name";
  readonly value: (list: string) => string;
}

/** What a session is named by when a router is asked to end or change it, as it reported each: what more is sent has to match too. */
export type Identification = "User-Name" | "Acct-Session-Id" | "Framed-IP-Address" | "NAS-IP-Address";

export interface KindTraits {
  readonly list: ListSupport | null;
  readonly delegatedPool:
    | "Mikrotik-Delegated-IPv6-Pool"
    | "Delegated-IPv6-Prefix-Pool"
    | "Huawei-Delegated-IPv6-Prefix-Pool"
    | "ERX-IPv6-Delegated-Pool-Name";
  /** Whether it counts the bytes that are left by itself; others are asked to end the session, or slow it down, when they are gone. */
  readonly takesTotalLimit: boolean;
  /** Whether an Accept of PPP has to say so again (RFC 2865 sections 5.6 and 5.7): IOS refuses one that does not. */
  readonly wantsPpp: boolean;
  readonly identifiedBy: readonly Identification[];
}

const asItIs = (list: string) => list;
const everything: readonly Identification[] = [
  "User-Name",
  "Acct-Session-Id",
  "Framed-IP-Address",
  "NAS-IP-Address",
];

/** What differs between kinds beside the rate (domain/goods/packages/rate.ts). */
export const kindTraits: Readonly<Record<NasKind, KindTraits>> = {
  mikrotik: {
    list: { name: "Mikrotik-Address-List", value: asItIs },
    delegatedPool: "Mikrotik-Delegated-IPv6-Pool",
    takesTotalLimit: true,
    wantsPpp: false,
    identifiedBy: everything,
  },
  // Filter-Id is its rate; a session has to match all that it is named by, and a NAS-IP-Address has to be its own
  "accel-ppp": {
    list: null,
    delegatedPool: "Delegated-IPv6-Prefix-Pool",
    takesTotalLimit: false,
    wantsPpp: false,
    identifiedBy: ["Acct-Session-Id", "NAS-IP-Address"],
  },
  // an access list without .in or .out counts for what goes out to the subscriber
  cisco: {
    list: { name: "Filter-Id", value: (list) => (/\.(in|out)$/.test(list) ? list : `${list}.in`) },
    delegatedPool: "Delegated-IPv6-Prefix-Pool",
    takesTotalLimit: false,
    wantsPpp: true,
    identifiedBy: ["Acct-Session-Id"],
  },
  huawei: {
    list: { name: "Filter-Id", value: asItIs },
    delegatedPool: "Huawei-Delegated-IPv6-Prefix-Pool",
    takesTotalLimit: false,
    wantsPpp: true,
    identifiedBy: ["User-Name", "Acct-Session-Id"],
  },
  // a policy is what filters there, so a list stands where the one of the rate would
  juniper: {
    list: { name: "ERX-Ingress-Policy-Name", value: asItIs },
    delegatedPool: "ERX-IPv6-Delegated-Pool-Name",
    takesTotalLimit: false,
    wantsPpp: true,
    identifiedBy: ["Acct-Session-Id"],
  },
  generic: {
    list: { name: "Filter-Id", value: asItIs },
    delegatedPool: "Delegated-IPv6-Prefix-Pool",
    takesTotalLimit: false,
    wantsPpp: true,
    identifiedBy: everything,
  },
};
