import {
  CARD_CLASS_LENGTH,
  CLASS_LENGTH,
  LEASE_CLASS_LENGTH,
  writeCardAccept,
  writeGranted,
  writeLease,
} from "../../domain/service/sessions/session-class.ts";
import type { Seconds } from "../../domain/core/time/time.ts";
import { unguessable } from "../packet/digests.ts";
import type { Judged } from "./login.ts";

/** An unguessable Class that carries the grant, for a card also when it was accepted and for how long, and for a lease its subscriber. */
export function makeClass({ decision, granted, cardId, lease }: Judged, now: Seconds): Buffer {
  const accept =
    decision.accept && cardId !== null
      ? { acceptedAt: now, sessionTimeout: decision.grant.sessionTimeout }
      : undefined;
  const sessionClass = unguessable(accept ? CARD_CLASS_LENGTH : lease ? LEASE_CLASS_LENGTH : CLASS_LENGTH);
  if (granted) writeGranted(sessionClass, granted);
  if (lease) writeLease(sessionClass, lease);
  if (accept) writeCardAccept(sessionClass, accept);
  return sessionClass;
}
