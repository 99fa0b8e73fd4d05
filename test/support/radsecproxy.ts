import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { type RouterFiles, writeFiles } from "./radsec-client.ts";

export interface Radsecproxy extends AsyncDisposable {
  readonly port: number;
  readonly log: () => Promise<string>;
}

/** Starts a real radsecproxy: UDP from 127.0.0.1, on by TLS with a router's files. */
export async function startRadsecproxy(
  home: { port: number; files: RouterFiles },
  secret: string,
): Promise<Radsecproxy> {
  if (!Bun.which("radsecproxy"))
    throw new Error("radsecproxy is missing; install Debian's package radsecproxy");
  const dir = await mkdtemp(join(tmpdir(), "gatehouse-radsecproxy-"));
  const paths = await writeFiles(dir, home.files);
  const port = freePort();
  const log = join(dir, "log");
  await writeFile(join(dir, "conf"), configuration({ port, secret, home: home.port, paths }), {
    mode: 0o600,
  });
  const child = Bun.spawn(["radsecproxy", "-f", "-c", join(dir, "conf")], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: Bun.file(log),
  });
  const read = () =>
    Bun.file(log)
      .text()
      .catch(() => "");
  for (const end = performance.now() + 60_000; !/TLS connection to .* up$/m.test(await read());) {
    if (performance.now() > end) throw new Error(`radsecproxy has no connection:\n${await read()}`);
    await Bun.sleep(10);
  }
  return {
    port,
    log: read,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await child.exited;
      await rm(dir, { recursive: true, force: true });
    },
  };
}

interface ProxyOptions {
  readonly port: number;

  readonly secret: string;
  readonly home: number;
  readonly paths: Awaited<ReturnType<typeof writeFiles>>;
}

function configuration({ port, secret, home, paths }: ProxyOptions): string {
  return `
ListenUDP 127.0.0.1:${port}
LogLevel 2
LoopPrevention off
tls default {
  CACertificateFile ${paths.authority}
  CertificateFile ${paths.certificate}
  CertificateKeyFile ${paths.key}
}
client router {
  host 127.0.0.1
  type udp
  secret ${secret}
}
server gatehouse {
  host 127.0.0.1
  port ${home}
  type tls
  secret radsec
  CertificateNameCheck on
  StatusServer on
}
realm * {
  server gatehouse
  accountingServer gatehouse
}
`;
}
