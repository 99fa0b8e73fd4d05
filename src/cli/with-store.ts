import { type Db, openStore, refuseWrites } from "../../db/open.ts";
import { openReadOnly } from "../../db/read-only.ts";
import { DomainError } from "../domain/core/errors/errors.ts";
import { MoneyWait } from "../domain/machine/access-boxes/money-waits.ts";
import { heldBecause } from "../domain/machine/access-boxes/promote.ts";
import { errorCode } from "../listen-error.ts";
import type { Cli } from "./cli.ts";
import { followZone } from "./follow-zone.ts";

export interface StoreOptions {
  readonly create?: boolean;
  readonly held?: boolean;
}

export async function withStore<T>(
  { config, io, now }: Cli,
  body: (db: Db) => T | Promise<T>,
  { create = false, held = false }: StoreOptions,
): Promise<T> {
  const db = openStore(config.dataDir, { create, now: now() });
  const words = held ? undefined : heldBecause(db);
  if (words !== undefined)
    refuseWrites(db, () => {
      throw new DomainError("refused", words);
    });
  try {
    followZone(db);
    const money = new MoneyWait(db);
    const result = await body(db);
    const only = await money.words();
    if (only !== undefined) io.stderr.write(`${only}: the nats-server does not have it yet\n`);
    return result;
  } finally {
    db.$client.close();
  }
}

export async function readStore<T>(cli: Cli, body: (db: Db) => T | Promise<T>): Promise<T> {
  const db = openToRead(cli);
  try {
    followZone(db);
    return await body(db);
  } finally {
    db.$client.close();
  }
}

function openToRead({ config: { dataDir }, now }: Cli): Db {
  try {
    return openStore(dataDir, { now: now() });
  } catch (error) {
    if (!notWritable.test(String(errorCode(error)))) throw error;
    return openReadOnly(dataDir);
  }
}

/** Errors of opening for writing in a read-only folder. */
const notWritable = /^(EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_CANTOPEN)/;
