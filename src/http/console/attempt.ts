import { DomainError, type Faults, type FieldErrors } from "../../domain/core/errors/errors.ts";
import { Phrase, type PhraseValue } from "../../domain/core/errors/phrase.ts";
import { storedPhrase } from "../words/stored.ts";
import { attempt as tried } from "../pages/attempt.ts";
import type { StaffVisit } from "./guard.ts";
import type { ConsoleView } from "./view.ts";

type Seen = Pick<StaffVisit, "view">;

/** The result of `work`, or the refusal in words of the console. Throws at once what `failedAtOnce` does. */
export function attempt<T>({ view }: Seen, work: () => Promise<T>): Promise<T | DomainError> {
  return tried(work).then((outcome) => (outcome instanceof DomainError ? inWords(view, outcome) : outcome));
}

/** The same as `attempt` for synchronous work. */
export function attemptNow<T>({ view }: Seen, work: () => T): T | DomainError {
  try {
    return work();
  } catch (error) {
    if (error instanceof DomainError) return inWords(view, error);
    throw error;
  }
}

/** What `formatAmount` writes. */
const AMOUNT = /^-?\d+\.\d\d$/;
/** A phone number, whose sign a right-to-left sentence would put behind it. */
const SIGNED = /^[+-]\d/;

/** A phrase in the reader's language, with times, amounts and signed numbers as pages write them. */
export const told = ({ format, words }: ConsoleView, phrase: Phrase): string =>
  format.times(words.refusals(asWritten(format, phrase)));

function asWritten(format: ConsoleView["format"], { key, values }: Phrase): Phrase {
  const read = (value: PhraseValue): PhraseValue => {
    if (value instanceof Phrase) return asWritten(format, value);
    if (typeof value !== "string") return value;
    if (key !== null && AMOUNT.test(value)) return format.name(format.amount(Number(value.replace(".", ""))));
    return SIGNED.test(value) ? format.name(value) : value;
  };
  return new Phrase(key, values.map(read));
}

/** What a row was refused for, which it keeps as text. */
export const storedTold = (view: ConsoleView, text: string): string => told(view, storedPhrase(text));

/** Faults of fields as they are told to the reader. */
export const faultsTold = (view: ConsoleView, faults: Faults): FieldErrors =>
  Object.fromEntries(
    Object.entries(faults).map(([name, found]) => [name, found.map((fault) => told(view, fault))]),
  );

/** Message and fields of a refusal as they are told to the reader. */
export const refusalTold = (view: ConsoleView, { message, fields }: DomainError["phrases"]) => ({
  message: told(view, message),
  fields: fields && faultsTold(view, fields),
});

/** A refusal in words of the console; its code and details stay. */
export function inWords(view: ConsoleView, refusal: DomainError): DomainError {
  const { message, fields } = refusalTold(view, refusal.phrases);
  return Object.create(refusal, { message: { value: message }, fields: { value: fields } });
}
