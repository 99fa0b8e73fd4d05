/*
 * A program of its own, for a server changes the priority of its process: starts one that cannot open everything, and prints why,
 * and what of it is still taken. It ends by itself, unless a timer or a socket was left.
 */
import pino from "pino";
import { claimServing } from "../../db/serving.ts";
import { startServer } from "../../src/cli/start-server.ts";
import { readConfig } from "../../src/config/config.ts";
import { environment } from "../../src/config/env.ts";
import type { Listen } from "../../src/config/listen.ts";
import { bindPort, closePort } from "../../src/os/server-socket.ts";

const config = readConfig(environment());
const failure = await startServer(config, pino({ level: "silent" })).then(
  () => "it started",
  (error: unknown) => (error instanceof Error ? error.name : String(error)),
);

function isTaken(open: () => void): boolean {
  try {
    open();
    return false;
  } catch {
    return true;
  }
}

const udp = (listen: Listen) => isTaken(() => closePort(bindPort(listen)));
const tcp = ({ host, port }: Listen) =>
  isTaken(() => Bun.listen({ hostname: host, port, socket: { data() {} } }).stop(true));
const taken = {
  RADIUS_AUTH: udp(config.radiusAuthListen),
  RADIUS_ACCT: udp(config.radiusAcctListen),
  HTTP: tcp(config.httpListen),
  WALLED: config.walledListen !== null && tcp(config.walledListen),
  data: isTaken(() => claimServing(config.dataDir)[Symbol.dispose]()),
};
const left = Object.entries(taken).flatMap(([name, is]) => (is ? [name] : []));
process.stdout.write(JSON.stringify({ failure, left }));
