import type { Command } from "commander";
import { nasNamed, updateNas } from "../domain/goods/nas/nas.ts";
import type { Cli } from "./cli.ts";
import { CommandError, type Io, printJson, printLine } from "./io.ts";
import { nasAndSources } from "./nas-list.ts";
import { addNasOptions, type Options, nasInput } from "./nas-options.ts";
import { printEnds } from "./nas-radsec.ts";
import { askSecrets, readSecretFromStdin } from "./secrets.ts";

interface SetOptions extends Options {
  name?: string;
  address?: string;
  secret?: boolean;
  routeros?: boolean;
  routerosPassword?: boolean;
  forgetMessageAuthenticator?: string | true;
  json?: boolean;
}

export function addNasSet(nas: Command, cli: Cli): void {
  const command = nas
    .command("set")
    .description("change a router; what is not named stays, and a running server takes it up at once")
    .argument("<nas>", "its name, address or id")
    .option("--name <name>", "a new name")
    .option("--address <address>", "another IP address or CIDR that its packets come from")
    .option(
      "--secret",
      "ask for a new RADIUS secret; where standard input is no terminal, its first line is it",
    )
    .option(
      "--forget-message-authenticator [address]",
      "begin auto anew, for one address or all: requests pass without one until the next one comes",
    );
  addNasOptions(command, { canTakeBack: true })
    .option(
      "--routeros-password",
      "ask for a new password of its RouterOS API; where standard input is no terminal, its next line is it",
    )
    .option("--no-routeros", "it has no RouterOS API")
    .option("--json", "print JSON")
    .action(async (named: string, options: SetOptions) => {
      if (Object.entries(options).every(([name, value]) => name === "json" || isSilent(name, value)))
        throw new CommandError("say what to change; see: gatehouse nas set --help");
      const { secret, routerosPassword } = await readSecrets(cli.io, options);
      const changed = await cli.withStore((db) => {
        const input = {
          name: options.name,
          address: options.address,
          secret,
          ...nasInput(options, { password: routerosPassword }),
          ...(options.routeros === false && { routeros: null }),
        };
        const forget = options.forgetMessageAuthenticator;
        const { id } = nasNamed(db, cli.by, named);
        return nasAndSources(db, updateNas(db, cli.by, { nasId: id, input, forget }, { now: cli.now() }));
      });
      if (options.json) printJson(cli.io, changed);
      else {
        printLine(cli.io, `changed ${changed.name} at ${changed.address}`);
        printEnds(cli.io, changed);
      }
    });
}

/** `routeros` is true unless --no-routeros is given. */
function isSilent(name: string, value: unknown): boolean {
  return value === undefined || (name === "routeros" && value === true);
}

async function readSecrets(
  io: Io,
  { secret, routerosPassword }: SetOptions,
): Promise<{ secret: string | undefined; routerosPassword: string | undefined }> {
  const questions = [
    ...(secret ? ["RADIUS secret: "] : []),
    ...(routerosPassword ? ["RouterOS password: "] : []),
  ];
  if (questions.length === 0) return { secret: undefined, routerosPassword: undefined };
  const lines = io.stdin.isTTY
    ? await askSecrets(io, questions)
    : (await readSecretFromStdin(io, "secret")).split(/\r?\n/);
  if (lines.length < questions.length || lines.slice(0, questions.length).includes(""))
    throw new CommandError(
      `${questions.length} lines are needed: a secret must not be empty; nothing was changed`,
    );
  return {
    secret: secret ? lines[0] : undefined,
    routerosPassword: routerosPassword ? lines[secret ? 1 : 0] : undefined,
  };
}
