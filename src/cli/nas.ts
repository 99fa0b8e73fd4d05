import { randomBytes } from "node:crypto";
import { type Command, Option } from "commander";
import { addNas, listNas, nasNamed, nasRecord, onlyIsp, removeNas } from "../domain/nas/nas.ts";
import type { Cli } from "./cli.ts";
import { CommandError, type Io, printJson, printLine, printTable } from "./io.ts";
import { addNasScript } from "./nas-script.ts";
import { addNasTest } from "./nas-test.ts";
import { askSecrets, readSecretFromStdin } from "./secrets.ts";

interface AddOptions {
  isp?: string;
  secretStdin?: boolean;
  requireMessageAuthenticator?: string;
  swapOctets?: boolean;
  coaPort?: string;
  disconnectMethod?: string;
  routerosHost?: string;
  routerosPort?: string;
  routerosUsername?: string;
  routerosTls?: boolean;
  routerosTlsFingerprint?: string;
  json?: boolean;
}

interface Secrets {
  secret: string;
  /** Made here, so shown once. */
  generated: boolean;
  routerosPassword: string | undefined;
}

export function addNasCommands(program: Command, cli: Cli): void {
  const nas = program.command("nas").description("the routers that ask over RADIUS");
  addAdd(nas, cli);
  addList(nas, cli);
  addRemove(nas, cli);
  addNasTest(nas, cli);
  addNasScript(nas, cli);
}

function addAdd(nas: Command, cli: Cli): void {
  nas
    .command("add")
    .description("add a router; its RADIUS secret is asked for, or generated and printed once")
    .argument("<name>")
    .argument("<address>", "IP address or CIDR that its packets come from")
    .option("--isp <id>", "its ISP (may be left out when there is one)")
    .option("--secret-stdin", "read the secret from standard input; the RouterOS password is its second line")
    .addOption(
      new Option("--require-message-authenticator <when>", "of Access-Requests").choices([
        "auto",
        "yes",
        "no",
      ]),
    )
    .option("--swap-octets", "its input is what the subscriber downloads")
    .option("--coa-port <port>", "where it takes Disconnect-Requests (3799)")
    .addOption(
      new Option("--disconnect-method <method>", "how sessions are ended").choices([
        "auto",
        "coa",
        "routeros",
      ]),
    )
    .option("--routeros-host <host>", "address of its RouterOS API")
    .option("--routeros-port <port>", "8728, with TLS 8729")
    .option("--routeros-username <username>")
    .option("--routeros-tls", "speak TLS with its API")
    .option("--routeros-tls-fingerprint <sha256>", "accept this certificate only")
    .option("--json", "print JSON")
    .action(async (name: string, address: string, options: AddOptions) => {
      const secrets = await readSecrets(cli.io, options);
      const added = await cli.withStore((db) => {
        const input = {
          isp_id: options.isp ?? onlyIsp(db),
          name,
          address,
          secret: secrets.secret,
          require_message_authenticator: options.requireMessageAuthenticator,
          swap_octets: options.swapOctets,
          coa_port: options.coaPort,
          disconnect_method: options.disconnectMethod,
          routeros: routerosInput(options, secrets.routerosPassword),
        };
        return nasRecord(addNas(db, input, { now: cli.now(), by: cli.by }));
      });
      if (options.json)
        return printJson(cli.io, secrets.generated ? { ...added, secret: secrets.secret } : added);
      printLine(cli.io, `added ${added.name} at ${added.address} with the id ${added.id}`);
      if (!secrets.generated) return;
      printLine(cli.io, `secret: ${secrets.secret}`);
      printLine(cli.io, "set it on the router now, it is not shown again");
    });
}

function addList(nas: Command, cli: Cli): void {
  nas
    .command("list")
    .description("print every router")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const all = (await cli.withStore(listNas)).map(nasRecord);
      if (json) return printJson(cli.io, all);
      printTable(
        cli.io,
        ["ID", "ISP", "NAME", "ADDRESS", "COA PORT", "DISCONNECT", "ROUTEROS API"],
        all.map(({ id, isp_id, name, address, coa_port, disconnect_method, routeros }) => [
          id,
          isp_id,
          name,
          address,
          coa_port,
          disconnect_method,
          routeros && `${routeros.host}:${routeros.port}${routeros.tls ? " (TLS)" : ""}`,
        ]),
      );
    });
}

function addRemove(nas: Command, cli: Cli): void {
  nas
    .command("remove")
    .description("remove a router; refuses while subscribers point at it")
    .argument("<nas>", "its name, address or id")
    .option("--detach", "leave the subscribers that point at it without a router")
    .action(async (named: string, { detach = false }: { detach?: boolean }) => {
      const { by } = cli;
      const { removed, detached } = await cli.withStore((db) =>
        removeNas(db, { nasId: nasNamed(db, named).id, detach, now: cli.now(), by }),
      );
      const left = detached > 0 ? `; subscribers without a router now: ${detached}` : "";
      printLine(cli.io, `removed ${removed.name} at ${removed.address}${left}`);
    });
}

async function readSecrets(io: Io, { secretStdin, routerosHost }: AddOptions): Promise<Secrets> {
  const withApi = routerosHost !== undefined;
  if (secretStdin) {
    const [secret = "", routerosPassword] = (await readSecretFromStdin(io, "secret")).split(/\r?\n/);
    return { secret, generated: false, routerosPassword };
  }
  const questions = ["RADIUS secret (empty: generate one): ", ...(withApi ? ["RouterOS password: "] : [])];
  const [typed, routerosPassword] = io.stdin.isTTY ? await askSecrets(io, questions) : [];
  if (withApi && !routerosPassword) {
    throw new CommandError(
      "the RouterOS API needs a password; use --secret-stdin and write the RADIUS secret and the password on two lines",
    );
  }
  return {
    secret: typed || randomBytes(18).toString("base64url"),
    generated: !typed,
    routerosPassword,
  };
}

function routerosInput(options: AddOptions, password: string | undefined) {
  if (options.routerosHost === undefined) return undefined;
  return {
    host: options.routerosHost,
    port: options.routerosPort,
    username: options.routerosUsername,
    password,
    tls: options.routerosTls,
    tls_fingerprint: options.routerosTlsFingerprint,
  };
}
