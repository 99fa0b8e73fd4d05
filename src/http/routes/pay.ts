import { onlyHere } from "../../domain/machine/access-boxes/money-waits.ts";
import { createHash } from "node:crypto";
import { Elysia, NotFoundError } from "elysia";
import type { Db } from "../../../db/open.ts";
import { DomainError } from "../../domain/core/errors/errors.ts";
import { phrase } from "../../domain/core/errors/phrase.ts";
import { renewedBy } from "../../domain/desk/incoming/receive.ts";
import { isAddressed, takeCall } from "../../domain/desk/incoming/take-call.ts";
import { everything } from "../../domain/core/actor/operator.ts";
import { type Subscriber, subscriberById } from "../../domain/goods/subscribers/find.ts";
import type { Clock } from "../../domain/core/time/time.ts";
import type { AttemptLimit } from "../attempt-limit.ts";
import { readRaw } from "../body.ts";
import { clientAddress, type Server, type TrustedProxies } from "../client-address.ts";
import { describe } from "../describe.ts";
import { Type } from "@sinclair/typebox";
import { field } from "../../domain/core/fields/fields.ts";

export interface PayNeeds {
  db: Db;
  clock: Clock;
  trusted: TrustedProxies;
  /** By caller and address. */
  payCalls: AttemptLimit;
  renewed: (subscriber: Subscriber) => void;
}

/** A minute, of one caller at one address. */
export const PAY_CALLS_A_MINUTE = 1200;
const MAX_BYTES = 256 * 1024;

interface PayRequest {
  readonly request: Request;
  readonly server: Server | null;
  /** null: undecodable. */
  readonly params: { readonly key: string | null };
}

/** Providers' callbacks, at unguessable addresses. */
export function payRoutes(needs: PayNeeds) {
  return new Elysia()
    .post("/pay/:key", (incoming) => answer(needs, incoming, false), described)
    .post("/pay/:key/check", (incoming) => answer(needs, incoming, true), describedCheck);
}

async function answer(needs: PayNeeds, incoming: PayRequest, isQuestion: boolean): Promise<Response> {
  const { db, clock, trusted, payCalls, renewed } = needs;
  const { request, server, params } = incoming;
  const address = clientAddress(request, server, trusted);
  const key = params.key ?? "";
  payCalls.take(createHash("sha256").update(key).digest("hex"), address);
  if (!isAddressed(db, key)) throw new NotFoundError();
  const body = await readRaw(request, MAX_BYTES);
  const call = { headers: request.headers, body, address };
  const taken = takeCall(db, { key, call, isQuestion }, { now: clock() });
  if (taken.kind === "nobody") throw new NotFoundError();
  if (taken.kind === "unproven")
    throw new DomainError("unauthenticated", phrase`nothing in this call proves that the provider sent it`);
  const subscriberId = taken.arrived ? renewedBy(taken.arrived) : null;
  if (subscriberId !== null) renewed(subscriberById(db, everything, subscriberId));
  if (!isQuestion) await onlyHere(db); // what a provider is answered has no place for more words
  const { type, body: text } = taken.answer;
  return new Response(text, { headers: { "content-type": type } });
}

const keyField = field(
  Type.String({ maxLength: 100 }),
  phrase`must be the key of an address`,
  (value) => value,
);
const tags: [string] = ["Payments that arrive"];
const refusals = {
  401: "Nothing in the call proves that the provider sent it.",
  404: "There is no such address.",
  413: "The body is larger than 256 KiB.",
  429: "Too many calls in a minute; see Retry-After.",
  503: "Nothing was stored; send it again.",
};

const described = describe({
  operationId: "providerCall",
  tags,
  summary: "A provider of payments tells of one",
  description:
    "The address is that of a payment source, and its description says what a call has to look like. What is proven is stored before it is answered, booked or for staff to look at; what is not paid yet is answered and not stored.",
  access: "everybody",
  path: { key: keyField },
  success: { description: "What this provider expects as its answer." },
  refusals,
});

const describedCheck = describe({
  operationId: "providerQuestion",
  tags,
  summary: "A provider asks before it takes a payment",
  description: "As the validation of M-Pesa: always answered as if it was told, and nothing is stored.",
  access: "everybody",
  path: { key: keyField },
  success: { description: "What this provider expects as its answer." },
  refusals,
});
