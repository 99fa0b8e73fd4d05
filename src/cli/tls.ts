import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import ipaddr from "ipaddr.js";
import type { Cli } from "./cli.ts";
import { CommandError, printJson, printLine } from "./io.ts";
import { selfSigned } from "./self-signed.ts";

const DAY = 86_400;
const VALID_DAYS = 825;
/** A name with a letter in its last part: 256.1.1.1 is a slip of the pen. */
const HOST_NAME = /^([A-Za-z0-9-]{1,63}\.)*(?=[0-9-]*[A-Za-z])[A-Za-z0-9-]{1,63}$/;

export function addTlsCommands(program: Command, cli: Cli): void {
  const { io } = cli;
  program
    .command("tls")
    .description("certificates")
    .command("self-signed")
    .description(
      "make a certificate that browsers warn about once, for a box that has no name in the internet",
    )
    .argument("<host>", "the name or the IP address by which subscribers reach the box")
    .option("--out <folder>", "where tls.crt and tls.key go; the data folder by default")
    .option("--json", "print JSON")
    .action((host: string, { out, json }: { out?: string; json?: boolean }) => {
      if (host.length > 64 || (!HOST_NAME.test(host) && !ipaddr.isValid(host)))
        throw new CommandError(`${host} is not a host name or an IP address; give one such as isp.example`);
      const folder = resolve(out ?? cli.config.dataDir);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const files = { cert: join(folder, "tls.crt"), key: join(folder, "tls.key") };
      const existing = Object.values(files).find((file) => existsSync(file));
      if (existing) throw new CommandError(`${existing} exists already; remove it or choose another --out`);
      const now = cli.now();
      const pair = selfSigned(host, { from: now - DAY, to: now + VALID_DAYS * DAY });
      writeFileSync(files.key, pair.key, { mode: 0o600, flush: true });
      writeFileSync(files.cert, pair.cert, { mode: 0o644, flush: true });
      if (json) return printJson(io, { cert: files.cert, key: files.key, days: VALID_DAYS });
      printLine(io, `valid for ${VALID_DAYS} days; to use it, set in the environment file:`);
      printLine(io, `GATEHOUSE_TLS_CERT=${files.cert}`);
      printLine(io, `GATEHOUSE_TLS_KEY=${files.key}`);
    });
}
