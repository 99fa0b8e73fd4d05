import { selectColumns } from "../../../../db/columns.ts";
import { insert } from "../../../../db/insert.ts";
import { type Db, write } from "../../../../db/open.ts";
import { cardBatches, packages } from "../../../../db/schema.ts";
import { isTopUp } from "../../goods/packages/top-up.ts";
import { cardTerms } from "../../goods/packages/package-terms.ts";
import { audit } from "../../core/audit/audit.ts";
import { actingColumns } from "../../money/billing/ledger.ts";
import { DomainError, type Faults, rejectFaults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { addFault, type Input, readFields, type Values } from "../../core/fields/fields.ts";
import { formatAmount } from "../../core/amounts/money.ts";
import {
  findReferenceFaults,
  ispForNewRow,
  type Reference,
  storedReferences,
} from "../../core/references/references.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { RESELLER } from "../../core/actor/profile-types.ts";
import type { Seconds } from "../../core/time/time.ts";
import { batchFields } from "./batch-fields.ts";
import { cardNumber, CLEAR_SYMBOLS, lengthNeeded } from "../../goods/codes/codes.ts";
import { noBatch } from "./reach.ts";
import { countSql, withCounts } from "./counts.ts";
import { chargeHandover } from "./handover.ts";
import { makeCards } from "./make.ts";
import type { CardBatch } from "./standing.ts";

const requiredFields = ["kind", "quantity", "price"] as const;
const references: readonly Reference<"branch_id" | "package_id" | "reseller_id">[] = [
  ["branch_id", "branches"],
  ["package_id", "packages"],
  ["reseller_id", "staff"],
];

/** Error for a refill without a price. */
export const REFILL_OF_NOTHING = phrase`must be above 0.00: it is what a refill brings`;

type Sent = Values<typeof batchFields>;
export type NewBatch = typeof cardBatches.$inferInsert;

export interface MadeBatch {
  readonly batch: CardBatch;
  readonly first: string;
  readonly last: string;
}

/**
 * Makes a batch with its cards and hands it to its reseller, who pays if due at the handover; one transaction. Throws `invalid`
 * with every fault, `refused` when the wallet does not cover it, `forbidden` to a reseller and outside the scope. `most`: cards that are
 * made of it, where it is undone.
 */
export function createCardBatch(
  db: Db,
  by: Actor,
  input: Input,
  { now, most = Infinity }: { now: Seconds; most?: number },
): MadeBatch {
  permit(by, "createCardBatch");
  return write(db, (tx) => {
    const row = newBatch(tx, by, input, now);
    const id = insert(tx, cardBatches, { ...row, ...makerColumns(by) });
    const batch = storedBatch(tx, id);
    const made = makeCards(tx, batch, most);
    chargeHandover(tx, by, batch, now);
    audit(tx, by, now, {
      action: "card_batch.create",
      entity: "card_batch",
      entityId: id,
      ispId: batch.ispId,
      after: batchView(batch),
    });
    return { batch, first: cardNumber(made.first), last: cardNumber(made.last) };
  });
}

/** Previews `createCardBatch` without writing. Throws its field errors. */
export function planCardBatch(db: Db, by: Actor, input: Input, { now }: { now: Seconds }): NewBatch {
  permit(by, "planCardBatch");
  return db.$client.transaction(() => newBatch(db, by, input, now))();
}

function newBatch(db: Db, by: Actor, input: Input, now: Seconds): NewBatch {
  requireMaking(by);
  const faults: Faults = {};
  const sent = readFields(batchFields, input, faults, { required: requiredFields });
  const ispId = ispForNewRow(db, by, sent.isp_id);
  const branchId = sent.branch_id || by.scope.branchId;
  if (by.scope.branchId !== null && branchId !== by.scope.branchId)
    throw new DomainError(
      "forbidden",
      phrase`the batch is of another branch than your account; leave branch_id out`,
      { code: "other_branch" },
    );
  const values = { ...sent, branch_id: branchId };
  findReferenceFaults(storedReferences(db), references, { isp: ispId, values }, faults);
  rejectFaults(faults);
  const row = checkRow(db, by, { sent: { ...values, isp_id: ispId }, now }, faults);
  rejectFaults(faults);
  return row;
}

export function requireMaking({ scope }: Actor): void {
  if (scope.salespersonId === null) return;
  throw new DomainError("forbidden", phrase`a reseller makes no cards; ask staff of the ISP for a batch`, {
    code: "staff_only",
  });
}

function makerColumns(by: Actor): Pick<NewBatch, "createdBy" | "actor"> {
  const { actingStaffId, actor } = actingColumns(by);
  return { createdBy: actingStaffId, actor };
}

/** A batch by id, without scope. */
export function storedBatch({ $client }: Pick<Db, "$client">, id: number): CardBatch {
  const batch = $client
    .query<CardBatch, [number]>(
      `SELECT ${selectColumns(cardBatches, "b")} FROM card_batches b WHERE b.id = ?`,
    )
    .get(id);
  if (!batch) throw noBatch(id);
  return batch;
}

export function batchView(batch: CardBatch): object {
  const { kind, packageId, quantity, prefix, length, price, resellerId, resellerPrice, chargeOn } = batch;
  return {
    kind,
    package_id: packageId,
    quantity,
    prefix,
    length,
    price: formatAmount(price),
    reseller_id: resellerId,
    charge_on: chargeOn,
    reseller_price: resellerPrice === null ? null : formatAmount(resellerPrice),
  };
}

type Package = typeof packages.$inferSelect;

function checkRow(
  tx: Pick<Db, "$client">,
  by: Actor,
  { sent, now }: { sent: Sent & { isp_id: number }; now: Seconds },
  faults: Faults,
): NewBatch {
  const { kind, quantity, price, prefix, alphabet, reseller_id: resellerId } = sent;
  const sold = checkPackage(tx, sent, faults);
  const batch = {
    ispId: sent.isp_id,
    branchId: sent.branch_id ?? null,
    kind: kind ?? "access",
    packageId: sold?.id ?? null,
    price: price ?? 0,
    needsSale: sent.needs_sale ?? 0,
    sellBy: sent.sell_by ?? null,
    useBy: sent.use_by ?? null,
    note: sent.note ?? null,
    lockFirstDevice: sent.lock_first_device ?? 0,
    offline: sent.offline ?? 1,
    createdAt: now,
    ...checkHandover(sent, faults),
    ...(sold && kind === "access" && checkTerms(sold, sent, faults)),
  };
  if (kind === "refill" && price === 0) addFault(faults, "price", REFILL_OF_NOTHING);
  if (resellerId) requireReseller(tx, by, resellerId, faults);
  for (const name of ["sell_by", "use_by"] as const)
    if ((sent[name] ?? Infinity) <= now) addFault(faults, name, phrase`must lie ahead`);
  const form = { prefix: prefix ?? "", alphabet: alphabet ?? CLEAR_SYMBOLS, quantity: quantity ?? 1 };
  return { ...batch, ...form, length: checkLength(tx, form, sent.length, faults) };
}

function checkPackage(
  tx: Pick<Db, "$client">,
  { kind, package_id: id }: Sent,
  faults: Faults,
): Package | undefined {
  if (kind === "refill") {
    if (id)
      addFault(
        faults,
        "package_id",
        phrase`must be left out: a refill brings money, its price, into a wallet`,
      );
    return undefined;
  }
  if (!id) {
    addFault(faults, "package_id", phrase`is required, for what the cards give`);
    return undefined;
  }
  const sold = tx.$client
    .query<Package, [number]>(`SELECT ${selectColumns(packages, "p")} FROM packages p WHERE p.id = ?`)
    .get(id);
  if (sold?.status !== 1)
    addFault(faults, "package_id", phrase`is a package that is not sold; enable it first`);
  else if (kind === "access") findFairUseFault(sold, faults);
  return sold ?? undefined;
}

/** An access card has no subscriber's service: top-ups do not apply, and it has a single rate. */
function findFairUseFault(sold: Package, faults: Faults): void {
  if (isTopUp(sold))
    addFault(faults, "package_id", phrase`is a top-up; make cards of the kind package of it`);
  else if (sold.tiers !== null || sold.hours !== null || sold.fairWindow !== "period")
    addFault(
      faults,
      "package_id",
      phrase`has tiers, hours or a window of the calendar, which access cards do not have; name a package without`,
    );
}

function checkHandover(
  sent: Sent,
  faults: Faults,
): Pick<NewBatch, "resellerId" | "resellerPrice" | "chargeOn"> {
  const { reseller_id: resellerId, reseller_price: resellerPrice, charge_on: chargeOn, price } = sent;
  if (!resellerId) {
    for (const name of ["reseller_price", "charge_on"] as const)
      if (sent[name] !== undefined && sent[name] !== null)
        addFault(faults, name, phrase`is for a batch that a reseller gets; name reseller_id too`);
    return { resellerId: null, resellerPrice: null, chargeOn: null };
  }
  if (resellerPrice === undefined || resellerPrice === null)
    addFault(faults, "reseller_price", phrase`is required, for what the reseller pays for a card`);
  else if (resellerPrice > (price ?? 0))
    addFault(
      faults,
      "reseller_price",
      phrase`must not be above the price, which is ${formatAmount(price ?? 0)}`,
    );
  return { resellerId, resellerPrice: resellerPrice ?? 0, chargeOn: chargeOn ?? "use" };
}

function requireReseller(tx: Pick<Db, "$client">, { scope }: Actor, id: number, faults: Faults): void {
  const account = tx.$client
    .query<{ profileType: number; status: number; branchId: number | null }, [number]>(
      "SELECT profile_type AS profileType, status, branch_id AS branchId FROM staff WHERE id = ?",
    )
    .get(id);
  if (account?.profileType !== RESELLER || account.status !== 1)
    addFault(faults, "reseller_id", phrase`must be a Reseller whose account is enabled`);
  else if (scope.branchId !== null && account.branchId !== scope.branchId)
    addFault(faults, "reseller_id", phrase`must be a Reseller of your branch`);
}

/** Terms of an access card: its package's present terms, and its own limits. */
function checkTerms(sold: Package, sent: Sent, faults: Faults): Partial<NewBatch> {
  const { quotaTotal, simultaneousUse, ...terms } = cardTerms(sold);
  const isByClock = (sent.by_clock ?? 1) === 1;
  const bounds = {
    duration: isByClock ? (sent.duration ?? sold.duration) : null,
    durationUnit: isByClock ? (sent.duration_unit ?? sold.durationUnit) : null,
    uptimeSeconds: sent.uptime_seconds ?? null,
    quotaTotal: sent.data_quota_bytes ?? quotaTotal,
    simultaneousUse: sent.devices ?? simultaneousUse,
  };
  if (!isByClock && bounds.uptimeSeconds === null && bounds.quotaTotal === 0)
    addFault(
      faults,
      "by_clock",
      phrase`must be 1 where neither uptime_seconds nor data_quota_bytes ends a card`,
    );
  return { ...terms, ...bounds };
}

interface CodeForm {
  readonly prefix: string;
  readonly alphabet: string;
  readonly quantity: number;
}

/** Code length: as requested, unless guessable. */
function checkLength(
  tx: Pick<Db, "$client">,
  form: CodeForm,
  requested: number | null | undefined,
  faults: Faults,
): number {
  const { alphabet } = form;
  let needed = Math.max(requested ?? 1, lengthNeeded(alphabet, form.quantity));
  for (; ; needed++) {
    const alike = tx.$client
      .query<{ cards: number }, [string, string, number]>(
        `SELECT coalesce(sum(b.quantity - ${countSql({ state: "void" })}), 0) AS cards FROM ${withCounts} WHERE b.prefix = ? AND b.alphabet = ? AND b.length = ?`,
      )
      .get(form.prefix, alphabet, needed);
    if (lengthNeeded(alphabet, (alike?.cards ?? 0) + form.quantity) <= needed) break;
  }
  if (requested && requested < needed)
    addFault(
      faults,
      "length",
      phrase`must be ${needed} at the least, so that nobody guesses one of the codes`,
    );
  return requested ?? needed;
}
