import { acceptReasons } from "../../../db/schema.ts";

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
  if (sessionClass?.length !== CLASS_LENGTH || !FORM.equals(sessionClass.subarray(0, REASON))) return nothing;
  const acceptedAs = acceptReasons[sessionClass[REASON] ?? -1];
  if (acceptedAs === undefined) return nothing;
  return {
    acceptedAs,
    grantedTerms: sessionClass.readUIntBE(TERMS, 6),
    grantedRate: sessionClass.readUIntBE(RATE, 6),
  };
}
