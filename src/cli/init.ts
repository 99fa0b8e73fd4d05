import { randomBytes } from "node:crypto";
import type { Command } from "commander";
import { DomainError } from "../domain/core/errors/errors.ts";
import { verbatim } from "../domain/core/errors/phrase.ts";
import { addStaff, checkStaffValues, listStaff } from "../domain/people/staff/accounts.ts";
import { keepFirstPassword } from "../domain/people/staff/first-password.ts";
import { ADMIN } from "../domain/core/actor/profile-types.ts";
import type { Config } from "../config/config.ts";
import type { Cli } from "./cli.ts";
import { printJson, printLine } from "./io.ts";

/** Far from the ids that a data set gives its staff, so that an import after `init` updates nobody by accident. */
const FIRST_ADMIN_ID = 1_000_000;

interface Options {
  username: string;
  name: string;
  json?: boolean;
}

const FIRST_ADMIN = { username: "operator", name: "Operator" };

export function addInitCommand(program: Command, cli: Cli): void {
  program
    .command("init")
    .description("create the data folder and the first Admin, and print its password once")
    .option("--username <username>", "what the Admin signs in with", FIRST_ADMIN.username)
    .option("--name <name>", "the Admin's name", FIRST_ADMIN.name)
    .option("--json", "print JSON")
    .action((options: Options) => init(cli, options));
}

/** Throws `refused` where there is an Admin already. */
async function init(cli: Cli, { username, name, json }: Options): Promise<void> {
  const { io, config } = cli;
  const password = await createFirstAdmin(cli, { username, name });
  if (json) return printJson(io, { data_dir: config.dataDir, username, password });
  printLine(io, `created ${config.dataDir}`);
  printLine(io, `username: ${username}`);
  printLine(io, `password: ${password}`);
  printLine(io, "write the password down, it is not shown again");
  const { place, hint } = consolePlace(config);
  printLine(io, `the rest is set up in a browser, at ${place}${hint}, or by commands: gatehouse help`);
}

/** Where somebody at another machine, who knows none of our addresses, finds the console. */
function consolePlace({ httpListen: { host, port }, tls }: Config) {
  const isAny = host === "0.0.0.0" || host === "::";
  const address = isAny ? "ADDRESS" : host.includes(":") ? `[${host}]` : host;
  return {
    place: `${tls?.lan ? "https" : "http"}://${address}:${port}/console`,
    hint: isAny ? " (hostname -I prints the address)" : "",
  };
}

/** Creates the store for a program whose output is logged: the password goes into a file that is removed once it is changed. */
export async function initQuietly(cli: Cli): Promise<void> {
  const { username } = FIRST_ADMIN;
  const file = keepFirstPassword(cli.config.dataDir, username, await createFirstAdmin(cli, FIRST_ADMIN));
  printLine(cli.io, `created ${cli.config.dataDir}; sign in as ${username} with the password in ${file}`);
}

async function createFirstAdmin(
  cli: Cli,
  { username, name }: Pick<Options, "username" | "name">,
): Promise<string> {
  const password = randomBytes(12).toString("base64url");
  const account = { isp_id: 0, branch_id: 0, name, username, password, profile_type: ADMIN };
  checkStaffValues(account); // before there is a folder
  await cli.withStore(
    async (db) => {
      const admin = listStaff(db, cli.by).find(({ profileType }) => profileType === ADMIN);
      if (admin) {
        throw new DomainError(
          "refused",
          verbatim(
            `there is an Admin already, ${admin.username}; for another password: gatehouse staff passwd ${admin.username}`,
          ),
        );
      }
      await addStaff(db, cli.by, account, { now: cli.now(), id: FIRST_ADMIN_ID });
    },
    { create: true },
  );
  return password;
}
