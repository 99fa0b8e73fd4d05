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

test("a start that finds a port taken leaves no other port taken, no lock, and nothing that keeps the program from ending", async () => {
  using cli = new CommandLine();
  expect(await cli.run("init")).toMatchObject({ code: 0 });
  // of the parts that are opened before it, some listen already
  const blocked = ["RADIUS_ACCT", "HTTP", "WALLED"].map((name) => {
    const opened = Object.entries(ports).map(([port, take]) => Object.assign(take(), { name: port }));
    for (const one of opened) if (one.name !== name) one.close();
    const listens = opened.map((one) => [`GATEHOUSE_${one.name}_LISTEN`, `${LOCAL.host}:${one.port}`]);
    const close = () => opened.find((one) => one.name === name)?.close();
    return { name, close, env: Object.fromEntries(listens) };
  });
  const starts = JSON.stringify(blocked.map(({ env }) => env));
  const program = join(import.meta.dir, "../support/failed-start.ts");
  const child = Bun.spawn([process.execPath, program, starts], {
    env: { PATH: process.env["PATH"] ?? "", GATEHOUSE_DATA_DIR: cli.data },
    stdout: "pipe",
    timeout: 60_000,
  });
  expect(JSON.parse(await child.stdout.text())).toEqual(
    blocked.map(({ name }) => ({ failure: "ListenError", left: [name] })),
  );
  expect(await child.exited).toBe(0);
  for (const { close } of blocked) close();
});
