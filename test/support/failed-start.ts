/*
 * A program of its own, for a server changes the priority of its process: starts one after the other that cannot open everything, by the
 * environments of its argument, and prints why, and what of each is still taken. It ends by itself, unless a timer or a socket was left.
 */
import pino from "pino";
import { claimServing } from "../../db/serving.ts";
import { startServer } from "../../src/cli/start-server.ts";
import { type Config, readConfig } from "../../src/config/config.ts";
import { environment } from "../../src/config/env.ts";
import type { Listen } from "../../src/config/listen.ts";
import { bindPort, closePort } from "../../src/os/server-socket.ts";

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
async function outcomeOf(config: Config) {
  const failure = await startServer(config, pino({ level: "silent" })).then(
    () => "it started",
    (error: unknown) => (error instanceof Error ? error.name : String(error)),
  );
  const taken = {
    RADIUS_AUTH: udp(config.radiusAuthListen),
    RADIUS_ACCT: udp(config.radiusAcctListen),
    HTTP: tcp(config.httpListen),
    WALLED: config.walledListen !== null && tcp(config.walledListen),
    data: isTaken(() => claimServing(config.dataDir)[Symbol.dispose]()),
  };
  return { failure, left: Object.entries(taken).flatMap(([name, is]) => (is ? [name] : [])) };
}

const outcomes = [];
for (const env of JSON.parse(process.argv.at(-1) ?? ""))
  outcomes.push(await outcomeOf(readConfig({ ...environment(), ...env })));
process.stdout.write(JSON.stringify(outcomes));
