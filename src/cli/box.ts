import type { Command } from "commander";
import { addAccessBox, joinPrimary, removeAccessBox } from "../domain/machine/access-boxes/boxes.ts";
import { makeRoom } from "../domain/machine/access-boxes/make-room.ts";
import { joinLine, parseJoining } from "../domain/machine/access-boxes/joining.ts";
import { boxesOverview } from "../domain/machine/access-boxes/overview.ts";
import { standingWords } from "../domain/service/box-standing/standing.ts";
import type { Scope } from "../domain/service/box-standing/box-scope.ts";
import { formatTime } from "../domain/core/time/time.ts";
import type { Cli } from "./cli.ts";
import { natsTools } from "./nats-tools.ts";
import { addPromoteCommand } from "./recover.ts";
import { CommandError, printJson, printLine, printTable } from "./io.ts";

interface Options {
  isp?: string[];
  branch?: string[];
  json?: boolean;
}

export function addBoxCommands(program: Command, cli: Cli): void {
  const box = program
    .command("box")
    .description("access boxes: more machines that answer routers for these books");
  addAdd(box, cli);
  addJoin(box, cli);
  addList(box, cli);
  addRemove(box, cli);
  addPromoteCommand(box, cli);
  box
    .command("server")
    .description("print the configuration of nats-server for these books and their boxes")
    .action(async () => {
      cli.io.stdout.write(await cli.withStore((db) => natsTools(db).serverConfig(cli.by)));
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
      const joining = await cli.withStore(async (db) => {
        const makeNkey = await natsTools(db).nkeyMaker();
        return addAccessBox(db, cli.by, { name, scope: parseScope(options) }, { now: cli.now(), makeNkey });
      });
      const line = joinLine(joining);
      if (options.json) return printJson(cli.io, { name, id: joining.id, join: line });
      for (const next of nextSteps(name)) printLine(cli.io, next);
      printLine(cli.io, line);
    });
}

const nextSteps = (name: string) => [
  `added the box ${name}. Next:`,
  "1. on the machine of nats-server, its certificate (the first time) and its configuration anew:",
  "     gatehouse box server      prints it: /etc/nats-server.conf there; then: systemctl restart nats-server, later: systemctl reload nats-server",
  "2. here, if it is the first box, in gatehouse.env: GATEHOUSE_NATS_URL=tls://ADDRESS:4222",
  "     GATEHOUSE_NATS_CA=/etc/gatehouse/nats-ca.crt (its certificate, copied here); then: systemctl restart gatehouse",
  `3. on the machine of ${name}: ./install --access of the archive, the certificate and the same two lines in its gatehouse.env;`,
  "     then paste the line below into: gatehouse box join; systemctl enable --now gatehouse",
  "     of a box beside these books, on this machine: nothing to install; GATEHOUSE_NATS_URL and GATEHOUSE_NATS_CA in gatehouse-access.env,",
  "     then paste the line below into: gatehouse-access box join; systemctl enable --now gatehouse-access (it listens on 1822 and 1823)",
  "4. routers, the nearest box first:",
  "     gatehouse nas script ROUTER --server ADDRESS,ADDRESS",
  "whoever has this line is that box; it is not shown again:",
];

function addRemove(box: Command, cli: Cli): void {
  box
    .command("remove")
    .description(
      "remove a box; the others get another key, it is told nothing more, and what it knew is said",
    )
    .argument("<name>", "the name of the box")
    .option("--json", "print JSON")
    .action(async (name: string, { json }: Options) => {
      const { io, by } = cli;
      const { knows } = await cli.withStore((db) => removeAccessBox(db, by, { name }, { now: cli.now() }));
      if (json) return printJson(io, { name, knew: knows });
      printLine(io, `removed the box ${name}; the others get another key, and this one is told nothing more`);
      printLine(
        io,
        "take its line out of nats-server.conf too: gatehouse box server; then: systemctl reload nats-server",
      );
      const { routers, apiAccounts, subscribers, cards, sharedUntil } = knows;
      printLine(
        io,
        `if it was stolen, its thief has: the secrets of ${routers.length} routers (change them: gatehouse nas set NAME --secret), the passwords of ${subscribers} subscribers, what ${cards} cards are checked by`,
      );
      if (apiAccounts > 0)
        printLine(
          io,
          `and what it signs in with to the API of ${apiAccounts} of these routers (gatehouse nas setup)`,
        );
      if (sharedUntil !== null)
        printLine(
          io,
          `until ${sharedUntil === "now" ? "now" : formatTime(sharedUntil)} it had the key that all boxes shared, and nats-server let it read what the others were told: it may know what every box knew then`,
        );
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
      if (io.stdin.isTTY) printLine(io, "paste the line that begins with gatehouse-box: then Ctrl-D");
      const joining = parseJoining((await Array.fromAsync(io.stdin, (chunk) => String(chunk))).join(""));
      const { dataDir } = cli.config;
      const kept = makeRoom(dataDir, cli.now());
      if (kept !== undefined)
        printLine(io, `what the installation had made, an Admin without an ISP, is in ${kept} now`);
      await cli.withStore((db) => joinPrimary(db, joining, { now: cli.now() }), { create: true });
      printLine(
        io,
        `${dataDir} is the box ${joining.name}; with GATEHOUSE_ROLE=access and GATEHOUSE_NATS_URL in its environment file: systemctl enable --now gatehouse (of a box beside the books: gatehouse-access)`,
      );
    });
}

function addList(box: Command, cli: Cli): void {
  box
    .command("list")
    .description("print the boxes, and how each stands")
    .option("--json", "print JSON")
    .action(async ({ json }: Options) => {
      const now = cli.now();
      const { boxes } = await cli.withStore((db) => boxesOverview(db, cli.by, { now }));
      if (json) return printJson(cli.io, boxes);
      printTable(
        cli.io,
        ["box", "state", "heard", "sessions", "to tell", "version", "has"],
        boxes.map((one) => [
          one.name,
          standingWords(one, now),
          one.heardAt === null ? "never" : formatTime(one.heardAt),
          one.report?.sessions ?? "",
          one.report?.waiting ?? "",
          one.report?.version ?? "",
          one.scope === null ? "every subscriber" : JSON.stringify(one.scope),
        ]),
      );
    });
}

function parseScope({ isp, branch }: Options): Scope | null {
  if (!isp && !branch) return null;
  const isps = (isp ?? []).map(parseId);
  const branches = (branch ?? []).map((pair) => {
    const [ofIsp = "", ofBranch = ""] = pair.split(":");
    return { isp: parseId(ofIsp), branch: parseId(ofBranch) };
  });
  return { isps, branches };
}

function parseId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new CommandError(`${text} is no id; see: gatehouse place list isp`);
  return Number(text);
}
