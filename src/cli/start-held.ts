import type { Logger } from "pino";
import { claimServing } from "../../db/serving.ts";
import { requireStore } from "../../db/open.ts";
import type { Config } from "../config/config.ts";
import { systemClock } from "../domain/core/time/time.ts";
import { heldApps } from "../http/held.ts";
import { notifyServiceManager } from "../os/service-manager.ts";
import { Listeners } from "./listeners.ts";
import type { RunningServer } from "./start-server.ts";

const STOP_TIMEOUT = 1000;
/** Milliseconds between two signs of life for the service manager. */
const ALIVE_EVERY = 2000;

/**
 * Runs in place of a held primary: no RADIUS, jobs or link, and every request is answered with why. Throws the failure of the
 * part that cannot be opened.
 */
export async function startHeld(config: Config, log: Logger, words: string): Promise<RunningServer> {
  await using opened = new AsyncDisposableStack();
  const { dataDir: folder, serviceManager: manager } = config;
  requireStore(folder);
  opened.use(claimServing(folder));
  const listeners = opened.adopt(
    new Listeners({ config, apps: heldApps(words), log, now: systemClock() }),
    (open) => open.stop(STOP_TIMEOUT),
  );
  log.error({ why: words }, "these books are held: nothing is written, and no router is answered");
  notifyServiceManager(manager, "READY=1");
  notifyServiceManager(manager, `STATUS=${words}`);
  const alive = setInterval(() => notifyServiceManager(manager, "WATCHDOG=1"), ALIVE_EVERY);
  opened.defer(() => clearInterval(alive));
  const { http, public: open } = listeners.addresses;
  const closers = opened.move();
  return {
    addresses: { http, public: open, radius_auth: "", radius_acct: "" },
    refuseWrites: () => {},
    [Symbol.asyncDispose]: () => closers.disposeAsync(),
  };
}
