import { ARRIVED } from "../../../parts/hrefs.ts";

export const BANK_FILE = `${ARRIVED}/bank`;
export const BANK_READ = `${BANK_FILE}/read`;
export const BANK_LOOK = `${BANK_FILE}/look`;
export const BANK_TAKE = `${BANK_FILE}/take`;
export const GUESSED = `${ARRIVED}/guessed`;

/** Bytes of a file: a form's limit less room for its fields. */
export const MOST_BYTES = 900_000;
/** Lines that can be ticked at once. */
export const MOST_TICKS = 500;
