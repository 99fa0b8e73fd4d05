import {
  AckPolicy,
  DeliverPolicy,
  jetstream,
  jetstreamManager,
  JetStreamApiCodes,
  JetStreamApiError,
} from "@nats-io/jetstream";
import { createInbox, nanos, type NatsConnection } from "@nats-io/transport-node";
import { BUCKET, STREAM } from "./subjects.ts";

/** Milliseconds between two signs of life of an idle consumer, and after which the server forgets one that nobody reads. */
const HEARTBEAT = 5000;
const FORGOTTEN_AFTER = 30_000;

/** What stands under a key of the bucket, or was put there just now; `delta`: how many come behind it. */
export interface BucketEntry {
  readonly key: string;
  readonly value: Uint8Array;
  readonly delta: number;
}

interface Watch {
  readonly entries: AsyncIterable<BucketEntry>;
  readonly stop: () => void;
}

/**
 * Reads what stands under the keys of a filter, then what is put there, by a consumer of that name: nats-server lets a box have those of its
 * own names alone. The bucket's library gives them names of chance. `lost` is called where something is missing. Rejects where there is no
 * bucket.
 */
export async function watchBucket(
  nc: NatsConnection,
  { name, filter, inbox, lost }: { name: string; filter: string; inbox: string; lost: () => void },
): Promise<Watch> {
  const manager = await jetstreamManager(nc, { checkAPI: false });
  try {
    await manager.consumers.delete(STREAM, name); // of the reading before
  } catch (error) {
    if (!isOfNone(error)) throw error;
  }
  await manager.consumers.add(STREAM, {
    name,
    filter_subject: `$KV.${BUCKET}.${filter}`,
    deliver_subject: createInbox(inbox),
    deliver_policy: DeliverPolicy.LastPerSubject,
    ack_policy: AckPolicy.None,
    max_deliver: 1,
    mem_storage: true,
    num_replicas: 1,
    flow_control: true,
    idle_heartbeat: nanos(HEARTBEAT),
    inactive_threshold: nanos(FORGOTTEN_AFTER),
  });
  const consumer = await jetstream(nc, { checkAPI: false }).consumers.getPushConsumer(STREAM, name);
  const messages = await consumer.consume();
  const prefix = `$KV.${BUCKET}.`.length;
  async function* read(): AsyncGenerator<BucketEntry> {
    let delivered = 0;
    for await (const { subject, data, headers, info } of messages) {
      if (info.deliverySequence !== ++delivered) return lost();
      if (headers?.get("KV-Operation")) continue; // it was taken out
      yield { key: subject.slice(prefix), value: data, delta: info.pending };
    }
  }
  return { entries: read(), stop: () => void messages.close() };
}

function isOfNone(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.ConsumerNotFound;
}
