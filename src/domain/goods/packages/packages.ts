import { columnsFromRow, partialRow, selectColumns } from "../../../../db/columns.ts";
import { all, equal, type Value } from "../../../../db/condition.ts";
import { insert } from "../../../../db/insert.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { packages } from "../../../../db/schema.ts";
import { update } from "../../../../db/update.ts";
import { listIspPools } from "../address-pools/give.ts";
import { findPackagePoolFaults } from "../address-pools/rules.ts";
import { isTopUp } from "./top-up.ts";
import { audit, auditEntry } from "../../core/audit/audit.ts";
import { readTax, type Tax } from "../tax/tax.ts";
import { DomainError, type Faults, rejectFaults, known } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import {
  addFault,
  type Field,
  type Input,
  readFields,
  scopeId,
  viewValue,
  type Values,
  without,
} from "../../core/fields/fields.ts";
import { ispForNewRow } from "../../core/references/references.ts";
import { type Actor, requireWholeIsp, type Scope } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Seconds } from "../../core/time/time.ts";
import { countUses, usesInWords } from "../../core/references/uses.ts";
import {
  type FairPackage,
  fairRateFault,
  netPrice,
  packageFields,
  requiredPackageFields,
  resellerPriceFault,
  toFairPackage,
} from "./fields.ts";
import { priceSent, splitPrice } from "./price.ts";
import { countHolders } from "./terms.ts";

type Package = typeof packages.$inferSelect;

export type PricedPackage = Package & { readonly net: number; readonly tax: number };

/** `net_price` replaces `price`. */
export const packageInput = { ...without(packageFields, ["isp_id"]), net_price: netPrice };
/** Fields required besides one of `price` and `net_price`. */
export const requiredInput = requiredPackageFields.filter((name) => name !== "isp_id" && name !== "price");

export const packageSorts = ["name", "id", "price", "created_at"] as const;

export interface PackageChoice {
  readonly name?: string | null | undefined;
  readonly status?: 0 | 1 | null | undefined;
  readonly billingType?: string | null | undefined;
  readonly sort: (typeof packageSorts)[number];
  readonly descending: boolean;
  readonly limit: number;
  readonly offset: number;
}

interface At {
  readonly now: Seconds;
}

const select = `SELECT ${selectColumns(packages, "p")} FROM packages p`;

export function listPackages(
  db: Db,
  by: Actor,
  { name, status, billingType, sort, descending, limit, offset }: PackageChoice,
): { records: PricedPackage[]; total: number } {
  permit(by, "listPackages");
  const { text, values } = all(
    equal("p.isp_id", by.scope.ispId),
    equal("p.name", name),
    equal("p.status", status),
    equal("p.billing_type", billingType),
  );
  const direction = descending ? "DESC" : "ASC";
  const first = sort === "id" ? "" : `p.${sort}${sort === "name" ? " COLLATE NOCASE" : ""} ${direction}, `;
  const rows = db.$client
    .query<Package, Value[]>(
      `${select} WHERE ${text} ORDER BY ${first}p.id ${direction} LIMIT ? + 0 OFFSET ?`,
    )
    .all(...values, limit, offset);
  const counted = db.$client
    .query<{ total: number }, Value[]>(`SELECT count(*) AS total FROM packages p WHERE ${text}`)
    .get(...values);
  const taxes = new Map<number, Tax>();
  const taxAt = ({ ispId }: Package) => taxes.getOrInsertComputed(ispId, () => readTax(db, ispId));
  return { records: rows.map((row) => priced(db, row, taxAt(row))), total: counted?.total ?? 0 };
}

export function packageById(db: Db, by: Actor, id: number): PricedPackage {
  permit(by, "packageById");
  return priced(db, find(db, by.scope, id));
}

/** Creates a package by `price` or `net_price`. Throws `invalid` with every fault, `forbidden` for another ISP and to accounts of a branch. */
export function createPackage(db: Db, by: Actor, input: Input, { now }: At): PricedPackage {
  permit(by, "createPackage");
  requireWholeIsp(by, "packages");
  const faults: Faults = {};
  const { isp_id: named } = readFields({ isp_id: scopeId }, input, faults);
  const values = readFields(packageInput, input, faults, { required: requiredInput });
  return write(db, (tx) => {
    const ispId = ispForNewRow(tx, by, named);
    const sum = priceSent(values, readTax(tx, ispId).taxPercent, faults);
    if (sum === undefined && !faults["price"] && !faults["net_price"])
      addFault(faults, "price", phrase`is required, or net_price in its place`);
    findResellerFault({ price: sum, resellerPrice: values.reseller_price ?? null }, faults);
    findRateFault(toFairPackage(values), faults);
    findPoolFaults(tx, ispId, values, undefined, faults);
    rejectFaults(faults);
    const row = { ...partialRow(packages, { ...values, price: sum }), ispId, createdAt: now };
    const id = insert(tx, packages, row as typeof packages.$inferInsert); // the required fields have values
    const created = priced(tx, find(tx, by.scope, id));
    audit(tx, by, now, { ...entry(created, "create"), after: auditRecord(created) });
    return created;
  });
}

/**
 * Holders keep old terms until the next activation, or until they are applied; `holders` counts them in the scope. Throws
 * `not_found`, `invalid` with every fault, `forbidden` as createPackage.
 */
export function updatePackage(
  db: Db,
  by: Actor,
  { id, input }: { id: number; input: Input },
  { now }: At,
): { changed: PricedPackage; holders: number } {
  permit(by, "updatePackage");
  requireWholeIsp(by, "packages");
  const faults: Faults = {};
  const values = readFields(packageInput, input, faults, {
    required: [...requiredInput, "price", "net_price"],
    partial: true,
  });
  return write(db, (tx) => {
    const before = find(tx, by.scope, id);
    const sum = priceSent(values, readTax(tx, before.ispId).taxPercent, faults);
    if (sum !== undefined || values.reseller_price !== undefined)
      findResellerFault(
        {
          price: sum ?? before.price,
          resellerPrice: values.reseller_price === undefined ? before.resellerPrice : values.reseller_price,
        },
        faults,
      );
    findRateFault(toFairPackage(values, before), faults);
    findPoolFaults(tx, before.ispId, values, before, faults);
    rejectFaults(faults);
    const changes = partialRow(packages, { ...values, price: sum });
    if (Object.values(changes).some((value) => value !== undefined)) update(tx, packages, changes, { id });
    const changed = priced(tx, find(tx, by.scope, id));
    if (isTopUp(changed) && !isTopUp(before)) requireNobodys(tx, before);
    const records = { before: auditRecord(before), after: auditRecord(changed) };
    audit(tx, by, now, { ...entry(changed, "update"), ...records });
    return { changed, holders: countHolders(tx, by.scope, changed, now) };
  });
}

/** Holders keep it. Throws not_found, and `forbidden` as createPackage. */
export function setPackageStatus(
  db: Db,
  by: Actor,
  { id, status }: { id: number; status: 0 | 1 },
  { now }: At,
): PricedPackage {
  permit(by, "setPackageStatus");
  requireWholeIsp(by, "packages");
  return write(db, (tx) => {
    const before = find(tx, by.scope, id);
    update(tx, packages, { status }, { id });
    const action = status === 1 ? "enable" : "disable";
    audit(tx, by, now, { ...entry(before, action), before: { status: before.status }, after: { status } });
    return priced(tx, find(tx, by.scope, id));
  });
}

/** Deletes a package never sold and in no profile. Throws not_found, `refused` with its uses, `forbidden` as createPackage. */
export function deletePackage(db: Db, by: Actor, { id }: { id: number }, { now }: At): Package {
  permit(by, "deletePackage");
  requireWholeIsp(by, "packages");
  return write(db, (tx) => {
    const sold = find(tx, by.scope, id);
    requireUnused(tx, sold);
    tx.$client.query("DELETE FROM packages WHERE id = ?").run(id);
    audit(tx, by, now, { ...entry(sold, "delete"), before: auditRecord(sold) });
    return sold;
  });
}

function requireUnused(tx: Tx, { id, name }: Package): void {
  const uses = countUses(tx, packages, id);
  if (uses.length === 0) return;
  const isProfilesOnly = uses.every(({ table }) => table === "subscribers");
  throw new DomainError(
    "refused",
    isProfilesOnly
      ? phrase`the package ${name} is in the profile of ${usesInWords(uses)}; give them another one first, or disable it`
      : phrase`the package ${name} was sold: ${usesInWords(uses)}; disable it, so that nobody else gets it`,
    { code: "in_use" },
  );
}

/** Nobody can be renewed by a top-up. */
function requireNobodys({ $client }: Tx, { id, name }: Package): void {
  const holders = $client
    .query<{ count: number }, [number]>("SELECT count(*) AS count FROM subscribers WHERE package_id = ?")
    .get(id)?.count;
  if (!holders) return;
  throw new DomainError(
    "refused",
    phrase`${name} is the package of subscribers (${holders}), and a top-up is no service of its own; add another package for it`,
    { code: "in_use" },
  );
}

function findRateFault(fair: FairPackage, faults: Faults): void {
  const fault = faults["rate_limit"] ? undefined : fairRateFault(fair);
  if (fault) addFault(faults, "rate_limit", fault);
}

function findResellerFault(
  { price: sum, resellerPrice }: { price: number | undefined; resellerPrice: number | null },
  faults: Faults,
): void {
  const fault = sum === undefined ? undefined : resellerPriceFault(sum, resellerPrice);
  if (fault) addFault(faults, "reseller_price", fault);
}

/** Adds faults of pools if any field that concerns them is sent. */
function findPoolFaults(
  tx: Tx,
  ispId: number,
  { address_pool, delegated_ipv6_from, simultaneous_use }: Values<typeof packageInput>,
  before: Package | undefined,
  faults: Faults,
): void {
  if (address_pool === undefined && delegated_ipv6_from === undefined && simultaneous_use === undefined)
    return;
  const sold = {
    address_pool: address_pool === undefined ? (before?.addressPool ?? null) : address_pool,
    delegated_ipv6_from:
      delegated_ipv6_from === undefined ? (before?.delegatedIpv6From ?? null) : delegated_ipv6_from,
    simultaneous_use: simultaneous_use ?? before?.simultaneousUse ?? 1,
  };
  findPackagePoolFaults(listIspPools(tx, ispId), sold, faults);
}

function find({ $client }: Db, { ispId }: Scope, id: number): Package {
  const { text, values } = all(equal("p.id", id), equal("p.isp_id", ispId));
  return known(
    $client.query<Package, Value[]>(`${select} WHERE ${text}`).get(...values),
    phrase`there is no package ${id}`,
  );
}

function priced(db: Db, row: Package, { taxPercent } = readTax(db, row.ispId)): PricedPackage {
  return { ...row, ...splitPrice(row.price, taxPercent) };
}

function auditRecord(row: Package) {
  const named: Record<string, unknown> = columnsFromRow(packages, row);
  const entries = Object.entries<Field<unknown>>(packageFields);
  return Object.fromEntries(entries.map(([name, field]) => [name, viewValue(field, named[name])]));
}

const entry = auditEntry("package");
