import { verbatim } from "../domain/core/errors/phrase.ts";
import { type Command, Option } from "commander";
import type { Db } from "../../db/open.ts";
import { namesById } from "../domain/core/references/names.ts";
import { readPermissions, updatePermissions } from "../domain/people/roles/permissions.ts";
import {
  createRole,
  deleteRole,
  listRoles,
  needSecondFactor,
  roleNamed,
  updateRole,
} from "../domain/people/roles/roles.ts";
import { flagNames } from "../domain/machine/imports/data-set/roles.ts";
import { roleToJson } from "../wire/role.ts";
import type { Cli } from "./cli.ts";
import { CommandError, printJson, printLine, printTable } from "./io.ts";
import { chooseIsp } from "./nas.ts";

export function addRoleCommands(program: Command, cli: Cli): void {
  const role = program.command("role").description("what staff who are no Admin may do");
  addList(role, cli);
  addShow(role, cli);
  addAdd(role, cli);
  addPermit(role, cli);
  addSet(role, cli);
  role
    .command("remove")
    .description("remove a role; refuses while accounts have it")
    .argument("<role>", "its name or code")
    .action(async (named: string) => {
      const { name } = await cli.withStore((db) => {
        const found = roleNamed(db, cli.by, named);
        deleteRole(db, cli.by, found, { now: cli.now() });
        return found;
      });
      printLine(cli.io, `removed the role ${name}`);
    });
}

function addList(role: Command, cli: Cli): void {
  role
    .command("list")
    .description("print every role")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const { roles, isps } = await cli.withStore((db) => ({
        roles: listRoles(db, cli.by),
        isps: namesById(db, cli.by).isps,
      }));
      if (json) return printJson(cli.io, roles.map(roleToJson));
      const rows = roles.map(({ code, ispId, name }) => [code, isps.get(ispId), name]);
      printTable(cli.io, ["CODE", "ISP", "NAME"], rows);
    });
}

function addShow(role: Command, cli: Cli): void {
  role
    .command("show")
    .description("print every permission, and whether a role has it")
    .argument("<role>", "its name or code")
    .option("--json", "print JSON")
    .action(async (named: string, { json }: { json?: boolean }) => {
      const record = await cli.withStore((db) => {
        const found = roleNamed(db, cli.by, named);
        return { ...roleToJson(found), permissions: readPermissions(db, cli.by, found.code) };
      });
      if (json) return printJson(cli.io, record);
      const { code, name, permissions } = record;
      printLine(cli.io, `${code} ${name}${permissions ? "" : ": no permission was ever set"}`);
      if (permissions)
        printTable(
          cli.io,
          ["PERMISSION", "GIVEN"],
          Object.entries(permissions).map(([flag, value]) => [flag, value === 1 ? "yes" : "no"]),
        );
    });
}

function addAdd(role: Command, cli: Cli): void {
  role
    .command("add")
    .description("add a role, with permissions where some are named")
    .argument("<name>")
    .argument("[permissions...]")
    .option("--isp <id>", "its ISP (may be left out when there is one)")
    .option("--json", "print JSON")
    .action(async (name: string, flags: string[], { isp, json }: { isp?: string; json?: boolean }) => {
      const now = cli.now();
      const added = await cli.withStore((db) => {
        requireFlags(db, flags);
        const ispId = Number(chooseIsp(db, cli, isp, verbatim("whose role it is")));
        const created = createRole(db, cli.by, { ispId, name }, { now });
        if (flags.length > 0)
          updatePermissions(db, cli.by, { code: created.code, sent: valued(flags, []) }, { now });
        return created;
      });
      if (json) printJson(cli.io, roleToJson(added));
      else printLine(cli.io, `added the role ${added.name} with the code ${added.code}`);
    });
}

function addSet(role: Command, cli: Cli): void {
  role
    .command("set")
    .description("give a role another name, or have it need a second factor at the console")
    .argument("<role>", "its name or code")
    .option("--name <name>", "the new name")
    .addOption(
      new Option("--second-factor <yes|no>", "whether those who have it need one").choices(["yes", "no"]),
    )
    .action(async (named: string, { name, secondFactor }: { name?: string; secondFactor?: string }) => {
      if (name === undefined && secondFactor === undefined)
        throw new CommandError("say what to change; see: gatehouse role set --help");
      const now = cli.now();
      const found = await cli.withStore((db) => {
        const role = roleNamed(db, cli.by, named);
        const { code } = role;
        if (name !== undefined) updateRole(db, cli.by, { code, name }, { now });
        if (secondFactor !== undefined)
          needSecondFactor(db, cli.by, { code, needed: secondFactor === "yes" ? 1 : 0 }, { now });
        return role;
      });
      printLine(cli.io, `changed the role ${name ?? found.name}`);
    });
}

function addPermit(role: Command, cli: Cli): void {
  role
    .command("permit")
    .description("give a role permissions, or take some away; those that are not named stay")
    .argument("<role>", "its name or code")
    .argument("[permissions...]", "those to give")
    .option("--revoke <permissions...>", "those to take away")
    .action(async (named: string, entered: string[], { revoke = [] }: { revoke?: string[] }) => {
      const flags = [...entered, ...revoke];
      if (flags.length === 0)
        throw new CommandError("say which permissions; they are in: gatehouse role show ROLE");
      const twice = entered.filter((flag) => revoke.includes(flag));
      if (twice.length > 0) throw new CommandError(`${twice.join(", ")} cannot be both given and taken away`);
      const { name } = await cli.withStore((db) => {
        requireFlags(db, flags);
        const found = roleNamed(db, cli.by, named);
        const sent = valued(entered, revoke);
        updatePermissions(db, cli.by, { code: found.code, sent }, { now: cli.now() });
        return found;
      });
      printLine(cli.io, `changed what the role ${name} may do`);
    });
}

/** A misspelt permission must not be passed over. */
function requireFlags(db: Db, flags: readonly string[]): void {
  const known = flagNames(db);
  const unknown = flags.filter((flag) => !known.includes(flag));
  if (unknown.length > 0)
    throw new CommandError(`there is no permission ${unknown.join(", ")}; there are: ${known.join(", ")}`);
}

const valued = (flags: readonly string[], revoked: readonly string[]) =>
  Object.fromEntries([...flags.map((flag) => [flag, 1]), ...revoked.map((flag) => [flag, 0])]);
