import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Database } from "bun:sqlite";
import { MigrationError } from "../../../../db/migrate.ts";
import { type Db, openReader, openStore } from "../../../../db/open.ts";
import { holdFile } from "../../../../db/serving.ts";
import { isLocked } from "../../../../db/sqlite-error.ts";
import { checkStore } from "../check/check.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase, verbatim } from "../../core/errors/phrase.ts";
import { setting } from "../../core/settings/settings.ts";
import { operator } from "../../core/actor/operator.ts";
import type { Seconds } from "../../core/time/time.ts";
import { verifyChecksum } from "./checksum.ts";
import { fileSize, requireSpace, storeFiles } from "../../core/files/files.ts";
import { readLabel } from "./label.ts";
import { restoreBackup } from "./restore.ts";
import { keyName } from "./sealed-key.ts";

/* A trial restores a backup into a temporary folder by the real operation, opens, migrates and checks it as a server would, and removes it. */

const PREFIX = "trial-";
/** Copies on disk during a trial: its own, the one before migration, and that one's needs. */
const COPIES = 3;
/** Bytes left for the live store meanwhile. */
const SPARE = 200e6;

export interface TrialOrder {
  readonly folder: string;
  readonly file: string;
  readonly now: Seconds;
  /** Takes the key from the backup, as on another machine; else the folder's. */
  readonly passphrase?: string | undefined;
}

const trialSteps = ["copying", "verifying", "replacing", "opening", "checking", "counting"] as const;
export type TrialStep = (typeof trialSteps)[number];

/** Amounts in minor units by currency. */
export interface Counted {
  readonly subscribers: number;
  readonly payments: number;
  readonly invoices: number;
  readonly entries: number;
  readonly balances: readonly { readonly currency: string; readonly amount: number }[];
}

export interface Trial {
  readonly createdAt: Seconds;
  readonly program: string;
  readonly restored: Counted;
  readonly live: Counted;
  readonly paymentsSince: number;
  readonly faults: readonly string[];
}

/** Throws `refused` for a backup that cannot be restored, `conflict` without room. */
export async function runTrial(
  order: TrialOrder,
  step: (step: TrialStep) => void = () => {},
): Promise<Trial> {
  try {
    return await restoreAside(order, step);
  } catch (error) {
    throw inWords(error);
  }
}

/** Errors of SQLite and the migrations in words. */
function inWords(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof MigrationError) return new DomainError("refused", verbatim(error.message));
  const code = "code" in error ? String(error.code) : "";
  if (!/^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/.test(code)) return error;
  return new DomainError("refused", phrase`the copy is damaged: ${error.message}; take another one`);
}

async function restoreAside(order: TrialOrder, step: (step: TrialStep) => void): Promise<Trial> {
  const { folder, file, now, passphrase } = order;
  using _alone = claimTrials(folder);
  removeOld(folder);
  requireRoom(folder, fileSize(file) * COPIES + SPARE);
  requireWayIn(order);
  const trial = mkdtempSync(join(folder, PREFIX));
  try {
    const { createdAt, program } = await restoreBackup({
      folder: trial,
      file,
      now,
      passphrase: async () => passphrase ?? "",
      ...(passphrase === undefined && { keyFile: storeFiles(folder).key }),
      progress: (name) => step(trialSteps.find((one) => one === name) ?? "verifying"),
    });
    step("opening");
    const db = openStore(trial, { now });
    try {
      step("checking");
      const faults = checkStore(db, operator("gatehouse", "system"), { now })
        .filter(({ severity }) => severity === "error")
        .map(({ subject, message }) => `${subject}: ${message}`);
      step("counting");
      return { createdAt, program, faults, ...compare(db, folder) };
    } finally {
      db.$client.close();
    }
  } finally {
    rmSync(trial, { recursive: true, force: true });
  }
}

/** Throws `conflict` for a full disk, which says nothing of the backup. */
function requireRoom(folder: string, bytes: number): void {
  try {
    requireSpace(folder, bytes);
  } catch (error) {
    if (error instanceof DomainError) throw new DomainError("conflict", error.phrases.message);
    throw error;
  }
}

/** Throws `conflict` while another trial of this store runs. */
function claimTrials(folder: string): Disposable {
  try {
    return holdFile(join(folder, "trial.lock"));
  } catch (error) {
    if (!isLocked(error)) throw error;
    throw new DomainError("conflict", phrase`another backup is being tried; wait until that is done`);
  }
}

/** Removes what trial restores left, unless one is running. */
export function removeTrials(folder: string): void {
  try {
    using _alone = claimTrials(folder);
    removeOld(folder);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
}

function removeOld(folder: string): void {
  for (const name of readdirSync(folder))
    if (name.startsWith(PREFIX)) rmSync(join(folder, name), { recursive: true, force: true });
}

/** Throws `refused` for a wrong key; the restore finds other faults. */
function requireWayIn({ folder, file, passphrase }: TrialOrder): void {
  verifyChecksum(file); // a key that does not fit may be a byte that changed
  using client = new Database(file, { readonly: true, strict: true });
  const { keySealed, keyName: needed } = readLabel(client);
  if (passphrase !== undefined && !keySealed)
    throw new DomainError(
      "refused",
      phrase`the key is not in this backup, so that no passphrase opens it; try it without one, which takes the key of this box`,
    );
  if (passphrase !== undefined || keyName(readFileSync(storeFiles(folder).key, "utf8")) === needed) return;
  throw new DomainError(
    "refused",
    phrase`this backup was made under another key than this box has; try it with its passphrase`,
  );
}

function compare(restored: Db, folder: string) {
  const live = openReader(folder);
  try {
    return {
      restored: countedIn(restored),
      live: countedIn(live),
      paymentsSince: paymentsAfter(live, newestPayment(restored)),
    };
  } finally {
    live.$client.close();
  }
}

function countedIn(db: Db): Counted {
  const rows = (table: "subscribers" | "payments" | "invoices" | "ledger_entries") =>
    db.$client.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0;
  return {
    subscribers: rows("subscribers"),
    payments: rows("payments"),
    invoices: rows("invoices"),
    entries: rows("ledger_entries"),
    balances: sumBalances(db),
  };
}

function sumBalances(db: Db): Counted["balances"] {
  const sums = db.$client
    .query<{ ispId: number; amount: number }, []>(
      `SELECT s.isp_id AS ispId, sum(w.balance) AS amount FROM wallets w JOIN subscribers s ON s.id = w.subscriber_id GROUP BY 1`,
    )
    .all();
  const byCurrency = new Map<string, number>();
  for (const { ispId, amount } of sums) {
    const currency = setting(db, "currency", ispId);
    byCurrency.set(currency, (byCurrency.get(currency) ?? 0) + amount);
  }
  return [...byCurrency].map(([currency, amount]) => ({ currency, amount }));
}

function newestPayment({ $client }: Db): number {
  return $client.query<{ id: number | null }, []>("SELECT max(id) AS id FROM payments").get()?.id ?? 0;
}

function paymentsAfter({ $client }: Db, id: number): number {
  return (
    $client.query<{ n: number }, [number]>("SELECT count(*) AS n FROM payments WHERE id > ?").get(id)?.n ?? 0
  );
}
