import { dualStacks, nasKinds, shapers } from "../../../../db/schema.ts";

export { dualStacks, nasKinds, shapers };

export type Shaper = (typeof shapers)[number];

export type DualStack = (typeof dualStacks)[number];

export type NasKind = (typeof nasKinds)[number];

/** Another system's NAS type; undefined: unknown. */
export function kindCalled(type: string): NasKind | undefined {
  return nasKinds.find((kind) => kind === type.trim().toLowerCase());
}

/** null: the kind cannot confine by a list. */
interface ListSupport {
  readonly name: "Mikrotik-Address-List" | "Filter-Id" | "ERX-Ingress-Policy-Name";
  readonly value: (list: string) => string;
}

/** What names a session in CoA: anything more has to match too. */
export type Identification = "User-Name" | "Acct-Session-Id" | "Framed-IP-Address" | "NAS-IP-Address";

export interface KindTraits {
  readonly list: ListSupport | null;
  readonly delegatedPool:
    | "Mikrotik-Delegated-IPv6-Pool"
    | "Delegated-IPv6-Prefix-Pool"
    | "Huawei-Delegated-IPv6-Prefix-Pool"
    | "ERX-IPv6-Delegated-Pool-Name";
  /** Whether it enforces a volume; others are told to end or slow the session. */
  readonly takesTotalLimit: boolean;
  /** Whether a PPP Accept repeats it (RFC 2865 sections 5.6 and 5.7): IOS requires that. */
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

/** What differs between kinds of routers, beside rates (domain/goods/packages/rate.ts). */
export const kindTraits: Readonly<Record<NasKind, KindTraits>> = {
  mikrotik: {
    list: { name: "Mikrotik-Address-List", value: asItIs },
    delegatedPool: "Mikrotik-Delegated-IPv6-Pool",
    takesTotalLimit: true,
    wantsPpp: false,
    identifiedBy: everything,
  },
  // Filter-Id is its rate; all identifying attributes have to match, NAS-IP-Address included
  "accel-ppp": {
    list: null,
    delegatedPool: "Delegated-IPv6-Prefix-Pool",
    takesTotalLimit: false,
    wantsPpp: false,
    identifiedBy: ["Acct-Session-Id", "NAS-IP-Address"],
  },
  // a list without .in or .out filters towards the subscriber
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
  // filters are policies, so a list takes the rate's place
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
