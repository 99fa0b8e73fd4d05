import type { Db } from "../../../../../db/open.ts";
import { REFILL_OF_NOTHING } from "../../../service/cards/batches.ts";
import type { CardBatch } from "../../../service/cards/standing.ts";
import { resellerPriceFault } from "../../../goods/packages/fields.ts";
import type { Faults } from "../../../core/errors/errors.ts";
import { phrase } from "../../../core/errors/phrase.ts";
import { addFault, fieldNames, type Input, readFields, type Values } from "../../../core/fields/fields.ts";
import { findReferenceFaults, type Reference } from "../../../core/references/references.ts";
import type { DurationUnit, Seconds } from "../../../core/time/time.ts";
import { cardBatchFields, requiredBatchFields } from "./card-fields.ts";
import type { StoredRow } from "./change-log.ts";
import { addBelow, type Directory, enter, referencesIn } from "./directory.ts";
import { exportRows } from "./export-rows.ts";
import { type Row, readRows } from "./rows.ts";
import { type Columns, StagedRows, type Staging } from "./staging.ts";

type BatchValues = Values<typeof cardBatchFields>;
export type CardBatchRow = Row<BatchValues>;

/** Changeable fields of a known batch; the rest is printed or paid. */
const changeable = ["note", "sell_by", "use_by"] as const;
/** History of a batch, which a file cannot change. */
const done = ["created_at", "created_by", "actor", "voided_at"] as const;
const left = new Set<string>([...changeable, ...done, "isp_id"]);
const printed = fieldNames(cardBatchFields).filter((name) => !left.has(name));

const references: readonly Reference<"branch_id" | "package_id" | "reseller_id" | "created_by">[] = [
  ["branch_id", "branches"],
  ["package_id", "packages"],
  ["reseller_id", "staff"],
  ["created_by", "staff"],
];

export function exportCardBatches(db: Db) {
  return exportRows(db, {
    table: "card_batches",
    fields: cardBatchFields,
    own: { data_quota_bytes: { sql: "t.quota_total", show: (stored: unknown) => Number(stored) } },
  });
}

export function readCardBatches(file: Input, stored: Directory, faults: Faults): CardBatchRow[] {
  return readRows(
    file["card_batches"],
    "/card_batches",
    {
      names: new Set(Object.keys(cardBatchFields)),
      read: (row, found, { known }) =>
        readFields(cardBatchFields, row, found, { required: requiredBatchFields, partial: known }),
    },
    stored.card_batches,
    faults,
  );
}

export function findCardBatchFaults(
  db: Db,
  rows: readonly CardBatchRow[],
  directory: Directory,
  faults: Faults,
): void {
  enter(directory, "card_batches", rows, faults);
  const lookup = referencesIn(directory);
  const find = db.$client.query<StoredRow, [number]>("SELECT * FROM card_batches WHERE id = ?");
  for (const { id, pointer, values } of rows) {
    const found: Faults = {};
    const stored = find.get(id);
    if (stored) findChanges(stored, values, found);
    else {
      const isp = directory.card_batches.get(id) ?? null;
      findReferenceFaults(lookup, references, { isp, values }, found);
      findKindFaults(values, found);
      findResellerFaults(values, found);
    }
    addBelow(pointer, found, faults);
  }
}

function findChanges(stored: StoredRow, values: BatchValues, found: Faults): void {
  const ids = toColumns(values);
  for (const name of printed) {
    const column = name === "data_quota_bytes" ? "quota_total" : name;
    const before = stored[column] ?? null;
    if (ids[column] === undefined || ids[column] === before) continue;
    const { show = String } = cardBatchFields[name];
    const is = before === null || before === "" ? "empty" : String(show(before));
    addFault(found, name, phrase`cannot change, its cards are printed; it is ${is}`);
  }
}

function findKindFaults(values: BatchValues, found: Faults): void {
  const { kind, package_id: packageId, duration, duration_unit: unit, uptime_seconds: uptime } = values;
  if (kind === "refill" && packageId)
    addFault(found, "package_id", phrase`must be left out: a refill brings money, its price, into a wallet`);
  if (kind === "refill" && values.price === 0) addFault(found, "price", REFILL_OF_NOTHING);
  if (kind !== "refill" && !packageId)
    addFault(found, "package_id", phrase`is required, for what the cards give`);
  if (((duration ?? null) === null) !== ((unit ?? null) === null))
    addFault(
      found,
      duration ? "duration_unit" : "duration",
      phrase`is required: a time is a count and its unit`,
    );
  const isEndless = !duration && !uptime && !values.data_quota_bytes;
  if (kind === "access" && isEndless)
    addFault(
      found,
      "duration",
      phrase`is required where neither uptime_seconds nor data_quota_bytes ends a card`,
    );
  if (!values.length !== !values.alphabet)
    addFault(
      found,
      values.length ? "alphabet" : "length",
      phrase`is required: codes are so many of these symbols`,
    );
}

function findResellerFaults(values: BatchValues, found: Faults): void {
  const { reseller_id: resellerId, reseller_price: own, charge_on: chargeOn, price } = values;
  if (!resellerId) {
    for (const name of ["reseller_price", "charge_on"] as const)
      if ((values[name] ?? null) !== null)
        addFault(found, name, phrase`is for a batch that a reseller holds; name reseller_id too`);
    return;
  }
  if ((own ?? null) === null)
    addFault(found, "reseller_price", phrase`is required, for what the reseller pays for a card`);
  if (!chargeOn) addFault(found, "charge_on", phrase`is required, for when the reseller pays`);
  const fault = resellerPriceFault(price ?? 0, own ?? null);
  if (fault) addFault(found, "reseller_price", fault);
}

function toColumns({ data_quota_bytes: quota, branch_id: branch, ...values }: BatchValues): Columns {
  return { ...values, branch_id: branch === undefined ? undefined : branch || null, quota_total: quota };
}

/** The batch as after the import. */
export interface BatchOfCards extends Pick<Required<BatchValues>, "kind"> {
  readonly quantity: number;
  readonly duration: number | null;
  readonly durationUnit: DurationUnit | null;
  readonly chargeOn: CardBatch["chargeOn"];
  readonly isKnown: boolean;
}

export function cardBatchReader({ $client }: Db, rows: readonly CardBatchRow[]) {
  const find = $client.query<Omit<BatchOfCards, "isKnown">, [number]>(
    "SELECT kind, quantity, duration, duration_unit AS durationUnit, charge_on AS chargeOn FROM card_batches WHERE id = ?",
  );
  const batches = new Map<number, BatchOfCards | undefined>();
  for (const { id, known, values } of rows) {
    if (known) continue;
    const { kind = null, quantity = 0, duration = null, duration_unit: durationUnit = null } = values;
    const { charge_on: chargeOn = null } = values;
    batches.set(id, { kind, quantity: quantity ?? 0, duration, durationUnit, chargeOn, isKnown: false });
  }
  return (id: number): BatchOfCards | undefined => {
    if (!batches.has(id)) {
      const stored = find.get(id);
      batches.set(id, stored ? { ...stored, isKnown: true } : undefined);
    }
    return batches.get(id);
  };
}

/** The importer is the default maker. */
export function stageCardBatches(
  staging: Staging,
  rows: readonly CardBatchRow[],
  { maker, now }: { maker: string; now: Seconds },
): StagedRows {
  const staged = new StagedRows(staging, "card_batches");
  for (const row of rows) {
    const { note, sell_by, use_by, ...values } = row.values;
    const { created_at, created_by, actor } = values;
    const onInsert = {
      ...toColumns(values),
      created_at: created_at ?? now,
      actor: created_by ? null : (actor ?? maker),
    };
    staged.put(row.id, staged.find(row), { note, sell_by, use_by }, { onInsert });
  }
  return staged;
}
