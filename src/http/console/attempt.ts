import { DomainError } from "../../domain/core/errors/errors.ts";
import { isSettingKey } from "../../domain/core/settings/settings.ts";
import { attempt as tried } from "../pages/attempt.ts";
import type { StaffVisit } from "./guard.ts";
import type { ConsoleView } from "./view.ts";

type Seen = Pick<StaffVisit, "view">;

/** The result of `work`, or the refusal in words of the console. Throws at once what `failedAtOnce` does. */
export function attempt<T>({ view }: Seen, work: () => Promise<T>): Promise<T | DomainError> {
  return tried(work).then((outcome) => (outcome instanceof DomainError ? inWords(view, outcome) : outcome));
}

/** As `attempt`, for synchronous work. */
export function attemptNow<T>({ view }: Seen, work: () => T): T | DomainError {
  try {
    return work();
  } catch (error) {
    if (error instanceof DomainError) return inWords(view, error);
    throw error;
  }
}

/** Names of fields, flags and calls in refusals, and what pages call them. */
const known: readonly (readonly [said: RegExp, words: string])[] = [
  [/^check (?:the fields|[\w, ]+)$/, "look at what is marked"],
  [/, or detach them \(--detach, detach=1\)[^;.]*/, ""],
  [/void it by invoice\/void without end_service/, "void the invoice alone"],
  [/, or net_price in its place/, ""],
  [/, or send its address with change_mac/, ""],
  [/(permissions that you lack): [\w, ]+;/, "$1;"],
  [/^must be a time such as \d{4}-.*$/, "must be a day and a time"],
  [/^must be a day such as \d{4}-.*$/, "must be a day"],
  [/with: gatehouse settings set garden_dns ADDRESS/, "in Settings, under Resolvers of the walled garden"],
  [/what gatehouse nas script prints/, "what its set-up page shows"],
  [/^backup_folder stays as it was: /, "nothing was changed: "],
];

type Said = ConsoleView["words"]["refusals"];

/** What the counter is refused and told, in the reader's language. */
const spoken: readonly (readonly [said: RegExp, words: (said: Said, found: readonly string[]) => string])[] =
  [
    [
      /insufficient balance: the package costs ([\d.]+), the wallet holds (-?[\d.]+); credit the subscriber first$/,
      ({ balance }, [price = "", held = ""]) => balance(price, held),
    ],
    [
      /insufficient balance: the package costs ([\d.]+), the wallet holds (-?[\d.]+) and ([\d.]+) of what was unused; credit the subscriber first$/,
      ({ balanceUnused }, [price = "", held = "", unused = ""]) => balanceUnused(price, held, unused),
    ],
    [
      /the subscriber was activated (\d+) s ago; try again in (\d+) s$/,
      ({ tooSoon }, [elapsed = "", left = ""]) => tooSoon(elapsed, left),
    ],
    [/^must be an amount with at most two decimals, such as 15\.00$/, ({ amount }) => amount],
    [
      /^must be an amount of 0 or more with at most two decimals, such as 15\.00$/,
      ({ notNegative }) => notNegative,
    ],
    [
      /^must be an amount above 0 with at most two decimals, such as 15\.00$/,
      ({ aboveNothing }) => aboveNothing,
    ],
    [/^is required$/, ({ required }) => required],
    [/^The open session has the current rate and end now\./, ({ line }) => line.changed],
    [
      /^The session was ended, so that the next login gets the current service\./,
      ({ line }) => line.reconnected,
    ],
    [/^The open session has the current service, but its router [^.]*\./, ({ line }) => line.redials],
    [/^The open session has the current service already\./, ({ line }) => line.unchanged],
    [/^The subscriber is offline; the next login gets the current service\./, ({ line }) => line.offline],
  ];

/** Hints at calls and commands, left out because pages have a button or field for them. */
const unsaid: readonly RegExp[] = [
  / \([a-z_]+\/[a-z_]+(?:(?:, | or )[a-z_]+\/[a-z_]+)*\)/g,
  / \(gatehouse [^()]*\)/g,
  /; [^;:]*: gatehouse [^;]*/g,
  /; name (?:one|an account) with [a-z]+_id\b/g,
];

/** A setting named in brackets; a username may stand there too, so the word has to be one of ours. */
const SETTING = / \(([a-z]+(?:_[a-z]+)+)(?: \d+)?\)/g;

/** Bare field names; never followed by what somebody typed, which may look like one. */
const FIELD = /\b(its|another) ([a-z]+(?:_[a-z]+)+)\b/g;

/** A refusal in the words of pages. */
export function plain({ format, words }: ConsoleView, text: string): string {
  const read = spoken.reduce(
    (so, [pattern, inPlace]) =>
      so.replace(pattern, (_, ...found: string[]) => inPlace(words.refusals, found)),
    text,
  );
  const reworded = known.reduce((so, [pattern, inPlace]) => so.replace(pattern, inPlace), read);
  const left = unsaid.reduce((so, name) => so.replace(name, ""), reworded);
  const named = left.replace(
    FIELD,
    (_, which: string, name: string) => `${which} ${name.replace(/_id$/, "").replaceAll("_", " ")}`,
  );
  return format.times(named.replace(SETTING, (all, name: string) => (isSettingKey(name) ? "" : all)));
}

/** A refusal with words of the console; its code and details stay. */
export function inWords(view: ConsoleView, refusal: DomainError): DomainError {
  const { message, fields } = refusal;
  const faults =
    fields &&
    Object.fromEntries(
      Object.entries(fields).map(([name, found]) => [name, found.map((fault) => plain(view, fault))]),
    );
  return Object.create(refusal, { message: { value: plain(view, message) }, fields: { value: faults } });
}
