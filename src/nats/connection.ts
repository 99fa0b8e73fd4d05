import {
  connect,
  type NatsConnection,
  nkeyAuthenticator,
  type NodeConnectionOptions,
} from "@nats-io/transport-node";

export interface NatsOptions {
  /** One or more nats:// or tls:// addresses, separated by commas. */
  readonly url: string;
  /** Of the nkey to sign in with; null: the server asks for none. */
  readonly seed: string | null;
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

/** For a command: connects once, or rejects within seconds. Answers come to `inbox`, where nobody else listens. */
export async function connectOnce(options: NatsOptions, inbox = "_INBOX"): Promise<NatsConnection> {
  return connect({ ...connectionOptions(options, inbox), reconnect: false, waitOnFirstConnect: false });
}

/** Connects, and for as long as it takes: a box serves without it. Rejects for a CA that cannot be read. */
export async function connectNats(options: NatsOptions, inbox = "_INBOX"): Promise<NatsConnection> {
  return connect({
    ...connectionOptions(options, inbox),
    maxReconnectAttempts: -1,
    reconnectTimeWait: RETRY,
    reconnectJitter: JITTER,
    reconnectJitterTLS: JITTER,
    waitOnFirstConnect: true,
  });
}

function connectionOptions({ url, seed, caFile, name }: NatsOptions, inbox: string): NodeConnectionOptions {
  return {
    servers: url.split(",").map((one) => one.trim()),
    name,
    inboxPrefix: inbox,
    pingInterval: PING,
    maxPingOut: 2,
    timeout: 5000,
    ...(seed !== null && { authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)) }),
    ...(caFile !== null && { tls: { caFile } }),
  };
}
