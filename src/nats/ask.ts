import { createInbox, type NatsConnection } from "@nats-io/transport-node";
import { answersSubject, askSubject } from "./subjects.ts";

/** Sends a sealed request to an access box. Rejects when no answer comes in time. */
export async function askNode(
  nc: NatsConnection,
  node: string,
  { bytes, patience }: { bytes: Uint8Array; patience: number },
): Promise<Uint8Array> {
  const reply = createInbox(answersSubject(node));
  const { data } = await nc.request(askSubject(node), bytes, { timeout: patience, noMux: true, reply });
  return data;
}
