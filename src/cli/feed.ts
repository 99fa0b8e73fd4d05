import { verbatim } from "../domain/core/errors/phrase.ts";
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import type { Command } from "commander";
import type { Db } from "../../db/open.ts";
import { parseListen } from "../config/listen.ts";
import { setBoxCapacity } from "../domain/around/feeds/capacity.ts";
import {
  createFeed,
  deleteFeed,
  type Feed,
  feedNamed,
  listFeeds,
  setFeedEnabled,
  updateFeed,
} from "../domain/around/feeds/feeds.ts";
import { shaperFiles } from "../domain/around/feeds/files.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { nasNamed } from "../domain/goods/nas/nas.ts";
import { feedToJson } from "../wire/feed.ts";
import type { Cli } from "./cli.ts";
import { CommandError, printJson, printLine, printTable } from "./io.ts";
import { chooseIsp } from "./nas.ts";
import { askSecrets, readSecretFromStdin } from "./secrets.ts";

interface Options {
  readonly isp?: string;
  readonly secretStdin?: boolean;
  readonly newSecret?: boolean;
  readonly router?: string[];
  readonly allRouters?: boolean;
  readonly host?: string;
  readonly name?: string;
  readonly names?: boolean;
  readonly out?: string;
  readonly json?: boolean;
}

const collect = (value: string, before: string[] = []) => [...before, value];

export function addFeedCommands(program: Command, cli: Cli): void {
  const feed = program
    .command("feed")
    .description("tell LibreQoS (2.2) of each session, by RADIUS accounting, with the rate in force");
  feed
    .command("add")
    .description("tell a shaper of sessions from now on; the secret is asked for, or generated and printed")
    .argument("<name>")
    .argument("<host>", "its IP address, with another port than 1813 as 10.0.0.20:18130")
    .option("--router <nas>", "of this router alone; may be said several times", collect)
    .option("--isp <id>", "its ISP (may be left out when there is one)")
    .option("--secret-stdin", "read the secret from standard input")
    .option("--json", "print JSON")
    .action((name: string, host: string, options: Options) => add(cli, name, host, options));
  feed
    .command("set")
    .description("change a shaper that is told of sessions")
    .argument("<feed>", "its name or id")
    .option("--name <name>", "another name")
    .option("--host <host>", "another address, with a port as in feed add")
    .option("--router <nas>", "of this router alone; may be said several times", collect)
    .option("--all-routers", "of all routers again")
    .option("--secret-stdin", "read another secret from standard input")
    .action((named: string, options: Options) => set(cli, named, options));
  feed
    .command("list")
    .description("print every shaper with how it is told")
    .option("--json", "print JSON")
    .action((options: Options) => list(cli, options));
  for (const [verb, enabled] of [
    ["enable", true],
    ["disable", false],
  ] as const)
    feed
      .command(verb)
      .description(enabled ? "tell a shaper again, of all sessions anew" : "tell a shaper nothing until then")
      .argument("<feed>", "its name or id")
      .action(async (named: string) => {
        const feed = await cli.withStore((db) =>
          setFeedEnabled(db, cli.by, { id: feedNamed(db, cli.by, named).id, enabled }, { now: cli.now() }),
        );
        printLine(cli.io, `${feed.name} is ${enabled ? "on" : "off"}`);
      });
  feed
    .command("remove")
    .description("tell a shaper nothing more")
    .argument("<feed>", "its name or id")
    .action(async (named: string) => {
      const removed = await cli.withStore((db) =>
        deleteFeed(db, cli.by, { id: feedNamed(db, cli.by, named).id }, { now: cli.now() }),
      );
      printLine(cli.io, `removed ${removed.name}; it ends what it shapes of us by itself, within 20 minutes`);
    });
  feed
    .command("box")
    .description("say what a box in the street carries in all, for network.json")
    .argument("<number>", "its number")
    .argument("<capacity>", "Mbit/s down/up, as 1000/500; none: nobody knows")
    .option("--isp <id>", "its ISP (may be left out when there is one)")
    .action((number: string, capacity: string, { isp }: Options) => box(cli, number, capacity, isp));
  feed
    .command("files")
    .description(
      "write ShapedDevices.csv and network.json of LibreQoS: every line with its username, and the boxes with a capacity",
    )
    .option("--out <folder>", "where to write them; by default here")
    .option("--names", "with the names of people; else our numbers stand in their place")
    .option("--isp <id>", "of this ISP (may be left out when there is one)")
    .action((options: Options) => files(cli, options));
}

/** ADDRESS or ADDRESS:PORT; the rules of the field refuse anything else. */
function parsePlace(text: string): { address: string; port?: number } {
  const named = isIP(text) === 0 ? parseListen(text) : undefined;
  return named ? { address: named.host, port: named.port } : { address: text };
}

async function add(cli: Cli, name: string, host: string, options: Options): Promise<void> {
  const { io, by } = cli;
  const { secret, isGenerated } = await askSecret(cli, options);
  const added = await cli.withStore((db) =>
    createFeed(
      db,
      by,
      {
        isp_id: chooseIsp(db, cli, options.isp, verbatim("whose it is")),
        ...{ name, ...parsePlace(host), secret },
        router_ids: findRouters(db, cli, options) ?? "all",
      },
      { now: cli.now() },
    ),
  );
  if (options.json) return printJson(io, { ...feedToJson(added), ...(isGenerated && { secret }) });
  printLine(io, `added ${added.name} at ${added.address} port ${added.port}: ${routersInWords(added)}`);
  if (isGenerated) printLine(io, `secret: ${secret}`);
  printLine(io, "it is told of every open session within a minute, while the server runs");
}

async function askSecret({ io }: Cli, { secretStdin }: Options) {
  if (secretStdin) return { secret: await readSecretFromStdin(io, "secret"), isGenerated: false };
  const [text] = io.stdin.isTTY
    ? await askSecrets(io, ["Secret of its RADIUS listener (empty: generate one): "], "--secret-stdin")
    : [];
  return { secret: text || randomBytes(18).toString("base64url"), isGenerated: !text };
}

function findRouters(db: Db, { by }: Cli, { router, allRouters }: Options): string | undefined {
  if (router && allRouters) throw new CommandError("--router and --all-routers do not go together");
  return allRouters ? "all" : router?.map((named) => nasNamed(db, by, named).id).join(",");
}

const routersInWords = ({ allRouters, routers }: Feed) =>
  allRouters === 1 ? "of all routers" : `of the routers ${routers || "none"}`;

async function set(cli: Cli, named: string, options: Options): Promise<void> {
  const { io, by } = cli;
  const secret = options.secretStdin ? await readSecretFromStdin(io, "secret") : undefined;
  const changed = await cli.withStore((db) => {
    const input = {
      ...(options.name !== undefined && { name: options.name }),
      ...(options.host !== undefined && parsePlace(options.host)),
      ...(secret !== undefined && { secret }),
    };
    const router_ids = findRouters(db, cli, options);
    const { id } = feedNamed(db, by, named);
    return updateFeed(
      db,
      by,
      { id, input: { ...input, ...(router_ids && { router_ids }) } },
      { now: cli.now() },
    );
  });
  printLine(io, `${changed.name} is at ${changed.address} port ${changed.port}: ${routersInWords(changed)}`);
}

async function list(cli: Cli, { json }: Options): Promise<void> {
  const feeds = await cli.withStore((db) => listFeeds(db, cli.by));
  if (json) return printJson(cli.io, feeds.map(feedToJson));
  printTable(
    cli.io,
    ["ID", "NAME", "ADDRESS", "PORT", "ROUTERS", "STATE", "WAITING"],
    feeds.map((one) => {
      const { id, name, address, port, allRouters, routers, waiting } = one;
      return [id, name, address, port, allRouters === 1 ? "all" : routers, describeState(one), waiting];
    }),
  );
}

function describeState({ answeredAt, silentSince, behindSince, disabledAt }: Feed): string {
  if (disabledAt !== null) return `off since ${formatTime(disabledAt)}`;
  if (silentSince !== null) return `silent since ${formatTime(silentSince)}`;
  if (behindSince !== null) return `behind since ${formatTime(behindSince)}`;
  return answeredAt === null ? "not told yet" : `answered ${formatTime(answeredAt)}`;
}

async function box(cli: Cli, boxNumber: string, text: string, isp: string | undefined): Promise<void> {
  const [, down, up] = /^(\d{1,8})\/(\d{1,8})$/.exec(text) ?? [];
  if (text !== "none" && up === undefined)
    throw new CommandError(`${text} is no capacity; write Mbit/s down/up as 1000/500, or none`);
  const capacity = up === undefined ? null : { down: Number(down), up: Number(up) };
  await cli.withStore((db) => {
    const ispId = Number(chooseIsp(db, cli, isp, verbatim("whose it is")));
    setBoxCapacity(db, cli.by, { ispId, boxNumber, capacity }, { now: cli.now() });
  });
  printLine(
    cli.io,
    capacity ? `${boxNumber} carries ${text} Mbit/s` : `the capacity of ${boxNumber} is not known`,
  );
}

async function files(cli: Cli, { isp, names = false, out = "." }: Options): Promise<void> {
  const made = await cli.withStore((db) =>
    shaperFiles(
      db,
      cli.by,
      { ispId: Number(chooseIsp(db, cli, isp, verbatim("whose lines they are"))), withNames: names },
      { now: cli.now() },
    ),
  );
  const paths = { devices: join(out, "ShapedDevices.csv"), network: join(out, "network.json") };
  try {
    mkdirSync(out, { recursive: true });
    writeFileSync(paths.devices, made.devices, { mode: 0o640 });
    writeFileSync(paths.network, made.network, { mode: 0o640 });
  } catch (error) {
    throw new CommandError(`${out} cannot be written to: ${String(error)}; name another folder with --out`);
  }
  printLine(cli.io, `wrote ${paths.devices} and ${paths.network}: ${made.lines} lines`);
  if (made.withoutRate > 0)
    printLine(
      cli.io,
      `${made.withoutRate} lines have no rate, and are not in it: LibreQoS shapes none without one`,
    );
}
