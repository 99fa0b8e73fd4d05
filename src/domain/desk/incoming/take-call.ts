import { createHash } from "node:crypto";
import type { Db } from "../../../../db/open.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { setting } from "../../core/settings/settings.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type Call, isProven, type Paid, readCall } from "./provider.ts";
import { type Arrived, receivePayment } from "./receive.ts";
import { hasWrongDigit } from "./reference.ts";
import { findSourceByKey, parseProvider, type Source } from "./sources.ts";
import { whoIs } from "./who.ts";

/** What came of a call: nobody has its address, it has no proof, it tells of no payment, or of one. */
export type CallResult =
  | { readonly kind: "nobody" }
  | { readonly kind: "unproven" }
  | {
      readonly kind: "nothing" | "arrived";
      readonly answer: { readonly type: string; readonly body: string };
      readonly arrived?: Arrived;
    };

/** Whether a source has this address. */
export function isAddressed(db: Db, key: string): boolean {
  return findSourceByKey(db, key) !== undefined;
}

/** Handles a provider's call; stored before it returns. `isQuestion`: a validation, which stores nothing. */
export function takeCall(
  db: Db,
  { key, call, isQuestion }: { key: string; call: Call; isQuestion: boolean },
  { now }: { now: Seconds },
): CallResult {
  const known = findSourceByKey(db, key);
  if (!known) return { kind: "nobody" };
  const { source, secret } = known;
  const provider = parseProvider(source);
  if (!isProven(provider, secret, call, now)) return { kind: "unproven" };
  const { answer, refusal } = provider;
  const paid = readCall(provider, call);
  if (isQuestion && refusal !== undefined && isMistyped(db, source, paid?.reference ?? ""))
    return { kind: "nothing", answer: { ...answer, body: refusal } };
  if (isQuestion || paid === null) return { kind: "nothing", answer };
  const arrived = receivePayment(db, makeSourceActor(source, call.address), noticeFrom(source, paid, call), {
    now,
    onOther: "keep",
  });
  return { kind: "arrived", answer, arrived };
}

/** A reference with a wrong digit, which is nobody's username or invoice either, where the ISP wants that refused. */
function isMistyped(db: Db, { ispId }: Source, reference: string): boolean {
  if (!setting(db, "check_references", ispId) || !hasWrongDigit(reference)) return false;
  return !("id" in whoIs(db, ispId, { by: "any", text: reference }));
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

/** The actor of a call: it may report payments of its ISP, and nothing else. */
export function makeSourceActor({ ispId, name }: Pick<Source, "ispId" | "name">, source: string): Actor {
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
