import {
  connect,
  type NatsConnection,
  nkeyAuthenticator,
  type NodeConnectionOptions,
} from "@nats-io/transport-node";
import type { Clock, Seconds } from "../domain/core/time/time.ts";
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

/** The connection of a command: connects once, or rejects within seconds. Replies come to `inbox`. */
export async function connectOnce(options: NatsOptions, inbox = "_INBOX"): Promise<NatsConnection> {
  return connect({ ...connectionOptions(options, inbox), reconnect: false, waitOnFirstConnect: false });
}

interface Link {
  /** How the connection stands, for status pages. */
  readonly state: { isConnected: boolean; since: Seconds; fault: string | null };
  /** Prefix of reply subjects, which nobody else may subscribe to. */
  readonly inbox: string;
  readonly ending: Ending;
  readonly clock: Clock;
  readonly failed: (what: string, cause: unknown) => void;
  /** Called after each reconnection, whose server may have lost what it had. */
  readonly back: () => void;
}

/**
 * Connects, however long it takes: an access box serves without NATS. Keeps `state` from then on; each fault is logged once until
 * a different one. Resolves with undefined at shutdown.
 */
export async function connectLink(options: NatsOptions, link: Link): Promise<NatsConnection | undefined> {
  const { inbox, ending } = link;
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
      noteConnected(link, true);
      void follow(nc, options, link);
      return nc;
    } catch (error) {
      noteFault(link, explainFault(error, options));
      await ending.pause(RETRY + Math.random() * JITTER);
    }
  }
  return undefined;
}

function noteConnected({ state, clock }: Link, isConnected: boolean): void {
  state.isConnected = isConnected;
  state.since = clock();
  if (isConnected) state.fault = null;
}

function noteFault({ state, failed }: Link, fault: string): void {
  if (fault !== state.fault) failed("there is no connection to NATS; trying again", fault);
  state.fault = fault;
}

async function follow(nc: NatsConnection, options: NatsOptions, link: Link): Promise<void> {
  let lost: Ending | undefined;
  for await (const { type } of nc.status()) {
    if (type !== "disconnect" && type !== "reconnect") continue;
    noteConnected(link, type === "reconnect");
    if (type === "reconnect") {
      lost?.come();
      lost = undefined;
      link.back();
    } else if (!lost) {
      lost = new Ending();
      void noteWhyLost(options, link, lost);
    }
  }
}

/** The library reconnects silently, so a separate attempt now and then finds the reason. */
async function noteWhyLost(options: NatsOptions, link: Link, lost: Ending): Promise<void> {
  const { inbox, ending } = link;
  while (!lost.isCome && !ending.isCome) {
    await Promise.race([lost.pause(WHY_EVERY), ending.coming]);
    if (lost.isCome || ending.isCome) return;
    const fault = await connectOnce(options, inbox).then(
      async (one) => void (await one.close()),
      (error: unknown) => explainFault(error, options),
    );
    if (fault && !lost.isCome) noteFault(link, fault);
  }
}

/** An error with what to do about it, followed by the library's message. */
function explainFault(error: unknown, { url }: NatsOptions): string {
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
