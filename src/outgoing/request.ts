import { lookup } from "node:dns/promises";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import { isPublicAddress } from "../domain/core/networks/networks.ts";
import { isOneOf, ownAddresses } from "./addresses.ts";

/** Milliseconds from the name lookup to the last byte of the answer. */
const TIME = 20_000;
/** Most bytes read of an answer. */
const ANSWER = 16_384;

export interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  /** Whether loopback, link-local and LAN addresses are allowed, by an Admin's choice. */
  readonly allowLocal: boolean;
}

export interface Answer {
  readonly status: number;
  /** The beginning of the body. */
  readonly body: string;
  /** Seconds that the other side asks to wait (Retry-After, RFC 9110 10.2.3). */
  readonly retryAfter: number | undefined;
}

/** The network access of requests; tests replace resolver, clock and CA. */
export interface Outside {
  readonly resolve: (name: string) => Promise<readonly string[]>;
  readonly milliseconds: number;
  /** Addresses of this machine; detected by default. */
  readonly own?: () => readonly string[];
  /** Aborts requests under way. */
  readonly end?: AbortSignal | undefined;
  /** PEM of a CA besides the system's. */
  readonly ca?: string | undefined;
  /** Who answers for an address that was checked; by default itself. */
  readonly via?: (address: string) => string;
}

export const outside: Outside = {
  resolve: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
  milliseconds: TIME,
};

/** A failed call with a reason for people. `isCertain`: nothing can have arrived. */
export class NotSent extends Error {
  override readonly name = "NotSent";
  readonly isCertain: boolean;

  constructor(message: string, { isCertain }: { isCertain: boolean }) {
    super(message);
    this.isCertain = isCertain;
  }
}

/**
 * Calls a foreign address. The name is resolved once, the resulting address is checked and connected to; redirects are not
 * followed. Throws `NotSent`.
 */
export async function request(call: Outgoing, world: Outside = outside): Promise<Answer> {
  const url = new URL(call.url);
  const inTime = AbortSignal.timeout(world.milliseconds);
  const until = world.end ? AbortSignal.any([inTime, world.end]) : inTime;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const address = await checkedAddress(host, call.allowLocal, world, until);
  return send(call, url, { host, address }, world, until);
}

/** The address of a name: resolved once, and refused when local and not allowed. Throws `NotSent`. */
export async function checkedAddress(
  host: string,
  allowLocal: boolean,
  world: Outside,
  until: AbortSignal,
): Promise<string> {
  const addresses = isIP(host) > 0 ? [host] : await resolved(host, world, until);
  const first = addresses[0];
  if (first === undefined) throw new NotSent(`${host} has no address`, { isCertain: true });
  // one private address among public ones is enough to refuse: DNS rebinding
  const own = allowLocal ? [] : (world.own ?? ownAddresses)();
  const local = addresses.find((address) => !isPublicAddress(address) || isOneOf(own, address));
  if (local === undefined || allowLocal) return first;
  const what = local === host ? host : `${host} is ${local}, which`;
  const where = isPublicAddress(local)
    ? "is an address of this machine"
    : "is not an address of the public internet";
  throw new NotSent(
    `${what} ${where}; where that is meant, an Admin ticks “It may be within your own network”`,
    { isCertain: true },
  );
}

async function resolved(host: string, world: Outside, until: AbortSignal): Promise<readonly string[]> {
  const late = new Promise<never>((_, reject) => {
    until.addEventListener("abort", () => reject(new Error("the name server did not answer in time")), {
      once: true,
    });
  });
  try {
    return await Promise.race([world.resolve(host), late]);
  } catch (error) {
    const why = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new NotSent(`the name ${host} could not be resolved (${why})`, { isCertain: true });
  }
}

function send(
  { method, headers, body }: Outgoing,
  url: URL,
  { host, address }: { host: string; address: string },
  { ca, via = (itself) => itself }: Outside,
  until: AbortSignal,
): Promise<Answer> {
  const isTls = url.protocol === "https:";
  return new Promise((resolve, reject) => {
    const outgoing = (isTls ? httpsRequest : httpRequest)({
      hostname: via(address),
      port: url.port === "" ? (isTls ? 443 : 80) : Number(url.port),
      path: `${url.pathname}${url.search}`,
      method,
      headers: { ...headers, Host: url.host, Connection: "close" },
      agent: false,
      // RFC 6066 3: no name indication for an address
      ...(isTls && { servername: isIP(host) > 0 ? "" : host, ...(ca !== undefined && { ca }) }),
    });
    const fail = (message: string, isCertain = false) => {
      reject(new NotSent(message, { isCertain }));
      outgoing.destroy();
    };
    until.addEventListener("abort", () => fail(`${host} did not answer in time`), { once: true });
    outgoing.on("error", (error) => fail(`${host}: ${errorWords(error)}`, unconnected.has(errorCode(error))));
    outgoing.on("response", (incoming) => {
      read(incoming).then(
        (text) =>
          resolve({ status: incoming.statusCode ?? 0, body: text, retryAfter: parseWait(incoming.headers) }),
        (error: unknown) => fail(`${host}: the answer broke off (${errorWords(error)})`),
      );
    });
    outgoing.end(body);
  });
}

/** The first bytes of an answer; the rest is discarded. */
function read(incoming: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = () => resolve(Buffer.concat(chunks).subarray(0, ANSWER).toString("utf8"));
    incoming.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size < ANSWER) return;
      end();
      incoming.destroy();
    });
    incoming.on("end", end);
    incoming.on("error", reject);
  });
}

function parseWait(headers: IncomingMessage["headers"]): number | undefined {
  const wait = headers["retry-after"];
  if (wait === undefined) return undefined;
  if (/^\d{1,8}$/.test(wait)) return Number(wait);
  const at = Date.parse(wait);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}

const known: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ConnectionRefused: "nothing listens there",
  ECONNRESET: "the connection was cut",
  EHOSTUNREACH: "there is no way there",
  ENETUNREACH: "there is no way there",
  ETIMEDOUT: "it did not answer in time",
};

/** Errors without a connection, so that nothing was sent. */
const unconnected = new Set(["ECONNREFUSED", "ConnectionRefused", "EHOSTUNREACH", "ENETUNREACH"]);

/** A connection error for people; by another code where a library has its own. */
export function errorWords(error: unknown, code = errorCode(error)): string {
  return known[code] ?? (error instanceof Error ? error.message : String(error));
}

function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
