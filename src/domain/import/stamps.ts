import { createHash } from "node:crypto";
import type { Db } from "../../../db/open.ts";
import { text } from "../fields.ts";
import { formatAmount } from "../money.ts";
import { formatTime, type Seconds } from "../time.ts";
import type { Row } from "./rows.ts";
import { type AccountColumn, wallets } from "./wallets.ts";

/** What an export says of a row, so that an import sees whether money or time has moved since. */
export const stampField = text(64);

interface Service {
  readonly packageId: number;
  readonly expiresAt: Seconds;
  readonly activatedAt: Seconds | null;
}

/** Who has money: its account in the ledger is that of `account`; a subscriber has a service beside. */
const accounts = { staff: "staff_id", subscribers: "subscriber_id" } as const;

/** The stamp of every row: another one whenever its money, or the term of its service, moved. */
export function stamps(db: Db, section: keyof typeof accounts): (id: number) => string {
  const walletOf = wallets(db, accounts[section]);
  const serviceOf = services(db, accounts[section]);
  return (id) => {
    const { entry, at, balance } = walletOf(id);
    const { packageId, expiresAt, activatedAt } = serviceOf(id) ?? {};
    const moved = [entry, at, balance, packageId, expiresAt, activatedAt];
    return createHash("sha256").update(moved.join(" ")).digest("hex").slice(0, 16);
  };
}

interface MoneyValues {
  readonly stamp?: string | null;
  readonly username?: string | null;
  readonly balance?: number | null;
  readonly current_expiration_date?: Seconds | null;
}

/** A row whose money or term moved since it was exported, so that what the file says about them is not taken. */
export interface Kept {
  readonly section: keyof typeof accounts;
  readonly id: number;
  readonly name: string;
  readonly fields: Readonly<Record<string, { file: string | null; store: string | null }>>;
}

/**
 * The rows of the file, those that carry an old stamp as `withoutMoney` leaves them, and of these the ones of which the
 * file says something else than the store.
 */
export function keepMoved<V extends MoneyValues>(
  db: Db,
  section: keyof typeof accounts,
  rows: readonly Row<V>[],
  withoutMoney: (values: V) => V,
): { rows: readonly Row<V>[]; kept: readonly Kept[] } {
  if (!rows.some(({ known, values }) => known && values.stamp)) return { rows, kept: [] };
  const stampOf = stamps(db, section);
  const walletOf = wallets(db, accounts[section]);
  const serviceOf = services(db, accounts[section]);
  const name = db.$client.query<{ username: string }, [number]>(
    `SELECT username FROM ${section} WHERE id = ?`,
  );
  const kept: Kept[] = [];
  const left = rows.map((row) => {
    const { id, known, values } = row;
    if (!known || !values.stamp || values.stamp === stampOf(id)) return row;
    const { balance: wallet } = walletOf(id);
    const fields = differences(values, wallet, serviceOf(id)?.expiresAt ?? null);
    if (Object.keys(fields).length > 0)
      kept.push({ section, id, name: name.get(id)?.username ?? "", fields });
    return { ...row, values: withoutMoney(values) };
  });
  return { rows: left, kept };
}

function differences(
  { balance, current_expiration_date: expiresAt }: MoneyValues,
  wallet: number,
  storedExpiry: Seconds | null,
): Kept["fields"] {
  const fields: Record<string, { file: string | null; store: string | null }> = {};
  if (typeof balance === "number" && balance !== wallet)
    fields["balance"] = { file: formatAmount(balance), store: formatAmount(wallet) };
  if (expiresAt !== undefined && expiresAt !== storedExpiry)
    fields["current_expiration_date"] = { file: shownTime(expiresAt), store: shownTime(storedExpiry) };
  return fields;
}

function shownTime(time: Seconds | null): string | null {
  return time === null ? null : formatTime(time);
}

/** The services by their subscriber; staff have none. */
function services(db: Db, account: AccountColumn): (id: number) => Service | undefined {
  if (account === "staff_id") return () => undefined;
  const rows = db.$client
    .query<Service & { id: number }, []>(
      "SELECT subscriber_id AS id, package_id AS packageId, expires_at AS expiresAt, activated_at AS activatedAt FROM services",
    )
    .all();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return (id) => byId.get(id);
}
