import { attribute, type EncodedAttribute } from "../../goods/attributes/encode.ts";
import { replyKey } from "../../goods/attributes/reply.ts";
import { kindTraits, type NasKind } from "../../goods/nas/kinds.ts";
import { rateAttributes } from "../../goods/packages/rate.ts";
import type { Grant, ServiceKind } from "./decide.ts";

/** An attribute of an Access-Accept by its dictionary name, and its value's type. */
export type GrantAttribute =
  | { readonly kind: "text"; readonly name: "Framed-Pool" | "Framed-IPv6-Pool"; readonly value: string }
  | {
      readonly kind: "mikrotik text";
      readonly name:
        "Mikrotik-Group" | "Mikrotik-Rate-Limit" | "Mikrotik-Address-List" | "Mikrotik-Delegated-IPv6-Pool";
      readonly value: string;
    }
  | {
      readonly kind: "integer";
      readonly name:
        "Session-Timeout" | "Idle-Timeout" | "Acct-Interim-Interval" | "Service-Type" | "Framed-Protocol";
      readonly value: number;
    }
  | {
      readonly kind: "mikrotik integer";
      readonly name: "Mikrotik-Total-Limit" | "Mikrotik-Total-Limit-Gigawords";
      readonly value: number;
    }
  | { readonly kind: "ipv4"; readonly name: "Framed-IP-Address"; readonly value: string }
  | {
      readonly kind: "prefix";
      readonly name: "Framed-IPv6-Prefix" | "Delegated-IPv6-Prefix";
      readonly value: string;
    }
  | EncodedAttribute;

/** The kind of router, and what it asked for. */
export interface ReplyOptions {
  readonly interimInterval: number;
  readonly router: NasKind;
  readonly service: ServiceKind;
  readonly gardenProfile?: string | undefined;
}

const FRAMED = 2;
const PPP = 1;

/**
 * The attributes of a grant in the order of the Accept, for sending and for showing it. Reply attributes of package and
 * subscriber come last, and replace ours of the same name.
 */
export function grantAttributes(
  grant: Grant,
  { interimInterval, router, service, gardenProfile }: ReplyOptions,
): GrantAttribute[] {
  const attributes: GrantAttribute[] = [];
  const { framedIp, framedPool, addressList, sessionTimeout, idleTimeout } = grant;
  const { list, wantsPpp, takesTotalLimit } = kindTraits[router];
  if (wantsPpp && service === "ppp")
    attributes.push(
      { kind: "integer", name: "Service-Type", value: FRAMED },
      { kind: "integer", name: "Framed-Protocol", value: PPP },
    );
  // what an Accept omits, a router takes from its profile, such as an IPv6 prefix
  if (grant.isGarden && gardenProfile !== undefined && service === "ppp")
    attributes.push({ kind: "mikrotik text", name: "Mikrotik-Group", value: gardenProfile });
  addRate(attributes, grant, router);
  if (framedIp) attributes.push({ kind: "ipv4", name: "Framed-IP-Address", value: framedIp });
  if (framedPool) attributes.push({ kind: "text", name: "Framed-Pool", value: framedPool });
  addIpv6(attributes, grant, router);
  if (addressList && list) addList(attributes, list.name, list.value(addressList));
  attributes.push({ kind: "integer", name: "Session-Timeout", value: sessionTimeout });
  if (idleTimeout) attributes.push({ kind: "integer", name: "Idle-Timeout", value: idleTimeout });
  attributes.push({ kind: "integer", name: "Acct-Interim-Interval", value: interimInterval });
  if (grant.totalLimit !== undefined && takesTotalLimit) addTotal(attributes, grant.totalLimit);
  return grant.replyAttributes ? withAdded(attributes, grant, router) : attributes;
}

function addRate(attributes: GrantAttribute[], { rateLimit }: Grant, router: NasKind): void {
  if (!rateLimit) return;
  if (router === "mikrotik")
    attributes.push({ kind: "mikrotik text", name: "Mikrotik-Rate-Limit", value: rateLimit });
  else attributes.push(...rateAttributes(router, rateLimit));
}

function addIpv6(attributes: GrantAttribute[], grant: Grant, router: NasKind): void {
  const { framedIpv6Prefix, framedIpv6Pool, delegatedIpv6Prefix, delegatedIpv6Pool } = grant;
  if (framedIpv6Prefix)
    attributes.push({ kind: "prefix", name: "Framed-IPv6-Prefix", value: framedIpv6Prefix });
  if (framedIpv6Pool) attributes.push({ kind: "text", name: "Framed-IPv6-Pool", value: framedIpv6Pool });
  if (delegatedIpv6Prefix)
    attributes.push({ kind: "prefix", name: "Delegated-IPv6-Prefix", value: delegatedIpv6Prefix });
  if (!delegatedIpv6Pool) return;
  const { delegatedPool } = kindTraits[router];
  if (delegatedPool === "Mikrotik-Delegated-IPv6-Pool")
    attributes.push({ kind: "mikrotik text", name: delegatedPool, value: delegatedIpv6Pool });
  else attributes.push(attribute(delegatedPool, delegatedIpv6Pool));
}

/** Replaces the rate policy where a kind has one attribute for both. */
function addList(attributes: GrantAttribute[], name: string, value: string): void {
  if (name === "Mikrotik-Address-List") {
    attributes.push({ kind: "mikrotik text", name, value });
    return;
  }
  const ofRate = attributes.findIndex((one) => one.name === name);
  const list = attribute(name, value);
  if (ofRate < 0) attributes.push(list);
  else attributes[ofRate] = list;
}

/** 64-bit bytes as two 32-bit attributes, the upper one only when needed. */
function addTotal(attributes: GrantAttribute[], bytes: number): void {
  const gigawords = Math.floor(bytes / 2 ** 32);
  attributes.push({ kind: "mikrotik integer", name: "Mikrotik-Total-Limit", value: bytes % 2 ** 32 });
  if (gigawords > 0)
    attributes.push({ kind: "mikrotik integer", name: "Mikrotik-Total-Limit-Gigawords", value: gigawords });
}

function withAdded(
  own: readonly GrantAttribute[],
  { rateLimit, replyAttributes, isRateFirm }: Grant,
  router: NasKind,
): GrantAttribute[] {
  if (!replyAttributes) return [...own];
  const { attributes } = replyAttributes;
  if (!isRateFirm || !rateLimit)
    return own.filter((one) => !replyAttributes.replaces(one)).concat(attributes);
  const rate = replyKeys(rateAttributes(router, rateLimit));
  const isRate = ({ name, value }: GrantAttribute) => rate.has(replyKey({ name, value: String(value) }));
  return own
    .filter((one) => isRate(one) || !replyAttributes.replaces(one))
    .concat(attributes.filter(({ key }) => !rate.has(key)));
}

/** The rate for an open session, as in an Accept, or the reply attribute that replaces it. */
export function rateAttribute(
  router: NasKind,
  { rateLimit, replyAttributes, isRateFirm }: Pick<Grant, "rateLimit" | "replyAttributes" | "isRateFirm">,
): readonly EncodedAttribute[] {
  if (!rateLimit) return [];
  const own = rateAttributes(router, rateLimit);
  if (!replyAttributes || isRateFirm) return own;
  const keys = replyKeys(own);
  return [
    ...own.filter((one) => !replyAttributes.replaces(one)),
    ...replyAttributes.attributes.filter(({ key }) => keys.has(key)),
  ];
}

function replyKeys(attributes: readonly EncodedAttribute[]): ReadonlySet<string> {
  return new Set(attributes.map(replyKey));
}
