import { type Command, Option } from "commander";
import type { Db } from "../../db/open.ts";
import { formatTime } from "../domain/core/time/time.ts";
import {
  type ApiKey,
  createKey,
  keyNamed,
  listKeys,
  revokeKey,
  rotateKey,
  updateKey,
  type WithSecret,
} from "../domain/people/api-keys/api-keys.ts";
import { keyCalls } from "../domain/people/api-keys/calls.ts";
import { roleNamed } from "../domain/people/roles/roles.ts";
import { apiKeyToJson, keyCallToJson } from "../wire/api-key.ts";
import { counted } from "./cells.ts";
import type { Cli } from "./cli.ts";
import { CommandError, printJson, printLine, printTable, printTotal } from "./io.ts";
import { parseLimit } from "./sessions.ts";

const LISTED = 50;

const changes = {
  name: ["--name <name>", "another name"],
  role_code: ["--role <role>", "the role whose permissions it has, by name or code"],
  flags: ["--flags <list>", 'which of them, with commas between; "" all of them'],
  branch_id: ["--branch <id>", "its branch; 0 is the whole ISP"],
  addresses: [
    "--addresses <list>",
    'where it may be used from: addresses or CIDRs, with commas between; "" anywhere',
  ],
  ends_at: ["--ends <time>", 'when it ends, as 2030-01-31 or 2030-01-31 12:00:00; "" never'],
} as const;

type Options = Readonly<Record<string, string | boolean | undefined>>;

export function addKeyCommands(program: Command, cli: Cli): void {
  const key = program.command("key").description("keys of programs that call the API");
  addAdd(key, cli);
  addSet(key, cli);
  addList(key, cli);
  key
    .command("rotate")
    .description("make a new secret and print it; the one before stays valid for a day")
    .argument("<key>", "its name or id")
    .option("--keep <hours>", "for how many hours the one before stays valid; 0 ends it at once")
    .option("--json", "print JSON")
    .action(async (named: string, { keep, json }: { keep?: string; json?: boolean }) => {
      const input = keep === undefined ? {} : { keep_hours: keep };
      const made = await cli.withStore((db) =>
        rotateKey(db, cli.by, { id: keyNamed(db, cli.by, named).id, input }, { now: cli.now() }),
      );
      const { formerUntil } = made.key;
      printSecret(cli, made, json, `a new secret of ${made.key.name}`);
      if (!json && formerUntil !== null && formerUntil > cli.now())
        printLine(cli.io, `the one before is valid until ${formatTime(formerUntil)}`);
    });
  key
    .command("revoke")
    .description("end a key for good, from its next call on")
    .argument("<key>", "its name or id")
    .action(async (named: string) => {
      const { name } = await cli.withStore((db) =>
        revokeKey(db, cli.by, { id: keyNamed(db, cli.by, named).id }, { now: cli.now() }),
      );
      printLine(cli.io, `revoked ${name}`);
    });
  addCalls(key, cli);
}

function printSecret(
  { io }: Cli,
  { key, secret }: WithSecret,
  isJson: boolean | undefined,
  what: string,
): void {
  if (isJson) return printJson(io, { ...apiKeyToJson(key), secret });
  printLine(io, `${what}, which is not shown again:`);
  printLine(io, `${key.key}:${secret}`);
}

function withChanges(command: Command, names: readonly (keyof typeof changes)[]): Command {
  for (const name of names) command.option(changes[name][0], changes[name][1]);
  return command;
}

function readInput(db: Db, { by }: Cli, options: Options): Record<string, unknown> {
  const sent = Object.entries(changes).flatMap(([field, [option]]) => {
    const value = options[new Option(option).attributeName()];
    if (value === undefined) return [];
    return [[field, field === "role_code" ? roleNamed(db, by, String(value)).code : value] as const];
  });
  return Object.fromEntries(sent);
}

function addAdd(key: Command, cli: Cli): void {
  const command = key.command("add").description("make a key and print its secret").argument("<name>");
  withChanges(command, ["role_code", "flags", "branch_id", "addresses", "ends_at"])
    .option("--json", "print JSON")
    .action(async (name: string, options: Options) => {
      const { role } = options;
      if (typeof role !== "string")
        throw new CommandError("say which role it has the permissions of: --role <role>");
      const made = await cli.withStore((db) => {
        const { ispId } = roleNamed(db, cli.by, role);
        const input = { ...readInput(db, cli, options), isp_id: ispId, name };
        return createKey(db, cli.by, input, { now: cli.now() });
      });
      printSecret(cli, made, options["json"] === true, `the secret of ${name}`);
    });
}

function addSet(key: Command, cli: Cli): void {
  const command = key
    .command("set")
    .description("change a key; what is not named stays")
    .argument("<key>", "its name or id");
  withChanges(command, ["name", "role_code", "flags", "branch_id", "addresses", "ends_at"]).action(
    async (named: string, options: Options) => {
      const { name } = await cli.withStore((db) => {
        const input = readInput(db, cli, options);
        if (Object.keys(input).length === 0)
          throw new CommandError("say what to change; see: gatehouse key set --help");
        return updateKey(db, cli.by, { id: keyNamed(db, cli.by, named).id, input }, { now: cli.now() });
      });
      printLine(cli.io, `changed ${name}`);
    },
  );
}

function addList(key: Command, cli: Cli): void {
  key
    .command("list")
    .description("print every key")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const keys = await cli.withStore((db) => listKeys(db, cli.by));
      if (json) return printJson(cli.io, keys.map(apiKeyToJson));
      printTable(
        cli.io,
        ["ID", "NAME", "KEY", "ROLE", "PERMISSIONS", "FROM", "STATE", "USED"],
        keys.map((one) => {
          const { id, name, key: username, roleName, flags, addresses, usedAt } = one;
          const used = usedAt === null ? "never" : formatTime(usedAt);
          return [
            id,
            name,
            username,
            roleName,
            flags ?? "all",
            addresses ?? "anywhere",
            describeState(one, cli.now()),
            used,
          ];
        }),
      );
    });
}

function describeState({ revokedAt, endsAt }: ApiKey, now: number): string {
  if (revokedAt !== null) return `revoked ${formatTime(revokedAt)}`;
  if (endsAt === null) return "valid";
  return `${endsAt < now ? "ended" : "valid until"} ${formatTime(endsAt)}`;
}

function addCalls(key: Command, cli: Cli): void {
  key
    .command("calls")
    .description("print the calls of a key, the newest first")
    .argument("<key>", "its name or id")
    .option("--failed", "refused ones alone")
    .option("--limit <number>", `at most so many (${LISTED})`)
    .option("--json", "print JSON")
    .action(
      async (
        named: string,
        { failed, limit, json }: { failed?: boolean; limit?: string; json?: boolean },
      ) => {
        const page = {
          limit: limit === undefined ? LISTED : parseLimit(limit),
          before: Number.MAX_SAFE_INTEGER,
        };
        const found = await cli.withStore((db) => {
          const { id } = keyNamed(db, cli.by, named);
          return keyCalls(db, cli.by, { key: id, failed: failed ? 1 : 0 }, page).map(keyCallToJson);
        });
        if (json) return printJson(cli.io, found);
        printTable(
          cli.io,
          ["AT", "METHOD", "PATH", "STATUS", "MS", "FROM"],
          found.map(({ at, method, path, status, milliseconds, address }) => [
            at,
            method,
            path,
            { text: String(status), tone: status >= 400 ? "bad" : "good" },
            milliseconds,
            address,
          ]),
        );
        printTotal(cli.io, counted(found.length, "call"));
      },
    );
}
