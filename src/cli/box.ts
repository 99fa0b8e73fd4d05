import type { Command } from "commander";
import {
  addAccessBox,
  joinBooks,
  type Joining,
  listAccessBoxes,
  removeAccessBox,
  seedOf,
} from "../domain/access-boxes/boxes.ts";
import type { Scope } from "../domain/access-boxes/state.ts";
import { formatTime } from "../domain/time.ts";
import type { Cli } from "./cli.ts";
import { addPromoteCommand } from "./recover.ts";
import { CommandError, printJson, printLine, printTable } from "./io.ts";

interface Options {
  isp?: string[];
  branch?: string[];
  json?: boolean;
}

/** What begins the line that a box joins with. */
const LINE = "gatehouse-box:";

export function addBoxCommands(program: Command, cli: Cli): void {
  const box = program
    .command("box")
    .description("access boxes: more machines that answer routers for these books");
  addAdd(box, cli);
  addJoin(box, cli);
  addList(box, cli);
  addPromoteCommand(box, cli);
  box
    .command("remove")
    .description("remove a box; the others get another key, and it is told nothing more")
    .argument("<name>", "the name of the box")
    .action(async (name: string) => {
      await cli.withStore((db) => removeAccessBox(db, cli.by, { name }, { now: cli.now() }));
      printLine(
        cli.io,
        `removed the box ${name}; take its line out of nats-server.conf too: gatehouse box server`,
      );
    });
  box
    .command("server")
    .description("print the configuration of nats-server for these books and their boxes")
    .action(async () => {
      const { publicOf } = await import("../nats/nkeys.ts"); // what talks to NATS costs the other commands no start
      const { serverConfig } = await import("../nats/server-config.ts");
      const text = await cli.withStore((db) => {
        const seed = seedOf(db);
        if (seed === undefined)
          throw new CommandError("there are no boxes yet; the first: gatehouse box add tower-1");
        const boxes = listAccessBoxes(db, cli.by).map(({ name, nkey, scope }) => ({
          name,
          nkey,
          scope: scope === null ? null : (JSON.parse(scope) as Scope), // as addAccessBox wrote it
        }));
        return serverConfig({ books: publicOf(seed), boxes });
      });
      cli.io.stdout.write(text);
    });
}

function addAdd(box: Command, cli: Cli): void {
  box
    .command("add")
    .description("add a box, and print the line that it joins with")
    .argument("<name>", "its name: small letters, digits and dashes, such as tower-1")
    .option("--isp <id...>", "only the subscribers of these ISPs")
    .option("--branch <isp:branch...>", "only the subscribers of these branches, such as 1:11")
    .option("--json", "print JSON")
    .action(async (name: string, options: Options) => {
      const { makeNkey } = await import("../nats/nkeys.ts");
      const joining = await cli.withStore((db) =>
        addAccessBox(db, cli.by, { name, scope: scopeOf(options) }, { now: cli.now(), makeNkey }),
      );
      const line = LINE + Buffer.from(JSON.stringify(joining)).toString("base64url");
      if (options.json) return printJson(cli.io, { name, id: joining.id, join: line });
      printLine(cli.io, `added the box ${name}. Next:`);
      printLine(cli.io, "1. the configuration of nats-server:  gatehouse box server");
      printLine(cli.io, "2. on the other machine, and paste the line below:  gatehouse box join");
      printLine(cli.io, "whoever has this line is that box; it is not shown again:");
      printLine(cli.io, line);
    });
}

function addJoin(box: Command, cli: Cli): void {
  box
    .command("join")
    .description(
      "make this machine's data folder that of an access box, by the line of `box add` on standard input",
    )
    .action(async () => {
      const { io } = cli;
      if (io.stdin.isTTY) printLine(io, `paste the line that begins with ${LINE}, then Ctrl-D`);
      const joining = joiningOf(await Array.fromAsync(io.stdin, (chunk) => String(chunk)));
      await cli.withStore((db) => joinBooks(db, joining, { now: cli.now() }), { create: true });
      printLine(io, `${cli.config.dataDir} is the box ${joining.name}; start it with GATEHOUSE_ROLE=access`);
    });
}

function addList(box: Command, cli: Cli): void {
  box
    .command("list")
    .description("print the boxes, and how far they have told what happened")
    .option("--json", "print JSON")
    .action(async ({ json }: Options) => {
      const boxes = await cli.withStore((db) => listAccessBoxes(db, cli.by));
      if (json) return printJson(cli.io, boxes);
      printTable(
        cli.io,
        ["box", "heard", "journal", "has"],
        boxes.map(({ name, heardAt, journal, scope }) => [
          name,
          heardAt === null ? "never" : formatTime(heardAt),
          journal,
          scope ?? "every subscriber",
        ]),
      );
    });
}

function scopeOf({ isp, branch }: Options): Scope | null {
  if (!isp && !branch) return null;
  const isps = (isp ?? []).map(numberOf);
  const branches = (branch ?? []).map((pair) => {
    const [ofIsp = "", ofBranch = ""] = pair.split(":");
    return { isp: numberOf(ofIsp), branch: numberOf(ofBranch) };
  });
  return { isps, branches };
}

function numberOf(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new CommandError(`${text} is no id; see: gatehouse place list isp`);
  return Number(text);
}

function joiningOf(chunks: readonly string[]): Joining {
  const [, packed = ""] =
    new RegExp(`${LINE}([A-Za-z0-9_-]+)`).exec(chunks.join("").replaceAll(/\s+/g, "")) ?? [];
  try {
    const joining = JSON.parse(Buffer.from(packed, "base64url").toString()) as Joining; // of `box add`
    if (Buffer.from(joining.key, "base64").length === 32 && joining.name) return joining;
  } catch {
    // not whole
  }
  throw new CommandError(
    `that is no line of \`gatehouse box add\`, or not all of it; it begins with ${LINE}`,
  );
}
