import { connect, type NatsConnection, nkeyAuthenticator } from "@nats-io/transport-node";
import { readFileSync } from "node:fs";

export interface NatsOptions {
  /** One or more nats:// or tls:// addresses, separated by commas. */
  readonly url: string;
  /** The file of the nkey's seed; null: the server asks for none. */
  readonly seedFile: string | null;
  /** PEM of the authority that signed the server's certificate; null: the system's. */
  readonly caFile: string | null;
  /** As the server's monitoring shows it. */
  readonly name: string;
}

/** Milliseconds between two tries, and the most that is added by chance so that boxes do not come back at once. */
const RETRY = 500;
const JITTER = 500;
/** Milliseconds between two pings; two without an answer are a lost connection. */
const PING = 4000;

/** Connects, and for as long as it takes: a box serves without it. Rejects for a seed or a CA that cannot be read. */
export async function connectNats({ url, seedFile, caFile, name }: NatsOptions): Promise<NatsConnection> {
  const seed = seedFile === null ? undefined : seedOf(readFileSync(seedFile, "utf8"), seedFile);
  return connect({
    servers: url.split(",").map((one) => one.trim()),
    name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RETRY,
    reconnectJitter: JITTER,
    reconnectJitterTLS: JITTER,
    waitOnFirstConnect: true,
    pingInterval: PING,
    maxPingOut: 2,
    timeout: 5000,
    ...(seed && { authenticator: nkeyAuthenticator(seed) }),
    ...(caFile !== null && { tls: { caFile } }),
  });
}

/** The line of a seed, among others of a file as `gatehouse box add` prints it. */
function seedOf(text: string, file: string): Uint8Array {
  const seed = /^\s*(SU[A-Z2-7]{40,})\s*$/m.exec(text)?.[1];
  if (seed === undefined)
    throw new Error(`${file} has no line with the seed of an nkey, which begins with SU`);
  return new TextEncoder().encode(seed);
}
