import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import type { Listener, TlsPair } from "../http/server.ts";
import { readPair } from "./certificate.ts";

/** Milliseconds between two looks at the files. */
const LOOK_EVERY = 30_000;

/**
 * Takes a renewed certificate up, on SIGHUP and when the files change, and refuses a broken pair with the old one kept. A look
 * now and then sees what a watch for changes misses: links, renames, network folders. Returns how to stop.
 */
export function watchCertificate(
  tls: NonNullable<Config["tls"]>,
  { first, listeners, log }: { first: TlsPair; listeners: readonly Listener[]; log: Logger },
): () => void {
  let current = first;
  let refused = "";
  const look = () => {
    try {
      const pair = readPair(tls);
      if (pair.cert === current.cert && pair.key === current.key) return;
      for (const listener of listeners) listener.renew(pair);
      current = pair;
      refused = "";
      log.info({ file: tls.certFile }, "took up a renewed certificate");
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      // a pair that is being written looks broken for a moment; it is said once
      if (reason !== refused) log.error({ file: tls.certFile, reason }, "kept the old certificate");
      refused = reason;
    }
  };
  const timer = setInterval(look, LOOK_EVERY);
  process.on("SIGHUP", look);
  return () => {
    clearInterval(timer);
    process.off("SIGHUP", look);
  };
}
