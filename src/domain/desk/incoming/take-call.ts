import { createHash } from "node:crypto";
import type { Db } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type Call, isProven, type Paid, readCall } from "./provider.ts";
import { type Arrived, receivePayment } from "./receive.ts";
import { providerOf, type Source, sourceOfKey } from "./sources.ts";

/** What came of a call: nobody is at the address, it proves nothing, it tells of nothing that counts, or of a payment. */
export type CallResult =
  | { readonly kind: "nobody" }
  | { readonly kind: "unproven" }
  | {
      readonly kind: "nothing" | "arrived";
      readonly answer: { readonly type: string; readonly body: string };
      readonly arrived?: Arrived;
    };

/** Whether somebody is called at an address. */
export function isAddressed(db: Db, key: string): boolean {
  return sourceOfKey(db, key) !== undefined;
}

/**
 * What a provider tells by a call at its address. What is proven and tells of a payment is stored before this returns, booked or for staff to look
 * at; with `isQuestion` nothing is, for a provider that asks before it takes the money.
 */
export function takeCall(
  db: Db,
  { key, call, isQuestion }: { key: string; call: Call; isQuestion: boolean },
  { now }: { now: Seconds },
): CallResult {
  const known = sourceOfKey(db, key);
  if (!known) return { kind: "nobody" };
  const { source, secret } = known;
  const provider = providerOf(source);
  if (!isProven(provider, secret, call, now)) return { kind: "unproven" };
  const { answer } = provider;
  const paid = isQuestion ? null : readCall(provider, call);
  if (paid === null) return { kind: "nothing", answer };
  const arrived = receivePayment(db, actorOf(source, call.address), noticeFrom(source, paid, call), {
    now,
    onOther: "keep",
  });
  return { kind: "arrived", answer, arrived };
}

function noticeFrom({ id, ispId, name, method }: Source, paid: Paid, { body }: Call) {
  const { reference, isBack, of, ...notice } = paid;
  return {
    ...notice,
    ispId,
    sourceId: id,
    provider: name,
    method,
    paidAt: null,
    raw: body,
    named:
      reference === null
        ? ({ by: "nothing", text: null } as const)
        : ({ by: "any", text: reference } as const),
    bodyHash: createHash("sha256").update(body).digest(),
    ...(isBack && { back: { of } }),
  };
}

/** Who acts where no account does: it may tell of payments of its ISP, and nothing else. */
export function actorOf({ ispId, name }: Pick<Source, "ispId" | "name">, source: string): Actor {
  return {
    staffId: null,
    subscriberId: null,
    name,
    source,
    admin: false,
    scope: { ispId, branchId: null, salespersonId: null },
    flags: new Set(["payment_receive"]),
  };
}
