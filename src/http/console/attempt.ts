import { DomainError } from "../../domain/core/errors/errors.ts";
import { isSettingKey } from "../../domain/core/settings/settings.ts";
import { attempt as tried } from "../pages/attempt.ts";
import type { StaffVisit } from "./guard.ts";
import type { ConsoleView } from "./view.ts";

type Seen = Pick<StaffVisit, "view">;

/** What the work says, or why it was refused, in words of the console. Throws at once what `failedAtOnce` does. */
export function attempt<T>({ view }: Seen, work: () => Promise<T>): Promise<T | DomainError> {
  return tried(work).then((outcome) => (outcome instanceof DomainError ? inWords(view, outcome) : outcome));
}

/** The same for what waits for nothing. */
export function attemptNow<T>({ view }: Seen, work: () => T): T | DomainError {
  try {
    return work();
  } catch (error) {
    if (error instanceof DomainError) return inWords(view, error);
    throw error;
  }
}

/** What an operation calls by names of its fields, flags and calls, as somebody before a page knows it. */
const known: readonly (readonly [said: RegExp, words: string])[] = [
  [/^check (?:the fields|[\w, ]+)$/, "look at what is marked"],
  [/, or detach them \(--detach, detach=1\)[^;.]*/, ""],
  [/void it by invoice\/void without end_service/, "void the invoice alone"],
  [/, or net_price in its place/, ""],
  [/, or send its address with change_mac/, ""],
  [/^must be a time such as \d{4}-.*$/, "must be a day and a time"],
  [/^must be a day such as \d{4}-.*$/, "must be a day"],
  [/with: gatehouse settings set garden_dns ADDRESS/, "in Settings, under Resolvers of the walled garden"],
  [/what gatehouse nas script prints/, "what its set-up page shows"],
  [/^backup_folder stays as it was: /, "nothing was changed: "],
  [/; credit the subscriber first$/, "; take more money first"],
];

/** Of what pages have a button or a field for: calls and commands that are named beside it. */
const unsaid: readonly RegExp[] = [
  / \([a-z_]+\/[a-z_]+(?:(?:, | or )[a-z_]+\/[a-z_]+)*\)/g,
  / \(gatehouse [^()]*\)/g,
  /; [^;:]*: gatehouse [^;]*/g,
  /; name (?:one|an account) with [a-z]+_id\b/g,
];

/** A setting that is named beside what follows from it, with its value; a username may stand there too. */
const SETTING = / \(([a-z]+(?:_[a-z]+)+)(?: \d+)?\)/g;

/** Fields that stand bare in a sentence; what somebody typed, which may look like one, stands nowhere after these words. */
const FIELD = /\b(its|another) ([a-z]+(?:_[a-z]+)+)\b/g;

/** A sentence of an operation as a page says it. */
export function plain({ format }: ConsoleView, text: string): string {
  const reworded = known.reduce((so, [pattern, inPlace]) => so.replace(pattern, inPlace), text);
  const left = unsaid.reduce((so, name) => so.replace(name, ""), reworded);
  const named = left.replace(
    FIELD,
    (_, which: string, name: string) => `${which} ${name.replace(/_id$/, "").replaceAll("_", " ")}`,
  );
  return format.times(named.replace(SETTING, (all, name: string) => (isSettingKey(name) ? "" : all)));
}

/** The same refusal with other words: what kind it is stays, and what else it says. */
export function inWords(view: ConsoleView, refusal: DomainError): DomainError {
  const { message, fields } = refusal;
  const faults =
    fields &&
    Object.fromEntries(
      Object.entries(fields).map(([name, found]) => [name, found.map((fault) => plain(view, fault))]),
    );
  return Object.create(refusal, { message: { value: plain(view, message) }, fields: { value: faults } });
}
