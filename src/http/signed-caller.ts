import type { Db } from "../../db/open.ts";
import { DomainError } from "../domain/core/errors/errors.ts";
import { phrase } from "../domain/core/errors/phrase.ts";
import type { Input } from "../domain/core/fields/fields.ts";
import { type Source, signingSources } from "../domain/desk/incoming/sources.ts";
import { makeSourceActor } from "../domain/desk/incoming/take-call.ts";
import type { Actor } from "../domain/core/actor/actor.ts";
import type { Clock } from "../domain/core/time/time.ts";
import { isSignedWith, signedBy } from "../domain/core/signatures/signature.ts";
import type { AttemptLimit } from "./attempt-limit.ts";
import { findParser, readRaw } from "./body.ts";

export const SIGNED_A_MINUTE = 600;
const MAX_BYTES = 64 * 1024;

export interface SignedCaller {
  readonly staff: Actor;
  readonly input: Input;
  readonly source: Source;
}

/** The payment source of a signed call; undefined: unsigned. Throws `unauthenticated`, `too_soon`. */
export async function signedCaller(
  { db, clock }: { db: Db; clock: Clock },
  { request, address }: { request: Request; address: string },
  limit: AttemptLimit,
): Promise<SignedCaller | undefined> {
  const signed = signedBy(request);
  if (!signed) return undefined;
  limit.take("signed", address);
  const body = await readRaw(request, MAX_BYTES);
  const now = clock();
  const found = signingSources(db).find(({ secret }) => isSignedWith(secret, signed, { body, now }));
  if (!found)
    throw new DomainError(
      "unauthenticated",
      phrase`the signature is of no payment source, or its webhook-timestamp is more than 5 minutes off`,
    );
  const { source } = found;
  return { staff: makeSourceActor(source, address), input: await findParser(request)(body), source };
}
