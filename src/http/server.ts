import type { AnyElysia } from "elysia";

export interface ListenOptions {
  hostname: string;
  /** 0: a free one. */
  port: number;
  /** PEM. */
  tls?: { cert: string; key: string };
}

export interface Listener {
  /** `address:port`, with the port that was really taken. */
  readonly address: string;
  /** Refuses new requests, finishes those under way for at most `patience` ms, then cuts them off. */
  stop(patience?: number): Promise<void>;
}

const IDLE_SECONDS = 30;

/** Serves an app. Throws when the address cannot be listened on; two apps are two listeners. */
export function listen(app: AnyElysia, { hostname, port, tls }: ListenOptions): Listener {
  app.listen({
    hostname,
    port,
    ...(tls && { tls }),
    reusePort: false, // a second gatehouse on the port is a mistake
    development: false,
    idleTimeout: IDLE_SECONDS,
    maxRequestBodySize: Number.MAX_SAFE_INTEGER, // body.ts refuses them, in the family's words
  });
  const { server } = app;
  if (!server) throw new Error(`nothing listens on ${hostname}:${port}`);
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  return {
    address: `${host}:${server.port}`,
    async stop(patience = 5000) {
      const cutOff = setTimeout(() => void server.stop(true), patience);
      await app.stop();
      clearTimeout(cutOff);
    },
  };
}
