import { phrase, type Phrase } from "../../core/errors/phrase.ts";
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import ipaddr from "ipaddr.js";
import type { Seconds } from "../../core/time/time.ts";
import { parseProviderAmount } from "./amount.ts";

/* A provider as data: authentication, and paths of fields, such as `data.object.id`; of several the first that exists. */

const path = Type.String({ minLength: 1, maxLength: 200, pattern: "^[^.]+(\\.[^.]+)*$" });
const paths = Type.Array(path, { title: "ProviderPaths", minItems: 1, maxItems: 5 });
/** Paths, with what stands at them: the name of such a field means something else in a record of its chapter. */
const describePaths = (what: string) => ({
  ...paths,
  description: `Where ${what} stands, written as \`type\` is.`,
});
const names = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: 30 });
const header = Type.String({ pattern: "^[a-z0-9-]{1,60}$" });

const hmac = Type.Object(
  {
    kind: Type.Literal("hmac", { description: "A signature of the body." }),
    algorithm: Type.Union([Type.Literal("sha1"), Type.Literal("sha256"), Type.Literal("sha512")]),
    encoding: Type.Union([Type.Literal("hex"), Type.Literal("base64")]),
    header,
    /** Signed text: body, or time, dot and body. */
    over: Type.Union([Type.Literal("body"), Type.Literal("time.body")]),
    /** Names within a header such as `t=1492774577,v1=5257a8`. */
    parts: Type.Optional(Type.Object({ time: Type.String(), signature: Type.String() })),
    /** Seconds. */
    tolerance: Type.Optional(Type.Integer({ minimum: 30, maximum: 3600 })),
  },
  { title: "ProofBySignature" },
);
const token = Type.Object(
  { kind: Type.Literal("token", { description: "A fixed text in a header." }), header },
  { title: "ProofByToken" },
);
const addresses = Type.Object(
  { kind: Type.Literal("addresses", { description: "Where it calls from." }) },
  { title: "ProofByAddress" },
);

const eventSchema = Type.Object({
  /** Values of `type`; absent: all. */
  types: Type.Optional(names),
  id: describePaths("the provider's own number of the payment"),
  amount: describePaths("the amount"),
  /** Hundredths, whole units, or ISO 4217. */
  unit: Type.Union([Type.Literal("minor"), Type.Literal("major"), Type.Literal("iso")]),
  /** With `iso`: exceptions. */
  digits: Type.Optional(
    Type.Record(Type.String({ pattern: "^[A-Z]{3}$" }), Type.Integer({ minimum: 0, maximum: 4 })),
  ),
  currency: Type.Union(
    [paths, Type.Object({ fixed: Type.String({ pattern: "^[A-Z]{3}$" }) }, { title: "FixedCurrency" })],
    { description: "Where the currency stands, written as `type` is, or the one that is always meant." },
  ),
  reference: describePaths("what says whose the payment is"),
  payer: Type.Optional(describePaths("who paid")),
  state: Type.Optional(
    Type.Object(
      { at: paths, paid: names },
      { description: "By what a payment that is made is told from one that is not; absent: each is made." },
    ),
  ),
  /** Refund or dispute: shown, never booked. */
  is_back: Type.Optional(Type.Boolean()),
  /** The payment's id. */
  of: Type.Optional(paths),
});

export const providerSchema = Type.Object({
  format: Type.Union([Type.Literal("json"), Type.Literal("form")]),
  proof: Type.Union([hmac, token, addresses]),
  /** Source networks; required without other proof. */
  addresses: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 100 })),
  type: Type.Optional(paths),
  events: Type.Array(eventSchema, { minItems: 1, maxItems: 20 }),
  answer: Type.Object({
    type: Type.Union([Type.Literal("application/json"), Type.Literal("text/plain")], {
      description: "Its content type.",
    }),
    body: Type.String({ maxLength: 500 }),
  }),
  refusal: Type.Optional(
    Type.String({
      maxLength: 500,
      description:
        "What one that asks first is answered where the reference is mistyped and the setting `check_references` is on.",
    }),
  ),
});
export type Provider = Static<typeof providerSchema>;
type Hmac = Static<typeof hmac>;
type ProviderEvent = Static<typeof eventSchema>;

export interface Call {
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** Behind trusted proxies. */
  readonly address: string;
}

export interface Paid {
  readonly externalId: string;
  readonly amount: number;
  readonly currency: string;
  readonly reference: string | null;
  readonly payer: string | null;
  readonly reason: Phrase | null;
  readonly isBack: boolean;
  readonly of: string | null;
}

/** Whether a call has its provider's proof, compared in constant time. */
export function isProven(provider: Provider, secret: string | null, call: Call, now: Seconds): boolean {
  const { proof, addresses: networks = [] } = provider;
  if ((networks.length > 0 || proof.kind === "addresses") && !comesFrom(call.address, networks)) return false;
  if (proof.kind === "addresses") return true;
  if (secret === null || secret === "") return false;
  const sent = call.headers.get(proof.header);
  if (sent === null) return false;
  return proof.kind === "token" ? isEqual(sent, secret) : isSigned(proof, secret, { sent, call }, now);
}

function comesFrom(address: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const from = ipaddr.process(address);
  return networks.some((network) => {
    const [base, length] = network.includes("/")
      ? ipaddr.parseCIDR(network)
      : ([ipaddr.parse(network), 128] as const);
    if (base.kind() !== from.kind()) return false;
    return from.match(base, Math.min(length, base.toByteArray().length * 8));
  });
}

function isSigned(
  { algorithm, encoding, over, parts, tolerance = 300 }: Hmac,
  secret: string,
  { sent, call }: { sent: string; call: Call },
  now: Seconds,
): boolean {
  const values = parts ? parseParts(sent) : [];
  const time = parts && values.find(([name]) => name === parts.time)?.[1];
  const signatures = parts
    ? values.filter(([name]) => name === parts.signature).map(([, value]) => value)
    : [sent.trim()];
  if (over === "time.body" && (time === undefined || !/^\d{1,12}$/.test(time))) return false;
  if (time !== undefined && Math.abs(now - Number(time)) > tolerance) return false;
  const mac = createHmac(algorithm, secret);
  if (over === "time.body") mac.update(`${time}.`);
  const expected = mac.update(call.body).digest(encoding);
  // all are compared, so that timing reveals nothing
  return (
    signatures.filter((one) => isEqual(encoding === "hex" ? one.toLowerCase() : one, expected)).length > 0
  );
}

function parseParts(sent: string): [string, string][] {
  return sent
    .slice(0, 2000)
    .split(",")
    .map((part) => {
      const at = part.indexOf("=");
      return [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    });
}

/** Constant time, also for lengths. */
function isEqual(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** The payment that a call tells of; null: none, such as one that is not paid yet. */
export function readCall(provider: Provider, call: Call): Paid | null {
  const content = parseContent(provider, call.body);
  if (content === undefined)
    return strange(
      call,
      provider.format === "json" ? phrase`what it sent is no JSON` : phrase`what it sent is no form`,
    );
  const type = provider.type && textAt(content, provider.type);
  const event = provider.events.find(({ types }) => types === undefined || types.includes(type ?? ""));
  if (!event) return null;
  if (event.state && !event.state.paid.includes(textAt(content, event.state.at) ?? "")) return null;
  return readPaid(event, content, { call, type });
}

function readPaid(
  event: ProviderEvent,
  content: unknown,
  { call, type }: { call: Call; type: string | undefined },
): Paid {
  const id = textAt(content, event.id);
  if (id === undefined)
    return strange(call, phrase`there is no id of a payment that can be read at ${event.id.join(" or ")}`);
  const currency = Array.isArray(event.currency)
    ? textAt(content, event.currency)?.toUpperCase()
    : event.currency.fixed;
  const amount = parseProviderAmount(textAt(content, event.amount), event, currency);
  const isBack = event.is_back === true;
  // some refunds reuse the payment's id
  const externalId = isBack ? `${type ?? "back"} ${id}` : id;
  const reason = isBack
    ? phrase`the provider took it back, or somebody disputes it; nothing was booked`
    : amount === undefined
      ? phrase`there is no amount at ${event.amount.join(" or ")} that the books can hold`
      : currency === undefined
        ? phrase`it does not say in which currency`
        : null;
  return {
    externalId,
    amount: amount ?? 0,
    currency: currency ?? "",
    isBack,
    reason,
    reference: textAt(content, event.reference) ?? null,
    payer: (event.payer && textAt(content, event.payer)) ?? null,
    of: (event.of && textAt(content, event.of)) ?? null,
  };
}

/** Authentic but unreadable: kept. */
function strange({ body }: Call, reason: Phrase): Paid {
  const externalId = `sha256 ${createHash("sha256").update(body).digest("hex")}`;
  const nothing = { reference: null, payer: null, of: null };
  return { externalId, amount: 0, currency: "", ...nothing, isBack: false, reason };
}

function parseContent({ format }: Provider, body: Uint8Array): unknown {
  const text = new TextDecoder().decode(body);
  if (format === "form") return Object.fromEntries(new URLSearchParams(text));
  try {
    const content: unknown = JSON.parse(text);
    return typeof content === "object" && content !== null ? content : undefined;
  } catch {
    return undefined;
  }
}

function textAt(content: unknown, options: readonly string[]): string | undefined {
  for (const option of options) {
    let found = content;
    for (const name of option.split(".")) {
      found =
        typeof found === "object" && found !== null && Object.hasOwn(found, name)
          ? Reflect.get(found, name)
          : undefined;
    }
    // inexact numbers would be another id
    if (typeof found === "number")
      return Number.isInteger(found) && !Number.isSafeInteger(found) ? undefined : String(found);
    if (typeof found === "string" && found.trim() !== "") return found.trim().slice(0, 200);
  }
  return undefined;
}

function isWide(network: string): boolean {
  if (!network.includes("/")) return false;
  const [base, length] = ipaddr.parseCIDR(network);
  return length < (base.kind() === "ipv4" ? 16 : 32);
}

export function providerFault(described: unknown): Phrase | undefined {
  const fault = Value.Errors(providerSchema, described).First();
  if (fault) return phrase`${fault.path || phrase`it`}: ${fault.message}`;
  const { proof, addresses: networks = [], type, events } = Value.Cast(providerSchema, described);
  const wrong = networks.find((network) => !ipaddr.isValid(network) && !ipaddr.isValidCIDR(network));
  if (wrong !== undefined) return phrase`${wrong} is no address and no network`;
  if (proof.kind === "addresses" && networks.length === 0)
    return phrase`without a signature or a token it needs the addresses that the provider calls from`;
  const wide = networks.find(isWide);
  if (proof.kind === "addresses" && wide !== undefined)
    return phrase`${wide} is too wide to prove anything; name the addresses that the provider calls from`;
  if (proof.kind === "hmac" && proof.over === "time.body" && !proof.parts)
    return phrase`a signed time needs the names of the parts of its header`;
  if (type === undefined && events.some(({ types }) => types !== undefined))
    return phrase`where types of events are named, it has to be said where the type stands`;
  return undefined;
}
