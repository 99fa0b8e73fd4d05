import {
  connect,
  type NatsConnection,
  nkeyAuthenticator,
  type NodeConnectionOptions,
} from "@nats-io/transport-node";
import { Ending } from "./ending.ts";

export interface NatsOptions {
  /** One or more nats:// or tls:// addresses, separated by commas. */
  readonly url: string;
  /** Seed of the nkey to sign in with; null: none. */
  readonly seed: string | null;
  /** CA file (PEM) of the server's certificate; null: the system's CAs. */
  readonly caFile: string | null;
  /** Shown by the server's monitoring. */
  readonly name: string;
}

/** Milliseconds between two attempts, and the most random jitter, so that access boxes do not reconnect all at once. */
const RETRY = 500;
const JITTER = 500;
/** Milliseconds between two checks why a lost connection does not come back. */
const WHY_EVERY = 5000;
/** Ping interval in milliseconds; two unanswered pings mean a lost connection. */
const PING = 4000;

/** For commands: connects once, or rejects within seconds. Replies come to `inbox`. */
export async function connectOnce(options: NatsOptions, inbox = "_INBOX"): Promise<NatsConnection> {
  return connect({ ...connectionOptions(options, inbox), reconnect: false, waitOnFirstConnect: false });
}

interface Staying {
  /** Prefix of reply subjects, which nobody else may subscribe to. */
  readonly inbox: string;
  readonly onFault: (fault: string | null) => void;
  readonly ending: Ending;
}

/**
 * Connects, however long it takes: an access box serves without NATS. `onFault` is called with the reason of a failed attempt,
 * and null once connected; also when the connection is lost later. Resolves with undefined at shutdown.
 */
export async function connectNats(
  options: NatsOptions,
  { inbox, onFault, ending }: Staying,
): Promise<NatsConnection | undefined> {
  while (!ending.isCome) {
    try {
      const nc = await connect({
        ...connectionOptions(options, inbox),
        maxReconnectAttempts: -1,
        reconnectTimeWait: RETRY,
        reconnectJitter: JITTER,
        reconnectJitterTLS: JITTER,
        ignoreAuthErrorAbort: true, // whose line comes into nats-server.conf later is let in
      });
      onFault(null);
      void tellWhyLost(nc, options, { inbox, onFault, ending });
      return nc;
    } catch (error) {
      onFault(faultOf(error, options));
      await ending.pause(RETRY + Math.random() * JITTER);
    }
  }
  return undefined;
}

/** Keeps the last fault of connectNats for status pages; each fault is logged once until a different one. */
export function faultKept(
  state: { fault: string | null },
  failed: (what: string, cause: unknown) => void,
): (fault: string | null) => void {
  return (fault) => {
    if (fault !== null && fault !== state.fault)
      failed("there is no connection to NATS; trying again", fault);
    state.fault = fault;
  };
}

/** The library reconnects silently, so a separate attempt now and then finds the reason. */
async function tellWhyLost(
  nc: NatsConnection,
  options: NatsOptions,
  { inbox, onFault, ending }: Staying,
): Promise<void> {
  let lost: Ending | undefined;
  for await (const { type } of nc.status()) {
    if (type === "reconnect") {
      lost?.come();
      lost = undefined;
      onFault(null);
    }
    if (type !== "disconnect" || lost) continue;
    const mine = (lost = new Ending());
    void (async () => {
      while (!mine.isCome && !ending.isCome) {
        await Promise.race([mine.pause(WHY_EVERY), ending.coming]);
        if (mine.isCome || ending.isCome) return;
        const fault = await connectOnce(options, inbox).then(
          async (one) => void (await one.close()),
          (error: unknown) => faultOf(error, options),
        );
        if (fault && !mine.isCome) onFault(fault);
      }
    })();
  }
}

/** An error with what to do about it, followed by the library's message. */
function faultOf(error: unknown, { url }: NatsOptions): string {
  const message = error instanceof Error ? error.message : String(error);
  const cause = error instanceof Error && error.cause instanceof Error ? ` ${error.cause.message}` : "";
  const words = `${message}${cause}`;
  if (/certificate|CERT|self.signed|verify|issuer/i.test(words))
    return `this machine does not trust the certificate of nats-server at ${url} (${message}); put that of its authority here, and its file into GATEHOUSE_NATS_CA`;
  if (/authorization|authentication|permissions/i.test(words))
    return `nats-server at ${url} does not know this machine (${message}); write its configuration anew: gatehouse box server, on the books; then there: systemctl reload nats-server`;
  if (/ENOENT|EACCES|no such file|permission denied/i.test(words))
    return `the file of GATEHOUSE_NATS_CA cannot be read (${message}); put it there, or correct the setting`;
  return `nats-server is not reached at ${url} (${message}); on its machine: systemctl status nats-server`;
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
