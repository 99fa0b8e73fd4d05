import { jetstreamManager } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import type { NatsConnection } from "@nats-io/transport-node";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Db } from "../../db/open.ts";
import type { Claim } from "../domain/machine/access-boxes/claims.ts";
import {
  headEpoch,
  isFarAbove,
  claimedEpoch,
  readSigningKey,
} from "../domain/machine/access-boxes/signed-head.ts";
import { accessState, boxNames, recordSeal } from "../domain/machine/access-boxes/state.ts";
import { askNode } from "./ask.ts";
import { findLastEntry } from "./primary-stream.ts";
import { askSubject, BEAT, PRIMARY_STREAM, BUCKET, COMPLETE, HEAD } from "./subjects.ts";

/** Milliseconds an access box has to report the epoch it knows. */
const PATIENCE = 1500;

/** Name of the request for an access box's highest epoch; answered to any primary. */
export const EPOCH_ASK = "epoch";

/** What others know about the current primary. */
export interface EpochReport {
  /** The highest epoch proven by the primary's key, at least our own. */
  readonly epoch: number;
  /** Higher epochs that are claimed but not proven. */
  readonly claims: readonly Omit<Claim, "at">[];
}

export interface NatsEpochReport extends EpochReport {
  /** Whether the bucket has a head signed by this primary's key: nats-server knows the current primary. */
  readonly isSigned: boolean;
}

/** The highest epoch in the bucket or the stream. */
export async function epochInNats(nc: NatsConnection, db: Db): Promise<NatsEpochReport> {
  const own = accessState(db).epoch;
  const proven: number[] = [];
  const epochs: number[] = [];
  let isSigned = false;
  const manager = await jetstreamManager(nc);
  const names = new Set<string>();
  for await (const { config } of manager.streams.list()) names.add(config.name);
  if (names.has(`KV_${BUCKET}`)) {
    const bucket = await new Kvm(nc).open(BUCKET);
    for (const key of [HEAD, BEAT, `0.0.${COMPLETE}`]) {
      const entry = await bucket.get(key);
      if (entry?.operation !== "PUT") continue;
      epochs.push(claimedEpoch(entry.value) ?? 0);
      if (key !== HEAD) continue;
      const signed = headEpoch(entry.value, readSigningKey(db));
      isSigned = signed !== undefined;
      proven.push(signed ?? 0);
    }
  }
  // the stream is sealed under the appliance's own key, which no access box has: a record that opens is the primary's
  if (names.has(PRIMARY_STREAM)) proven.push((await findLastEntry(manager, db))?.epoch ?? 0);
  const epoch = Math.max(own, ...proven.filter((one) => !isFarAbove(one, own)));
  const highest = Math.max(0, ...epochs);
  return { epoch, isSigned, claims: highest > epoch ? [{ who: null, epoch: highest }] : [] };
}

/** Epochs known to the access boxes that answered and share our key, and the names of the others. */
export interface BoxEpochReport extends EpochReport {
  readonly silent: readonly string[];
}

const Phrases = Type.Object({
  epoch: Type.Integer({ minimum: 0 }),
  proof: Type.Optional(Type.String({ maxLength: 1000 })),
});

/** Asks every access box for the highest epoch it knows and its proof. */
export async function askEpochs(nc: NatsConnection, db: Db): Promise<BoxEpochReport> {
  const own = accessState(db).epoch;
  const seal = recordSeal(db);
  if (!seal) return { epoch: own, claims: [], silent: [] };
  const key = readSigningKey(db);
  const answers = await Promise.all(
    boxNames(db).map(async (name) => {
      const subject = askSubject(name);
      const bytes = seal.seal(
        subject,
        { epoch: 0, number: 0, isGone: false },
        JSON.stringify({ ask: EPOCH_ASK }),
      );
      try {
        const data = await askNode(nc, name, { bytes, patience: PATIENCE });
        const { epoch, proof } = Value.Parse(Phrases, JSON.parse(seal.open(`${subject}.answer`, data)));
        return { who: name, epoch, proven: proof && headEpoch(Buffer.from(proof, "base64"), key) };
      } catch {
        return name; // it is cut off, or has another key
      }
    }),
  );
  const epochs = answers.filter((one) => typeof one === "object");
  const proven = epochs.map((one) => one.proven || 0).filter((one) => !isFarAbove(one, own));
  const epoch = Math.max(own, ...proven);
  return {
    epoch,
    claims: epochs.filter((one) => one.epoch > epoch).map((one) => ({ who: one.who, epoch: one.epoch })),
    silent: answers.filter((one) => typeof one === "string"),
  };
}
