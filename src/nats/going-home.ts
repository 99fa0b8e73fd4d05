import type { NatsConnection } from "@nats-io/transport-node";
import { type Db, writePatiently } from "../../db/open.ts";
import { type Elapsed, homecomings, type JournalBatch } from "../domain/machine/access-boxes/journal.ts";
import { parseHead } from "../domain/machine/access-boxes/seal.ts";
import { accessState, keepHome, nodeTrust, recordSeal } from "../domain/machine/access-boxes/state.ts";
import type { Clock } from "../domain/core/time/time.ts";
import type { Ending } from "./ending.ts";
import { homeSubject } from "./subjects.ts";

/** Rows of the journal sent at once. */
const ROWS = 500;
const BYTES = 400_000;
/** Milliseconds until an unanswered batch is sent again, and between two checks of an empty journal. */
const PATIENCE = 5000;
const LOOK_EVERY = 100;

interface Needs {
  readonly name: string;
  readonly clock: Clock;
  readonly elapsed: Elapsed;
  readonly isConnected: () => boolean;
}

/** Sends the journal of an access box from where the primary has it, batch after batch as each is acknowledged, until the stop. */
export async function goHomeAlways(
  db: Db,
  { name, clock, elapsed, isConnected }: Needs,
  { nc, ending }: { nc: NatsConnection; ending: Ending },
): Promise<void> {
  let isAnswered = false;
  while (!ending.isCome) {
    try {
      const { home } = accessState(db);
      const rows = homecomings(db, { after: home, limit: ROWS, bytes: BYTES, elapsed, now: clock() });
      // the first time even without rows: a restored primary may ask for more than this store thinks it has
      if (!isConnected() || (rows.length === 0 && isAnswered)) {
        await ending.pause(LOOK_EVERY);
        continue;
      }
      const { proof } = nodeTrust(db);
      const carried = proof === null ? undefined : Buffer.from(proof).toString("base64");
      await goHome(db, { nc, name, batch: { after: home, rows, proof: carried } });
      isAnswered = true;
    } catch {
      isAnswered = false;
      await ending.pause(1000); // nobody answers: the books are away, or not reached
    }
  }
}

async function goHome(
  db: Db,
  { nc, name, batch }: { nc: NatsConnection; name: string; batch: JournalBatch },
): Promise<void> {
  const seal = recordSeal(db);
  if (!seal) throw new Error("this box has no key yet");
  const subject = homeSubject(name);
  const { highest } = accessState(db);
  const head = { epoch: highest, number: batch.rows[0]?.number ?? 0, isGone: false };
  const { data } = await nc.request(subject, seal.seal(subject, head, JSON.stringify(batch)), {
    timeout: PATIENCE,
  });
  const { journal } = JSON.parse(seal.open(`${subject}.answer`, data)) as { journal: number };
  if (parseHead(data).epoch < highest) throw new Error("these books are over");
  // a restored primary has less than before: its number counts, and the rest is sent again
  await writePatiently(db, (tx) => keepHome(tx, journal));
}
