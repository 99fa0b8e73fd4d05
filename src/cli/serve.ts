import type { Config } from "../config/config.ts";
import type { Logger } from "pino";
import { createLog } from "../log.ts";
import { notifyServiceManager } from "../os/service-manager.ts";
import { WhoCounts } from "./ask-who-counts.ts";
import type { Io } from "./io.ts";
import { HeldWatch, whyHeld } from "./held-watch.ts";
import type { RunningBox } from "./start-access.ts";
import { type RunningServer, startServer } from "./start-server.ts";

/** The API, the portal and RADIUS, until SIGTERM or SIGINT. */
export async function serve(config: Config, io: Io): Promise<void> {
  const log = createLog(config.logLevel, io.stdout);
  // a bug in one request or job must not take everybody offline
  process.on("uncaughtException", (error) => log.error({ err: error }, "unexpected error"));
  process.on("unhandledRejection", (reason) => log.error({ err: reason }, "unexpected rejection"));

  const end = watchSignals();
  try {
    while (!(await serveUntil(end.signal, { config, io, log })));
  } finally {
    end.ignore();
  }
  log.info("stopped");
}

interface Serving {
  readonly config: Config;
  readonly io: Io;
  readonly log: Logger;
}

/**
 * Serves until the program ends or its role changes. Returns whether the program is to end. What only an access box loads, or books that are
 * held, no other start waits for.
 */
async function serveUntil(end: Promise<string>, { config, io, log }: Serving): Promise<boolean> {
  if (config.role === "access") {
    const { startAccessBox } = await import("./start-access.ts");
    await using box = await startAccessBox(config, log);
    ready(io, box);
    return stopping(log, await end);
  }
  notifyServiceManager(config.serviceManager, "STATUS=asks which books count");
  using asking = new WhoCounts(config, log);
  const early = await Promise.race([end, asking.knownInTime()]);
  if (early !== undefined) return stopping(log, early);
  const words = whyHeld(config.dataDir);
  const held = words ?? asking.waits;
  await using server = await (held === undefined
    ? startServer(config, log)
    : import("./start-held.ts").then(({ startHeld }) => startHeld(config, log, held)));
  ready(io, server);
  using watch = new HeldWatch(config.dataDir, words, (now) => {
    if (now !== undefined) server.refuseWrites(now);
  });
  const signal = await Promise.race([end, watch.changed, ...(held === words ? [] : [asking.known])]);
  if (signal !== undefined) return stopping(log, signal);
  log.warn({ why: whyHeld(config.dataDir) }, "what these books may do has changed");
  return false;
}

function stopping(log: Logger, signal: string): true {
  log.info({ signal }, "stopping");
  return true;
}

function ready(io: Io, { addresses }: Pick<RunningServer, "addresses"> | RunningBox): void {
  io.stdout.write(`${JSON.stringify({ event: "ready", ...addresses })}\n`);
}

/** A second signal must not cut the end short; a handler that stays keeps Bun running. SIGHUP, which reloads the certificate, ends nothing. */
function watchSignals(): { signal: Promise<string>; ignore: () => void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  const signals = ["SIGTERM", "SIGINT"] as const;
  const goOn = () => {};
  for (const signal of signals) process.on(signal, resolve);
  process.on("SIGHUP", goOn);
  return {
    signal: promise,
    ignore: () => {
      for (const signal of signals) process.off(signal, resolve);
      process.off("SIGHUP", goOn);
    },
  };
}
