import { type Db, type Tx, write } from "../../../../db/open.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase, type Phrase, phrases } from "../../core/errors/phrase.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { subscriberById } from "../../goods/subscribers/find.ts";
import type { Seconds } from "../../core/time/time.ts";
import { bulkOperation, type Effect } from "./operations.ts";
import { permitBulk, requireInput, type Started } from "./start.ts";

/** Subscribers tried for a preview. */
const TRIED = 1000;
const BATCH = 100;

export interface Tried {
  readonly id: number;
  readonly name: string;
  readonly hasEnded: boolean;
  readonly outcome:
    | { readonly kind: "done"; readonly effect: Effect }
    | { readonly kind: "same" }
    | { readonly kind: "refused"; readonly message: Phrase };
}

export interface Trial {
  readonly tried: readonly Tried[];
  readonly total: number;
}

/** Runs and rolls back. Throws `forbidden`, `invalid`. */
export async function tryBulk(
  db: Db,
  by: Actor,
  { operation, ids, values: input }: Started,
  { now }: { now: Seconds },
): Promise<Trial> {
  permit(by, "tryBulk");
  permitBulk(by, operation);
  requireInput(operation, input, { now });
  const tried: Tried[] = [];
  for (let from = 0; from < Math.min(ids.length, TRIED); from += BATCH) {
    if (from > 0) await Bun.sleep(1);
    const some = ids.slice(from, Math.min(from + BATCH, TRIED));
    tried.push(
      ...undone(db, (tx) => some.map((id) => tryOne(tx, by, id, { operation, values: input, now }))),
    );
  }
  return { tried, total: ids.length };
}

type TrialInput = Omit<Started, "ids"> & { readonly now: Seconds };

function tryOne(tx: Tx, by: Actor, id: number, { operation, values: input, now }: TrialInput): Tried {
  const { run, isDone } = bulkOperation(operation);
  try {
    const subscriber = subscriberById(tx, by.scope, id);
    const who = { id, name: subscriber.name, hasEnded: hasEnded(tx, id, now) };
    if (isDone?.(subscriber, input)) return { ...who, outcome: { kind: "same" } };
    try {
      const effect = write(tx, (inner) => run(inner, by, id, input, { now, startedAt: now, nth: 0 }));
      return { ...who, outcome: { kind: "done", effect } };
    } catch (error) {
      return { ...who, outcome: { kind: "refused", message: refusalWords(error) } };
    }
  } catch (error) {
    return {
      id,
      name: String(id),
      hasEnded: false,
      outcome: { kind: "refused", message: refusalWords(error) },
    };
  }
}

function hasEnded({ $client }: Tx, id: number, now: Seconds): boolean {
  const sql = "SELECT 1 FROM services WHERE subscriber_id = ? AND expires_at <= ?";
  return $client.query<unknown, [number, number]>(sql).get(id, now) !== null;
}

function refusalWords(error: unknown): Phrase {
  if (error instanceof DomainError) return wholeRefusal(error);
  throw error;
}

/** The refusal with its faults of fields. */
export function wholeRefusal({ phrases: { message, fields = {} } }: DomainError): Phrase {
  const faults = Object.entries(fields).map(([name, found]) => phrase`${name} ${phrases(found, ", ")}`);
  return faults.length === 0 ? message : phrases(faults);
}

function undone<T>(db: Db, body: (tx: Tx) => T): T {
  let answer: { readonly value: T } | undefined;
  class Undone extends Error {}
  try {
    write(db, (tx) => {
      answer = { value: body(tx) };
      throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone) || !answer) throw error;
  }
  if (!answer) throw new Error("a trial has no answer");
  return answer.value;
}
