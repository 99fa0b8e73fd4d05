import type { Phrase } from "../domain/core/errors/phrase.ts";
import { randomBytes } from "node:crypto";
import type { Command } from "commander";
import type { Db } from "../../db/open.ts";
import { addNas, nasNamed, onlyIsp, removeNas } from "../domain/goods/nas/nas.ts";
import { requireIsp } from "../domain/machine/settings/change.ts";
import { nasToJson } from "../wire/nas.ts";
import type { Cli } from "./cli.ts";
import { CommandError, type Io, printJson, printLine } from "./io.ts";
import { addNasConfig } from "./nas-config.ts";
import { addNasList } from "./nas-list.ts";
import { addNasOptions, type Options, nasInput } from "./nas-options.ts";
import { addNasRadsec, printEnds } from "./nas-radsec.ts";
import { addNasScript } from "./nas-script.ts";
import { addNasSet } from "./nas-set.ts";
import { addNasSetup } from "./nas-setup.ts";
import { addNasTest } from "./nas-test.ts";
import { addNasWatch } from "./nas-watch.ts";
import { askSecrets, readSecretFromStdin } from "./secrets.ts";

interface AddOptions extends Options {
  isp?: string;
  secretStdin?: boolean;
  routerosHost?: string;
  json?: boolean;
}

interface Secrets {
  secret: string;
  /** Generated here, and therefore printed. */
  generated: boolean;
  routerosPassword: string | undefined;
}

export function addNasCommands(program: Command, cli: Cli): void {
  const nas = program.command("nas").description("the routers that ask over RADIUS");
  addAdd(nas, cli);
  addNasList(nas, cli);
  addNasSet(nas, cli);
  addRemove(nas, cli);
  addNasTest(nas, cli);
  addNasScript(nas, cli);
  addNasRadsec(nas, cli);
  addNasSetup(nas, cli);
  addNasConfig(nas, cli);
  addNasWatch(nas, cli);
}

function addAdd(nas: Command, cli: Cli): void {
  const command = nas
    .command("add")
    .description("add a router; its RADIUS secret is asked for, or generated and printed")
    .argument("<name>")
    .argument("<address>", "IP address or CIDR that its packets come from")
    .option("--isp <id>", "its ISP (may be left out when there is one)")
    .option(
      "--secret-stdin",
      "read the secret from standard input; the RouterOS password is its second line",
    );
  addNasOptions(command)
    .option("--json", "print JSON")
    .action(async (name: string, address: string, options: AddOptions) => {
      const secrets = await readSecrets(cli.io, options);
      const added = await cli.withStore((db) => {
        const input = {
          isp_id: chooseIsp(db, cli, options.isp),
          name,
          address,
          secret: secrets.secret,
          ...nasInput(options, { password: secrets.routerosPassword }),
        };
        return nasToJson(addNas(db, cli.by, input, { now: cli.now() }));
      });
      // by RadSec it asks under a secret that everybody knows
      const isVisible = secrets.generated && !added.radsec;
      if (options.json) return printJson(cli.io, isVisible ? { ...added, secret: secrets.secret } : added);
      printLine(cli.io, `added ${added.name} at ${added.address} with the id ${added.id}`);
      printEnds(cli.io, added);
      if (added.radsec) printLine(cli.io, `its certificate and commands: gatehouse nas radsec ${added.id}`);
      if (!isVisible) return;
      printLine(cli.io, `secret: ${secrets.secret}`);
      printLine(cli.io, `it stands in the commands for the router, too: gatehouse nas script ${added.id}`);
    });
}

/** The named ISP, or the only one; the field's rules refuse what is no number. */
export function chooseIsp(
  db: Db,
  { by }: Cli,
  named: string | undefined,
  question?: Phrase,
): number | string {
  if (named === undefined) return onlyIsp(db, by, question);
  if (/^\d{1,9}$/.test(named)) requireIsp(db, by, Number(named));
  return named;
}

function addRemove(nas: Command, cli: Cli): void {
  nas
    .command("remove")
    .description("remove a router; refuses while subscribers point at it")
    .argument("<nas>", "its name, address or id")
    .option("--detach", "leave the subscribers that point at it without a router")
    .action(async (named: string, { detach = false }: { detach?: boolean }) => {
      const { by } = cli;
      const { removed, detached, ended } = await cli.withStore((db) =>
        removeNas(db, by, { nasId: nasNamed(db, by, named).id, detach }, { now: cli.now() }),
      );
      const left = detached > 0 ? `; subscribers without a router now: ${detached}` : "";
      const over = ended > 0 ? `; sessions ended in the books: ${ended}` : "";
      printLine(cli.io, `removed ${removed.name} at ${removed.address}${left}${over}`);
    });
}

async function readSecrets(io: Io, { secretStdin, routerosHost }: AddOptions): Promise<Secrets> {
  const withApi = routerosHost !== undefined;
  if (secretStdin) {
    const [secret = "", routerosPassword] = (await readSecretFromStdin(io, "secret")).split(/\r?\n/);
    return { secret, generated: false, routerosPassword };
  }
  const questions = ["RADIUS secret (empty: generate one): ", ...(withApi ? ["RouterOS password: "] : [])];
  const [secret, routerosPassword] = io.stdin.isTTY ? await askSecrets(io, questions, "--secret-stdin") : [];
  if (withApi && !routerosPassword) {
    throw new CommandError(
      "the RouterOS API needs a password; use --secret-stdin and write the RADIUS secret and the password on two lines",
    );
  }
  return {
    secret: secret || randomBytes(18).toString("base64url"),
    generated: !secret,
    routerosPassword,
  };
}
