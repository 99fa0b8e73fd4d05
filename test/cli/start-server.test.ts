import { expect, test } from "bun:test";
import { join } from "node:path";
import { bindPort, closePort } from "../../src/os/server-socket.ts";
import { CommandLine } from "./harness.ts";

const LOCAL = { host: "127.0.0.1", port: 0 };
const open = {
  tcp: () => {
    const server = Bun.listen({ hostname: LOCAL.host, port: 0, socket: { data() {} } });
    return { port: server.port, close: () => server.stop(true) };
  },
  udp: () => {
    const bound = bindPort(LOCAL);
    return { port: bound.endpoint.port, close: () => closePort(bound) };
  },
};
const ports = { RADIUS_AUTH: open.udp, RADIUS_ACCT: open.udp, HTTP: open.tcp, WALLED: open.tcp };

// of the parts that are opened before it, some listen already
test.each(["RADIUS_ACCT", "HTTP", "WALLED"])(
  "a start that finds the port of %s taken leaves no other port taken, no lock, and nothing that keeps the program from ending",
  async (blocked) => {
    using cli = new CommandLine();
    expect(await cli.run("init")).toMatchObject({ code: 0 });
    const opened = Object.entries(ports).map(([name, take]) => Object.assign(take(), { name }));
    for (const { name, close } of opened) if (name !== blocked) close();
    const env = Object.fromEntries(
      opened.map(({ name, port }) => [`GATEHOUSE_${name}_LISTEN`, `${LOCAL.host}:${port}`]),
    );
    const child = Bun.spawn([process.execPath, join(import.meta.dir, "../support/failed-start.ts")], {
      env: { PATH: process.env["PATH"] ?? "", GATEHOUSE_DATA_DIR: cli.data, ...env },
      stdout: "pipe",
      timeout: 60_000,
    });
    const printed = JSON.parse(await child.stdout.text());
    expect(printed).toEqual({ failure: "ListenError", left: [blocked] });
    expect(await child.exited).toBe(0);
    for (const { name, close } of opened) if (name === blocked) close();
  },
);
