import { verbatim } from "../domain/core/errors/phrase.ts";
import { type Command, Option } from "commander";
import type { Db } from "../../db/open.ts";
import { addStaff, changeStaffPassword, listStaff, setStaffStatus } from "../domain/people/staff/accounts.ts";
import { profileTypeName, profileTypes } from "../domain/core/actor/profile-types.ts";
import { removeSecondFactor } from "../domain/people/staff/second-factor.ts";
import { updateStaff } from "../domain/people/staff/update.ts";
import { namesById } from "../domain/core/references/names.ts";
import { onlyIsp } from "../domain/goods/nas/nas.ts";
import { staffToJson } from "../wire/staff.ts";
import { state } from "./cells.ts";
import type { Cli } from "./cli.ts";
import { CommandError, printJson, printLine, printTable } from "./io.ts";
import { newPassword } from "./secrets.ts";

interface AddOptions {
  name?: string;
  email?: string;
  phone?: string;
  type: keyof typeof profileTypes;
  isp?: string;
  branch: string;
  role?: string;
  passwordStdin?: boolean;
  json?: boolean;
}

export function addStaffCommands(program: Command, cli: Cli): void {
  const staff = program.command("staff").description("who signs in; programs have keys: gatehouse key");
  addAdd(staff, cli);
  addList(staff, cli);
  addSet(staff, cli);
  addPasswd(staff, cli);
  addSecondFactor(staff, cli);
  addStatus(staff, cli, "enable", 1, "let an account sign in again");
  addStatus(staff, cli, "disable", 0, "keep an account out and end its tokens and sessions for good");
}

function addAdd(staff: Command, cli: Cli): void {
  staff
    .command("add")
    .description("add an account; asks for its password")
    .argument("<username>")
    .option("--name <name>", "full name (the username when left out)")
    .option("--email <address>", "another name to sign in with")
    .option("--phone <number>")
    .addOption(
      new Option("--type <type>", "what the account is").choices(Object.keys(profileTypes)).default("staff"),
    )
    .option("--isp <id>", "its ISP (may be left out when there is one); 0 is the whole box (Admin only)")
    .option("--branch <id>", "its branch; 0 is the whole ISP", "0")
    .option("--role <code>", "the role that says what it may do")
    .option("--password-stdin", "read the password from standard input")
    .option("--json", "print JSON")
    .action(async (username: string, options: AddOptions) => {
      const password = await newPassword(cli.io, options.passwordStdin);
      const { name = username, email, phone, type, isp, branch, role, json } = options;
      const input = (db: Db) => ({
        isp_id: isp ?? (type === "admin" ? 0 : onlyIsp(db, cli.by, verbatim("whose account it is"))),
        branch_id: branch,
        name,
        username,
        email,
        phone,
        password,
        profile_type: profileTypes[type],
        role_code: role,
      });
      const added = await cli.withStore((db) => addStaff(db, cli.by, input(db), { now: cli.now() }));
      if (json) printJson(cli.io, staffToJson(added));
      else printLine(cli.io, `added ${added.username} with the id ${added.id}`);
    });
}

const changes = {
  username: "--username <name>",
  name: "--name <name>",
  email: "--email <address>",
  phone: "--phone <number>",
  profile_type: "--type <type>",
  branch_id: "--branch <id>",
  role_code: "--role <code>",
  credit_limit: "--credit-limit <amount>",
} as const;

function addSet(staff: Command, cli: Cli): void {
  const command = staff
    .command("set")
    .description("change an account; what is not named stays")
    .argument("<username>")
    .option(changes.username, "another name to sign in with")
    .option(changes.name, "full name")
    .option(changes.email, 'another name to sign in with; "" takes it away')
    .option(changes.phone, '"" takes it away')
    .addOption(new Option(changes.profile_type, "what the account is").choices(Object.keys(profileTypes)))
    .option(changes.branch_id, "its branch; 0 is the whole ISP")
    .option(changes.role_code, 'the role that says what it may do; "" takes it away')
    .option(changes.credit_limit, "how far the wallet of a reseller may fall below zero")
    .option("--json", "print JSON");
  command.action(async (username: string, options: Record<string, string | boolean | undefined>) => {
    const input: Record<string, unknown> = {};
    for (const [field, flags] of Object.entries(changes)) {
      const value = options[new Option(flags).attributeName()];
      if (value !== undefined) input[field] = field === "profile_type" ? typeNumber(String(value)) : value;
    }
    if (Object.keys(input).length === 0)
      throw new CommandError("say what to change; see: gatehouse staff set --help");
    const now = cli.now();
    const changed = await cli.withStore((db) => updateStaff(db, cli.by, { username, input }, { now }));
    if (options["json"]) printJson(cli.io, staffToJson(changed));
    else printLine(cli.io, `changed ${changed.username}`);
  });
}

function typeNumber(name: string): number | undefined {
  return Object.entries(profileTypes).find(([word]) => word === name)?.[1];
}

function addList(staff: Command, cli: Cli): void {
  staff
    .command("list")
    .description("print every account")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const { accounts, names } = await cli.withStore((db) => ({
        accounts: listStaff(db, cli.by).map(staffToJson),
        names: namesById(db, cli.by),
      }));
      if (json) return printJson(cli.io, accounts);
      printTable(
        cli.io,
        ["ID", "USERNAME", "NAME", "E-MAIL", "TYPE", "ISP", "BRANCH", "ROLE", "STATUS"],
        accounts.map((account) => [
          account.id,
          account.username,
          account.name,
          account.email,
          profileTypeName(account.profile_type),
          names.isps.get(account.isp_id) ?? "all",
          names.branches.get(account.branch_id) ?? "all",
          names.roles.get(account.role_code),
          state(account.status === 1 ? "enabled" : "disabled"),
        ]),
      );
    });
}

function addPasswd(staff: Command, cli: Cli): void {
  staff
    .command("passwd")
    .description("set another password and end every token and session of the account; asks for the password")
    .argument("<username>")
    .option("--password-stdin", "read the password from standard input")
    .action(async (username: string, { passwordStdin }: { passwordStdin?: boolean }) => {
      const password = await newPassword(cli.io, passwordStdin);
      const { by } = cli;
      await cli.withStore((db) => changeStaffPassword(db, by, { username, password }, { now: cli.now() }));
      printLine(cli.io, `changed the password of ${username}`);
    });
}

function addSecondFactor(staff: Command, cli: Cli): void {
  staff
    .command("second-factor")
    .description("the codes that an account needs beside its password")
    .command("remove")
    .description("take the second factor from an account, whose phone and recovery codes are lost")
    .argument("<username>")
    .action(async (username: string) => {
      await cli.withStore((db) => removeSecondFactor(db, cli.by, { username }, { now: cli.now() }));
      printLine(cli.io, `${username} signs in with the password alone, until it gets another second factor`);
    });
}

function addStatus(staff: Command, cli: Cli, name: string, status: 0 | 1, description: string): void {
  staff
    .command(name)
    .description(description)
    .argument("<username>")
    .action(async (username: string) => {
      const { by } = cli;
      await cli.withStore((db) => setStaffStatus(db, by, { username, status }, { now: cli.now() }));
      printLine(cli.io, `${name}d ${username}`);
    });
}
