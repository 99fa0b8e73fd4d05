import type { Config } from "../config/config.ts";
import { createLog } from "../log.ts";
import type { Io } from "./io.ts";
import { startAccessBox } from "./start-access.ts";
import { startServer } from "./start-server.ts";

/** The API, the portal and RADIUS, until SIGTERM or SIGINT. */
export async function serve(config: Config, io: Io): Promise<void> {
  const log = createLog(config.logLevel, io.stdout);
  // a bug in one request or job must not take everybody offline
  process.on("uncaughtException", (error) => log.error({ err: error }, "unexpected error"));
  process.on("unhandledRejection", (reason) => log.error({ err: reason }, "unexpected rejection"));

  const end = endOfProgram();
  try {
    await using server = await (config.role === "access" ? startAccessBox : startServer)(config, log);
    io.stdout.write(`${JSON.stringify({ event: "ready", ...server.addresses })}\n`);
    log.info({ signal: await end.signal }, "stopping");
  } finally {
    end.ignore();
  }
  log.info("stopped");
}

/**
 * A second signal must not cut the end short, which takes seconds at the most; a handler that stays keeps Bun running. To look
 * at the certificate again (SIGHUP) ends nothing, also where there is none.
 */
function endOfProgram(): { signal: Promise<string>; ignore: () => void } {
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
