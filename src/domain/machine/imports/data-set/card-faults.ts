import type { Db } from "../../../../../db/open.ts";
import { cardNumber, CodeKeys, normalCode } from "../../../goods/codes/codes.ts";
import type { Faults } from "../../../core/errors/errors.ts";
import { phrase } from "../../../core/errors/phrase.ts";
import { addFault } from "../../../core/fields/fields.ts";
import {
  findReferenceFaults,
  type Reference,
  type References,
  UNKNOWN,
} from "../../../core/references/references.ts";
import type { BatchOfCards, CardBatchRow } from "./card-batches.ts";
import type { CardRow, CardValues } from "./cards.ts";
import { addBelow, type Directory, referencesIn } from "./directory.ts";
import type { SubscriberRow } from "./subscribers.ts";

interface Beside {
  readonly directory: Directory;
  readonly batches: readonly CardBatchRow[];
  readonly findBatch: (id: number) => BatchOfCards | undefined;
  readonly subscribers: readonly SubscriberRow[];
}

const ofBatch: readonly Reference<"batch_id">[] = [["batch_id", "card_batches"]];
const ofCard: readonly Reference<"sold_by" | "voided_by" | "redeemed_by">[] = [
  ["sold_by", "staff"],
  ["voided_by", "staff"],
  ["redeemed_by", "subscribers"],
];

export function findCardFaults(
  db: Db,
  rows: readonly CardRow[],
  { directory, batches, findBatch, subscribers }: Beside,
  faults: Faults,
): void {
  const lookup = referencesIn(directory);
  const places = new Places(db, rows.some(({ known }) => !known) ? usernames(db, subscribers) : new Set());
  const cards = new Map<number, number>();
  for (const row of rows) {
    const { known, pointer, values } = row;
    const found: Faults = {};
    if (known) places.findChanges(row, found);
    else {
      const batchId = values.batch_id ?? 0;
      cards.set(batchId, (cards.get(batchId) ?? 0) + 1);
      findWrongReferences(lookup, directory, values, found);
      findStateFaults(values, findBatch(batchId), found);
      places.findTaken(row, findBatch(batchId), found);
    }
    addBelow(pointer, found, faults);
  }
  for (const { id, known, pointer, values } of batches) {
    const count = cards.get(id) ?? 0;
    if (known || values.quantity === undefined || count === values.quantity) continue;
    const message = phrase`is ${values.quantity}, and the file has ${count} of its cards; a batch comes with all of them`;
    addFault(faults, `${pointer}/quantity`, message);
  }
}

function findWrongReferences(
  lookup: References,
  directory: Directory,
  values: CardValues,
  found: Faults,
): void {
  findReferenceFaults(lookup, ofBatch, { isp: UNKNOWN, values }, found);
  const isp = directory.card_batches.get(values.batch_id ?? 0) ?? UNKNOWN;
  findReferenceFaults(lookup, ofCard, { isp, values }, found);
}

/** Times that a state requires or excludes. */
const times = {
  new: { needs: [], never: ["sold_at", "first_used_at", "voided_at"] },
  sold: { needs: ["sold_at"], never: ["first_used_at", "voided_at"] },
  active: { needs: ["first_used_at"], never: ["voided_at"] },
  void: { needs: ["voided_at"], never: [] },
} as const;

function findStateFaults(values: CardValues, batch: BatchOfCards | undefined, found: Faults): void {
  const state = values.state ?? "new";
  for (const name of times[state].needs)
    if (!values[name]) addFault(found, name, phrase`is required of a card that is ${state}`);
  for (const name of times[state].never)
    if (values[name]) addFault(found, name, phrase`must be left out of a card that is ${state}`);
  for (const what of ["sold", "voided"] as const)
    if (values[`${what}_by`] && !values[`${what}_at`])
      addFault(found, `${what}_by`, phrase`must be left out without ${what}_at`);
  if (values.charged_at && !values.first_used_at && batch?.chargeOn !== "handover")
    addFault(
      found,
      "charged_at",
      phrase`must be left out of a card that was not used, but where a reseller paid for the whole batch`,
    );
  if (values.ends_at && !values.first_used_at)
    addFault(found, "ends_at", phrase`must be left out: a card ends so long after its first use`);
  if (values.redeemed_by && (!values.first_used_at || batch?.kind === "access"))
    addFault(found, "redeemed_by", phrase`is for refill and package cards that were used`);
}

class Places {
  readonly #keys: CodeKeys;
  readonly #codes = new Map<string, string>();
  readonly #serials = new Map<string, string>();
  readonly #names: ReadonlySet<string>;
  readonly #byCode: (key: Buffer) => number | undefined;
  readonly #stored: (id: number) => { batchId: number; serial: number; codeKey: Uint8Array } | null;

  /** `names`: usernames, folded like codes. */
  constructor({ $client, vault }: Db, names: ReadonlySet<string>) {
    this.#keys = new CodeKeys(vault);
    this.#names = names;
    const byCode = $client.query<{ id: number }, [Buffer]>("SELECT id FROM cards WHERE code_key = ?");
    this.#byCode = (key) => byCode.get(key)?.id;
    const stored = $client.query<{ batchId: number; serial: number; codeKey: Uint8Array }, [number]>(
      "SELECT batch_id AS batchId, serial, code_key AS codeKey FROM cards WHERE id = ?",
    );
    this.#stored = (id) => stored.get(id);
  }

  /** A new card needs a free serial and code. */
  findTaken({ pointer, values }: CardRow, batch: BatchOfCards | undefined, found: Faults): void {
    const { batch_id: batchId, serial, code } = values;
    if (batchId && serial && batch) {
      const place = `${batchId} ${serial}`;
      const twin = this.#serials.get(place);
      this.#serials.set(place, twin ?? pointer);
      if (batch.isKnown)
        addFault(found, "batch_id", phrase`is a batch that has all its cards; new ones need a new batch`);
      else if (serial > batch.quantity)
        addFault(found, "serial", phrase`must not be above the quantity of its batch, ${batch.quantity}`);
      else if (twin !== undefined) addFault(found, "serial", phrase`is also that of ${twin}`);
    }
    if (!code) return;
    const twin = this.#codes.get(code);
    this.#codes.set(code, twin ?? pointer);
    const holder = this.#byCode(this.#keys.of(code));
    if (twin !== undefined) addFault(found, "code", phrase`is also that of ${twin}`);
    else if (holder !== undefined) addFault(found, "code", phrase`is that of ${cardNumber(holder)} here`);
    else if (this.#names.has(code))
      addFault(found, "code", phrase`is a username, which would win over the code`);
  }

  findChanges({ id, values }: CardRow, found: Faults): void {
    const stored = this.#stored(id);
    if (!stored) return;
    const { batch_id: batchId, serial, code } = values;
    const another = phrase`is not that of ${cardNumber(id)} here, which is another card`;
    if (batchId && batchId !== stored.batchId) addFault(found, "batch_id", another);
    if (serial && serial !== stored.serial) addFault(found, "serial", another);
    if (code && !this.#keys.of(code).equals(stored.codeKey)) addFault(found, "code", another);
  }
}

/** Usernames after the import, folded like codes; archived ones are free. */
function usernames({ $client }: Db, rows: readonly SubscriberRow[]): Set<string> {
  const stored = $client
    .query<{ id: number; username: string; archived: number | null }, []>(
      "SELECT id, username, archived_at AS archived FROM subscribers",
    )
    .all();
  const names = new Map(stored.map((one) => [one.id, one]));
  for (const { id, values } of rows) {
    const before = names.get(id);
    const { username = before?.username, archived_at: archived = before?.archived } = values;
    names.set(id, { id, username: username ?? "", archived: archived ?? null });
  }
  const left = [...names.values()].filter(({ archived }) => archived === null);
  return new Set(left.map(({ username }) => normalCode(username)));
}
