import { acceptReasons } from "../../../../db/schema.ts";
import type { Seconds } from "../../core/time/time.ts";

/**
 * What a login was granted, as its session keeps it: why it was accepted, and fingerprints (48 bits, so that they are exact as
 * numbers) of what only another login can change, and of the rate.
 */
export interface Granted {
  acceptedAs: (typeof acceptReasons)[number];
  grantedTerms: number;
  grantedRate: number;
}

/**
 * The Class of an Accept: who made it and in which form, the place of the reason, both fingerprints, and random bytes. The
 * router sends it back with all accounting, so that no grant has to be stored between its Accept and its Start, nor can be lost.
 */
const FORM = Buffer.from("GH1");
const REASON = FORM.length;
const TERMS = REASON + 1;
const RATE = TERMS + 6;
const RANDOM = RATE + 6;
export const CLASS_LENGTH = RANDOM + 16;

/** The Class of a card's Accept says when it was, and how long it lets the session last: four bytes each, before the random ones. */
const CARD_FORM = Buffer.from("GH2");
const ACCEPTED_AT = RANDOM;
const TIMEOUT = ACCEPTED_AT + 4;
export const CARD_CLASS_LENGTH = TIMEOUT + 4 + 16;

/**
 * The Class of a lease says whose it is, because a router calls it by its MAC address, and whether it is a prefix alone, which
 * is no session: six bytes and one, before the random ones.
 */
const LEASE_FORM = Buffer.from("GH3");
const HOLDER = RANDOM;
const IS_PREFIX = HOLDER + 6;
export const LEASE_CLASS_LENGTH = IS_PREFIX + 1 + 16;

/** What a router leased by an Accept: an address to a subscriber, or a prefix alone (DHCPv6). */
export interface Lease {
  readonly subscriberId: number;
  readonly isPrefix: boolean;
}

/** Adds whose it is to what was granted, in a Class of a lease's length. */
export function writeLease(sessionClass: Buffer, { subscriberId, isPrefix }: Lease): void {
  sessionClass.set(LEASE_FORM);
  sessionClass.writeUIntBE(subscriberId, HOLDER, 6);
  sessionClass[IS_PREFIX] = isPrefix ? 1 : 0;
}

/** What a session leases; undefined where its Class is not that of a lease. */
export function readLease(sessionClass: Buffer | null): Lease | undefined {
  if (sessionClass?.length !== LEASE_CLASS_LENGTH || !hasForm(sessionClass, LEASE_FORM)) return undefined;
  return { subscriberId: sessionClass.readUIntBE(HOLDER, 6), isPrefix: sessionClass[IS_PREFIX] === 1 };
}

/** Whether a row's Class is of a lease, whichever renewal of it made the Class: a parameter that holds what `leaseHolder` says. */
export const isOfHolder = (
  holder: string,
) => `length(class) = ${LEASE_CLASS_LENGTH} AND substr(class, 1, ${REASON}) = x'${LEASE_FORM.toString("hex")}'
  AND substr(class, ${HOLDER + 1}, ${IS_PREFIX - HOLDER}) = ${holder}`;

/** The bytes of a lease's Class that say whose it is; null where a Class is not that of a lease. */
export function leaseHolder(sessionClass: Buffer | null): Buffer | null {
  return sessionClass && readLease(sessionClass) ? sessionClass.subarray(HOLDER, IS_PREFIX) : null;
}

export interface CardAccept {
  readonly acceptedAt: Seconds;
  /** From the session's start. */
  readonly sessionTimeout: Seconds;
}

/** Adds it to what was granted, in a Class of a card's length. */
export function writeCardAccept(sessionClass: Buffer, { acceptedAt, sessionTimeout }: CardAccept): void {
  sessionClass.set(CARD_FORM);
  sessionClass.writeUInt32BE(acceptedAt, ACCEPTED_AT);
  sessionClass.writeUInt32BE(sessionTimeout, TIMEOUT);
}

/** What the Accept of a card's session was; undefined where its Class does not say. */
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

/** Writes what was granted over the beginning of random bytes. */
export function writeGranted(sessionClass: Buffer, { acceptedAs, grantedTerms, grantedRate }: Granted): void {
  sessionClass.set(FORM);
  sessionClass[REASON] = acceptReasons.indexOf(acceptedAs);
  sessionClass.writeUIntBE(grantedTerms, TERMS, 6);
  sessionClass.writeUIntBE(grantedRate, RATE, 6);
}

type MaybeGranted = Granted | { [K in keyof Granted]: null };

const nothing: MaybeGranted = { acceptedAs: null, grantedTerms: null, grantedRate: null };

/** What a session was granted by its Class; nothing is known where there is none, or another program or version made it. */
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
