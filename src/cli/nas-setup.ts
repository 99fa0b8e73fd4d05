import type { Command } from "commander";
import type { Db } from "../../db/open.ts";
import { Arrivals } from "../domain/goods/nas/arrivals.ts";
import { nasNamed } from "../domain/goods/nas/nas.ts";
import { placeAt } from "../domain/goods/router-setup/places.ts";
import { proveSetup, type RouterTry, tryFromRouter } from "../domain/goods/router-setup/prove.ts";
import {
  type Difference,
  setupDifference,
  type SetupRequest,
  setUpRouter,
  type SetupTools,
} from "../domain/goods/router-setup/setup.ts";
import { routerSetupWords } from "../http/words/console/router-setup.ts";
import { loadMessages } from "../http/words/messages.ts";
import { watchAfterSetup } from "../domain/service/router-watch/after-setup.ts";
import { printState } from "./cells.ts";
import type { Cli } from "./cli.ts";
import { CommandError, type Io, printLine } from "./io.ts";
import { placesOption, resolversOption } from "./nas-script.ts";
import { nasTools } from "./nas-tools.ts";
import { type AskAtTerminal, readSecretFromStdin, withQuestions } from "./secrets.ts";

const { failureInWords, leftInWords, changePlace, changeValues, ...words } = routerSetupWords(
  loadMessages("en"),
);

interface Options {
  user: string;
  passwordStdin?: boolean;
  apiPort?: string;
  tls?: boolean;
  server?: string;
  hotspotName?: string;
  dns?: string;
  disableFasttrack?: boolean;
  shutIpv6?: boolean;
  onlyTried?: boolean;
  remove?: boolean;
  yes?: boolean;
}

export function addNasSetup(nas: Command, cli: Cli): void {
  nas
    .command("setup")
    .description(
      "set a router up by its RouterOS API: show what would change, and on yes make it so and prove it; what fails half way is undone",
    )
    .argument("<nas>", "its name, address or id")
    .option("--user <name>", "who signs in there, of its group full; used now and kept nowhere", "admin")
    .option("--password-stdin", "read the password of that login from standard input")
    .option("--api-port <port>", "of its API (8728, with TLS 8729)")
    .option("--tls", "speak TLS with its API")
    .option("--no-tls", "speak with its API in clear")
    .option("--server <address,...>", "our address as the router reaches it, as for nas script")
    .option("--hotspot-name <name>", "DNS name under which its hotspots show their pages")
    .option(
      "--dns <address,...>",
      "whom the walled garden asks for names, two at the most, in place of the setting garden_dns; setting: as that says again",
    )
    .option(
      "--disable-fasttrack",
      "switch off rules of FastTrack that cannot be kept from subscribers: they take them past their speed and the walled garden",
    )
    .option("--no-disable-fasttrack", "leave such rules as they are")
    .option(
      "--shut-ipv6",
      "on interfaces of hotspots and DHCP lines let only the IPv6 pass that is delegated to them",
    )
    .option("--no-shut-ipv6", "let all of it pass again")
    .option("--only-tried", "leave out what no manual says and nobody has tried on such a router")
    .option("--no-only-tried", "make that, too")
    .option("--remove", "take away what a set-up made, and put back what it changed")
    .option("--yes", "make it so without asking")
    .action(async (named: string, options: Options) => {
      const work = (password: string, ask?: AskAtTerminal) => setUp(cli, named, { options, password, ask });
      if (options.passwordStdin) return work(await readSecretFromStdin(cli.io, "password"));
      await withQuestions(cli.io, "--password-stdin", async (ask) =>
        work(await ask(`Password of ${options.user} on the router (not kept): `), ask),
      );
    });
}

interface SetupInput {
  options: Options;
  password: string;
  /** Absent: there is no terminal to ask at. */
  ask: AskAtTerminal | undefined;
}

async function setUp(cli: Cli, named: string, { options, password, ask }: SetupInput): Promise<void> {
  const { io, by } = cli;
  const { user: username, tls, hotspotName, remove, yes } = options;
  const choices = {
    resolvers: options.dns === "setting" ? [] : resolversOption(options.dns),
    disablesFastTrack: options.disableFasttrack,
    shutsIpv6: options.shutIpv6,
    isTriedOnly: options.onlyTried,
  };
  const places = placesOption(options.server);
  await cli.withStore(async (db) => {
    const { id: nasId, name } = nasNamed(db, by, named);
    const login = { username, password, port: parsePort(options.apiPort), tls };
    const request: SetupRequest = { nasId, login, mode: remove ? "remove" : "setup", hotspotName, choices };
    const router = nasTools(db, { config: cli.config, clock: cli.now });
    const tools = {
      now: cli.now(),
      findPlace: placeAt(router.findPlace, places),
      open: router.open,
      ownAddress: router.ownAddress,
    };
    const difference = await setupDifference(db, by, request, tools);
    printDifference(io, name, difference, request);
    if (difference.changes.length > 0 && !yes) {
      if (!ask) throw new CommandError("nothing was changed; add --yes to make it so");
      const answer = await ask("Make it so? Type yes: ", true);
      if (answer.trim().toLowerCase() !== "yes") throw new CommandError("nothing was changed");
    }
    await carry(cli, db, { request, tools, digest: difference.digest, name });
  });
}

async function carry(
  cli: Cli,
  db: Db,
  {
    request,
    tools,
    digest,
    name,
  }: { request: SetupRequest; tools: SetupTools; digest: string; name: string },
): Promise<void> {
  const { io, by } = cli;
  const since = cli.now();
  const router = nasTools(db, { config: cli.config, clock: cli.now });
  let login: RouterTry | undefined;
  const { outcome, difference, connections } = await setUpRouter(
    db,
    by,
    { ...request, digest },
    {
      ...tools,
      tell: () => {},
      after: async (menus) => {
        if (request.mode !== "setup") return;
        login = await tryFromRouter(menus);
        const { nasId } = request;
        const world = { clock: cli.now, arrivals: new Arrivals(), nasTools: router };
        await watchAfterSetup(db, by, { nasId, menus }, world);
      },
    },
  );
  if (outcome.kind === "other") throw new CommandError(`${words.other}. ${words.otherText}`);
  if (outcome.kind !== "done") throw new CommandError(failureInWords(outcome, String).join("\n"));
  printLine(io, request.mode === "remove" ? words.doneRemoved(name) : words.done(name));
  if (connections) printLine(io, words.connections(connections));
  if (!login) return;
  const { ask } = router;
  const proof = await proveSetup(
    db,
    by,
    { nasId: request.nasId, login, since, isChanged: difference.changes.length > 0 },
    { clock: cli.now, arrivals: new Arrivals(), ask, pause: Bun.sleep },
  );
  for (const { check, status, detail, remedy } of proof) {
    const rest = `${words.checks[check]}: ${detail}`;
    printState(io, status, 7, remedy === null ? rest : `${rest}; remedy: ${remedy}`);
  }
  if (proof.some(({ status }) => status === "failed")) throw new CommandError(words.doneUnproven(name));
}

function parsePort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port > 0 && port < 65_536) return port;
  throw new CommandError(`--api-port is ${text}; it must be a port, 1 to 65535`);
}

const verbs = { add: words.added, set: words.changed, remove: words.removed } as const;

function printDifference(
  io: Io,
  name: string,
  { version, changes, left }: Difference,
  { mode }: SetupRequest,
): void {
  printLine(io, `${words.difference(name, version)}.`);
  for (const change of changes)
    printLine(
      io,
      `  ${verbs[change.kind]}: ${changePlace(change)} (${change.menu}): ${changeValues(change)}`,
    );
  for (const sentence of leftInWords(left)) printLine(io, `  ${words.left}: ${sentence}`);
  if (changes.length === 0)
    printLine(io, `${words.nothing}. ${mode === "remove" ? words.nothingLeft : words.nothingText}`);
}
