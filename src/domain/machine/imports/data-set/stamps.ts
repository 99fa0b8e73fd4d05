import { createHash } from "node:crypto";
import type { Db } from "../../../../../db/open.ts";
import { amount, fieldNames, text, time, type Values } from "../../../core/fields/fields.ts";
import type { Seconds } from "../../../core/time/time.ts";
import type { Row } from "./rows.ts";
import { type AccountColumn, wallets } from "./wallets.ts";

/** An exported stamp shows whether money or time moved since. */
export const stampField = text(64);

interface Service {
  readonly packageId: number;
  readonly expiresAt: Seconds;
  readonly activatedAt: Seconds | null;
  readonly frozenAt: Seconds | null;
  readonly paidUntil: Seconds | null;
  readonly renewsFrom: Seconds | null;
}

const accounts = { staff: "staff_id", subscribers: "subscriber_id" } as const;

/** Changes with the money or the term. */
export function stamps(db: Db, section: keyof typeof accounts): (id: number) => string {
  const readWallet = wallets(db, accounts[section]);
  const findService = services(db, accounts[section]);
  return (id) => {
    const { entry, at, balance } = readWallet(id);
    const { packageId, expiresAt, activatedAt, frozenAt, paidUntil, renewsFrom } = findService(id) ?? {};
    const pause = [frozenAt, paidUntil, renewsFrom];
    const isPlain = pause.every((time) => (time ?? null) === null); // then as version 0.1.0 wrote it
    const moved = [entry, at, balance, packageId, expiresAt, activatedAt, ...(isPlain ? [] : pause)];
    return createHash("sha256").update(moved.join(" ")).digest("hex").slice(0, 16);
  };
}

export const pauseFields = { frozen_at: time, paid_until: time, renews_from: time };

/** Fields that move by themselves. */
export const moneyFields = { balance: amount, current_expiration_date: time, ...pauseFields };

type MoneyValues = Values<typeof moneyFields> & { readonly stamp?: string | null };

/** A row whose money, term or use moved since the export, and stays. */
export interface Kept {
  readonly section: keyof typeof accounts | "cards";
  readonly id: number;
  readonly name: string;
  readonly fields: Readonly<Record<string, { file: string | null; store: string | null }>>;
}

/** Drops the money of rows with an old stamp, and returns those that differed. */
export function keepMoved<V extends MoneyValues>(
  db: Db,
  section: keyof typeof accounts,
  rows: readonly Row<V>[],
): { rows: readonly Row<V>[]; kept: readonly Kept[] } {
  if (!rows.some(({ known, values }) => known && values.stamp)) return { rows, kept: [] };
  const readStamp = stamps(db, section);
  const readWallet = wallets(db, accounts[section]);
  const findService = services(db, accounts[section]);
  const name = db.$client.query<{ username: string }, [number]>(
    `SELECT username FROM ${section} WHERE id = ?`,
  );
  const kept: Kept[] = [];
  const left = rows.map((row) => {
    const { id, known, values } = row;
    if (!known || !values.stamp || values.stamp === readStamp(id)) return row;
    const service = findService(id);
    const stored = {
      balance: readWallet(id).balance,
      current_expiration_date: service?.expiresAt ?? null,
      frozen_at: service?.frozenAt ?? null,
      paid_until: service?.paidUntil ?? null,
      renews_from: service?.renewsFrom ?? null,
    };
    const fields = differences(values, stored);
    if (Object.keys(fields).length > 0)
      kept.push({ section, id, name: name.get(id)?.username ?? "", fields });
    return { ...row, values: { ...values, ...noMoney } };
  });
  return { rows: left, kept };
}

const noMoney = Object.fromEntries(fieldNames(moneyFields).map((name) => [name, undefined]));

function differences(
  values: MoneyValues,
  stored: Record<keyof typeof moneyFields, number | null>,
): Kept["fields"] {
  const moved = fieldNames(moneyFields).filter((name) => {
    const value = values[name];
    return value !== undefined && value !== stored[name] && !(value === null && name === "balance");
  });
  const written = (name: keyof typeof moneyFields) => {
    const { show } = moneyFields[name];
    return { file: show(values[name]), store: show(stored[name]) };
  };
  return Object.fromEntries(moved.map((name) => [name, written(name)]));
}

/** Services by subscriber; staff have none. */
function services(db: Db, account: AccountColumn): (id: number) => Service | undefined {
  if (account === "staff_id") return () => undefined;
  const rows = db.$client
    .query<Service & { id: number }, []>(
      `SELECT subscriber_id AS id, package_id AS packageId, expires_at AS expiresAt, activated_at AS activatedAt,
         frozen_at AS frozenAt, paid_until AS paidUntil, renews_from AS renewsFrom FROM services`,
    )
    .all();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return (id) => byId.get(id);
}
