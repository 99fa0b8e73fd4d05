import { jetstreamManager } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import type { NatsConnection } from "@nats-io/transport-node";
import type { Db } from "../../db/open.ts";
import { headOf } from "../domain/access-boxes/seal.ts";
import { recordSeal } from "../domain/access-boxes/state.ts";
import { askOf, BEAT, BOOKS, BOOKS_STREAM, BUCKET, COMPLETE } from "./subjects.ts";

/** Milliseconds that a box has to say which epoch it has heard of. */
const PATIENCE = 1500;

/** What a box is asked, by books of whatever epoch: the highest that it has heard of. */
export const EPOCH_ASK = "epoch";

/** The highest epoch that the bucket or the stream has seen. Only books may write to either, so the heads are believed. */
export async function epochInNats(nc: NatsConnection): Promise<number> {
  let highest = 0;
  const hear = (bytes: Uint8Array) => void (highest = Math.max(highest, headOf(bytes).epoch));
  const manager = await jetstreamManager(nc);
  const names = new Set<string>();
  for await (const { config } of manager.streams.list()) names.add(config.name);
  if (names.has(`KV_${BUCKET}`)) {
    const bucket = await new Kvm(nc).open(BUCKET);
    for (const key of [BEAT, `0.0.${COMPLETE}`]) {
      const entry = await bucket.get(key);
      if (entry?.operation === "PUT") hear(entry.value);
    }
  }
  if (names.has(BOOKS_STREAM)) {
    const { state } = await manager.streams.info(BOOKS_STREAM);
    if (state.messages > 0) {
      const last = await manager.streams.getMessage(BOOKS_STREAM, { last_by_subj: BOOKS });
      if (last) hear(last.data);
    }
  }
  return highest;
}

/** What boxes have heard of: the highest epoch of those that answer and share our key, and the names of the others. */
export interface HeardByBoxes {
  readonly epoch: number;
  readonly silent: readonly string[];
}

/** Asks every box for the highest epoch that it has heard of. */
export async function epochOfBoxes(nc: NatsConnection, db: Db): Promise<HeardByBoxes> {
  const seal = recordSeal(db);
  if (!seal) return { epoch: 0, silent: [] };
  const boxes = db.$client
    .query<{ name: string }, []>("SELECT name FROM access_boxes WHERE removed_at IS NULL")
    .all();
  const heard = await Promise.all(
    boxes.map(async ({ name }) => {
      const subject = askOf(name);
      const bytes = seal.seal(
        subject,
        { epoch: 0, number: 0, isGone: false },
        JSON.stringify({ ask: EPOCH_ASK }),
      );
      try {
        const { data } = await nc.request(subject, bytes, { timeout: PATIENCE });
        return (JSON.parse(seal.open(`${subject}.answer`, data)) as { epoch: number }).epoch;
      } catch {
        return name; // it is cut off, or has another key
      }
    }),
  );
  return {
    epoch: Math.max(0, ...heard.filter((one) => typeof one === "number")),
    silent: heard.filter((one) => typeof one === "string"),
  };
}
