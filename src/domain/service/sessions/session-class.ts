import { acceptReasons } from "../../../../db/schema.ts";
import type { Seconds } from "../../core/time/time.ts";

/** A login's grant as its session keeps it: the reason, and 48-bit hashes (exact as numbers) of the terms that need a new login, and of the rate. */
export interface Granted {
  acceptedAs: (typeof acceptReasons)[number];
  grantedTerms: number;
  grantedRate: number;
}

/**
 * The Class of an Accept: its form, reason, both hashes, and random bytes. The router returns it in accounting, so no grant has
 * to be stored between Accept and Start.
 */
const FORM = Buffer.from("GH1");
const REASON = FORM.length;
const TERMS = REASON + 1;
const RATE = TERMS + 6;
const RANDOM = RATE + 6;
export const CLASS_LENGTH = RANDOM + 16;

/** A card's Class also has the time of the Accept and the session timeout, four bytes each, before the random ones. */
const CARD_FORM = Buffer.from("GH2");
const ACCEPTED_AT = RANDOM;
const TIMEOUT = ACCEPTED_AT + 4;
export const CARD_CLASS_LENGTH = TIMEOUT + 4 + 16;

/**
 * A lease's Class also has its subscriber, because a router reports the MAC address, and whether it is only a prefix, which is
 * no session: six bytes and one.
 */
const LEASE_FORM = Buffer.from("GH3");
const HOLDER = RANDOM;
const IS_PREFIX = HOLDER + 6;
export const LEASE_CLASS_LENGTH = IS_PREFIX + 1 + 16;

/** A leased address of a subscriber, or only a prefix (DHCPv6). */
export interface Lease {
  readonly subscriberId: number;
  readonly isPrefix: boolean;
}

/** Writes the lease into a Class of its length. */
export function writeLease(sessionClass: Buffer, { subscriberId, isPrefix }: Lease): void {
  sessionClass.set(LEASE_FORM);
  sessionClass.writeUIntBE(subscriberId, HOLDER, 6);
  sessionClass[IS_PREFIX] = isPrefix ? 1 : 0;
}

/** A session's lease; undefined for another Class. */
export function readLease(sessionClass: Buffer | null): Lease | undefined {
  if (sessionClass?.length !== LEASE_CLASS_LENGTH || !hasForm(sessionClass, LEASE_FORM)) return undefined;
  return { subscriberId: sessionClass.readUIntBE(HOLDER, 6), isPrefix: sessionClass[IS_PREFIX] === 1 };
}

/** SQL: a Class is of the same lease, whichever renewal made it; the parameter is from `leaseHolder`. */
export const holderCondition = (
  holder: string,
) => `length(class) = ${LEASE_CLASS_LENGTH} AND substr(class, 1, ${REASON}) = x'${LEASE_FORM.toString("hex")}'
  AND substr(class, ${HOLDER + 1}, ${IS_PREFIX - HOLDER}) = ${holder}`;

/** The bytes that identify a lease; null for another Class. */
export function leaseHolder(sessionClass: Buffer | null): Buffer | null {
  return sessionClass && readLease(sessionClass) ? sessionClass.subarray(HOLDER, IS_PREFIX) : null;
}

export interface CardAccept {
  readonly acceptedAt: Seconds;
  /** From the session's start. */
  readonly sessionTimeout: Seconds;
}

/** Writes the Accept of a card into a Class of its length. */
export function writeCardAccept(sessionClass: Buffer, { acceptedAt, sessionTimeout }: CardAccept): void {
  sessionClass.set(CARD_FORM);
  sessionClass.writeUInt32BE(acceptedAt, ACCEPTED_AT);
  sessionClass.writeUInt32BE(sessionTimeout, TIMEOUT);
}

/** A card's Accept; undefined for another Class. */
export function readCardAccept(sessionClass: Buffer | null): CardAccept | undefined {
  if (sessionClass?.length !== CARD_CLASS_LENGTH || !hasForm(sessionClass, CARD_FORM)) return undefined;
  return {
    acceptedAt: sessionClass.readUInt32BE(ACCEPTED_AT),
    sessionTimeout: sessionClass.readUInt32BE(TIMEOUT),
  };
}

function hasForm(sessionClass: Buffer, form: Buffer): boolean {
  return form.equals(sessionClass.subarray(0, REASON));
}

/** Writes the grant over the first random bytes. */
export function writeGranted(sessionClass: Buffer, { acceptedAs, grantedTerms, grantedRate }: Granted): void {
  sessionClass.set(FORM);
  sessionClass[REASON] = acceptReasons.indexOf(acceptedAs);
  sessionClass.writeUIntBE(grantedTerms, TERMS, 6);
  sessionClass.writeUIntBE(grantedRate, RATE, 6);
}

type MaybeGranted = Granted | { [K in keyof Granted]: null };

const nothing: MaybeGranted = { acceptedAs: null, grantedTerms: null, grantedRate: null };

/** The grant in a Class; undefined for none, or one of another program or version. */
export function readGranted(sessionClass: Buffer | null): MaybeGranted {
  if (!sessionClass || !isOurs(sessionClass)) return nothing;
  const acceptedAs = acceptReasons[sessionClass[REASON] ?? -1];
  if (acceptedAs === undefined) return nothing;
  return {
    acceptedAs,
    grantedTerms: sessionClass.readUIntBE(TERMS, 6),
    grantedRate: sessionClass.readUIntBE(RATE, 6),
  };
}

function isOurs(sessionClass: Buffer): boolean {
  if (sessionClass.length === CLASS_LENGTH) return hasForm(sessionClass, FORM);
  if (sessionClass.length === LEASE_CLASS_LENGTH) return hasForm(sessionClass, LEASE_FORM);
  return sessionClass.length === CARD_CLASS_LENGTH && hasForm(sessionClass, CARD_FORM);
}
