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

/** Milliseconds between heartbeats of an idle consumer, and after which the server deletes an abandoned one. */
const HEARTBEAT = 5000;
const FORGOTTEN_AFTER = 30_000;

/** An entry of the bucket; `delta`: how many follow. */
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
 * Reads the present keys of a filter and then its changes, through a consumer of the given name: nats-server allows an access
 * box only its own names, and the KV library uses random ones. `lost` is called when something was missed. Rejects when there
 * is no bucket.
 */
export async function watchBucket(
  nc: NatsConnection,
  { name, filter, inbox, lost }: { name: string; filter: string; inbox: string; lost: () => void },
): Promise<Watch> {
  const manager = await jetstreamManager(nc, { checkAPI: false });
  try {
    await manager.consumers.delete(STREAM, name); // of the reading before
  } catch (error) {
    if (!isNoConsumer(error)) throw error;
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

function isNoConsumer(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.ConsumerNotFound;
}
