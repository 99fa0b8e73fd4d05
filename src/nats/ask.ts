import { createInbox, type NatsConnection } from "@nats-io/transport-node";
import { answersOf, askOf } from "./subjects.ts";

/** Sends a sealed request to an access box. Rejects when no answer comes in time. */
export async function askNode(
  nc: NatsConnection,
  node: string,
  { bytes, patience }: { bytes: Uint8Array; patience: number },
): Promise<Uint8Array> {
  const reply = createInbox(answersOf(node));
  const { data } = await nc.request(askOf(node), bytes, { timeout: patience, noMux: true, reply });
  return data;
}
