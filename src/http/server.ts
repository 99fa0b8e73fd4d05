import type { AnyElysia } from "elysia";
import { errorCode, ListenError } from "../listen-error.ts";
import { steer } from "../os/reuseport.ts";

export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

export interface ListenOptions {
  hostname: string;
  /** 0: any. */
  port: number;
  tls?: TlsPair;
}

export interface Listener {
  readonly address: string;
  /** Replaces the certificate without dropping connections. Throws for an unusable pair, and keeps the old one. */
  renew(tls: TlsPair): void;
  /** Finishes requests for at most `timeout` ms, then cuts them off. */
  stop(timeout?: number): Promise<void>;
}

/** Seconds of silence after which a connection ends. */
export const IDLE_SECONDS = 30;

/** Throws ListenError. */
export function listen(app: AnyElysia, options: ListenOptions): Listener {
  const { hostname, tls } = options;
  let current = refusable(options, () => {
    if (tls) options = { ...options, port: freePort(options) };
    return serve(app, options);
  });
  const port = current.port ?? options.port;
  /** Sockets on the port, in kernel order. */
  const group = [current];

  const leave = async (server: Server, { now }: { now: boolean }) => {
    const place = group.indexOf(server);
    const last = group.pop();
    if (last && last !== server) group[place] = last; // as the kernel does
    const stopped = server.stop(now);
    if (group.length > 0) steer(port, group.indexOf(current));
    await stopped;
  };
  return {
    address: `${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`,
    renew(pair) {
      const old = current;
      current = serve(app, { ...options, port, tls: pair });
      group.push(current);
      const isSteered = steer(port, group.indexOf(current));
      if (!isSteered) return void leave(old, { now: false });
      old.reload({ fetch: async (request) => closing(await app.fetch(request)) });
      setTimeout(() => void leave(old, { now: false }), (IDLE_SECONDS + 5) * 1000).unref();
    },
    async stop(timeout = 5000) {
      const cutOff = setTimeout(() => void Promise.all(group.map((server) => server.stop(true))), timeout);
      await Promise.all(group.map((server) => server.stop()));
      await app.stop();
      clearTimeout(cutOff);
    },
  };
}

type Server = NonNullable<AnyElysia["server"]>;

function serve(app: AnyElysia, { hostname, port, tls }: ListenOptions): Server {
  app.listen({
    hostname,
    port,
    ...(tls && { tls }),
    reusePort: tls !== undefined, // so that a renewed certificate can begin beside the old one
    development: false,
    idleTimeout: IDLE_SECONDS,
    maxRequestBodySize: Number.MAX_SAFE_INTEGER, // body.ts refuses them, in the family's words
  });
  if (!app.server) throw new Error(`nothing listens on ${hostname}:${port}`);
  return app.server;
}

/** Throws ListenError for the address; others pass (a certificate). */
function refusable<T>({ hostname, port }: ListenOptions, open: () => T): T {
  try {
    return open();
  } catch (error) {
    const code = errorCode(error);
    if (!(error instanceof Error) || !String(code).startsWith("EA")) throw error;
    throw new ListenError("http", { host: hostname, port }, { code, message: error.message });
  }
}

/** An exclusive port: reusePort would hide a second gatehouse. Throws. */
function freePort({ hostname, port }: ListenOptions): number {
  const probe = Bun.listen({ hostname, port, socket: { data() {} } });
  probe.stop(true);
  return probe.port;
}

function closing(response: Response): Response {
  response.headers.set("connection", "close");
  return response;
}
