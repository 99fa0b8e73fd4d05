import { Appliance } from "../../support/appliance.ts";
import { Books } from "../books.ts";
import { begin } from "../disk-faults.ts";
import { nothingSeen, Outage, type Seen } from "../outage.ts";
import { checkFaults } from "../soundness.ts";
import { sendAgain } from "../traffic.ts";

/** Milliseconds that a record may wait for its acknowledgement: the lock is free when the commands of staff have given up. */
const RELEASED = 90_000;
/** Seconds after which a command has given up waiting for the lock. */
const COMMAND_PATIENCE = 10;

export interface Locked extends Seen {
  readonly seconds: number;
  records: number;
}

/** Another process holds the write lock for so long, while routers and staff go on. */
export async function serveBehindLock(seconds: number): Promise<Locked> {
  await using appliance = new Appliance();
  await begin(appliance);
  const books = new Books();
  const outage = new Outage(appliance, await appliance.serve(), books);
  const seen: Locked = { ...nothingSeen(), seconds, records: 0 };
  const other = appliance.otherWriter();
  other.run("BEGIN IMMEDIATE");
  const end = performance.now() + seconds * 1000;
  const waiting: Promise<number>[] = [];
  const staff = useAll(outage, seen);
  while (performance.now() < end) {
    waiting.push(outage.report(seen, 20, RELEASED));
    seen.records += 20;
    await outage.logIn(seen, 20);
    await Bun.sleep(100);
  }
  await staff;
  if (books.records > 0) seen.faults.push(`${books.records} records were acknowledged behind the lock`);
  other.run("ROLLBACK");
  other.close();
  await Promise.all(waiting);
  if (seen.silent > 0) seen.faults.push(`${seen.silent} records were not taken when the lock was free`);
  await sendAgain(outage.at, books);
  await outage.recover(seen);
  seen.faults.push(...(await outage.decisions(seen.logins)), ...(await checkFaults(appliance)));
  return seen;
}

async function useAll(outage: Outage, seen: Locked): Promise<void> {
  await outage.useApi(seen, /try again/);
  if (seen.seconds > COMMAND_PATIENCE) await outage.useCommand(seen);
}
