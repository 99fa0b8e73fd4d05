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
/** Milliseconds between two looks at why a connection that was lost does not come back. */
const WHY_EVERY = 5000;
/** Milliseconds between two pings; two without an answer are a lost connection. */
const PING = 4000;

/** For a command: connects once, or rejects within seconds. Answers come to `inbox`, where nobody else listens. */
export async function connectOnce(options: NatsOptions, inbox = "_INBOX"): Promise<NatsConnection> {
  return connect({ ...connectionOptions(options, inbox), reconnect: false, waitOnFirstConnect: false });
}

interface Staying {
  /** Where answers come to, and nobody else listens. */
  readonly inbox: string;
  readonly onFault: (fault: string | null) => void;
  readonly ending: Ending;
}

/**
 * Connects, and for as long as it takes: a box serves without it. `onFault` hears why the last try failed, and null when one did not; also
 * later, when the connection is lost. Resolves with undefined at the end.
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

/** What connectNats tells, kept where a link says how it stands; each fault is logged once until another one comes. */
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

/** The library tries again without a word, so beside it one try now and then says what is in the way. */
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

/** In words, with what to do; the library's own are behind them. */
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
