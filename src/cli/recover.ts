import type { NatsConnection } from "@nats-io/transport-node";
import type { Command } from "commander";
import type { Db } from "../../db/open.ts";
import type { BookBatch } from "../domain/machine/access-boxes/book-changes.ts";
import { readSeed } from "../domain/machine/access-boxes/boxes.ts";
import { type Deed, deedsOnlyIn, listDeeds } from "../domain/machine/access-boxes/deeds.ts";
import { promotePrimary } from "../domain/machine/access-boxes/promote.ts";
import {
  declineRecovery,
  readRecovery,
  recoverPrimary,
  recoveredTo,
  type Recovery,
  requireRecoverable,
} from "../domain/machine/access-boxes/recover.ts";
import { isFarAbove } from "../domain/machine/access-boxes/signed-head.ts";
import { formatTime } from "../domain/core/time/time.ts";
import type { EpochReport } from "../nats/epochs.ts";
import type { Cli } from "./cli.ts";
import { CommandError, type Io, printJson, printLine, printTable } from "./io.ts";

const SENTENCE = "the other one is off";
const GO_ABOVE = "go above it";

interface Options {
  nothingToRecover?: boolean;
  from?: string;
  yes?: boolean;
  json?: boolean;
}

export function addRecoverCommand(program: Command, cli: Cli): void {
  program
    .command("recover")
    .description("after `restore`, on books with access boxes: put back what was done since the backup")
    .option("--nothing-to-recover", "go on from the backup alone; numbers continue 1,000 later")
    .option("--from <file>", "only list what other books, by their gatehouse.db, did that these do not know")
    .option("--yes", "do not ask")
    .option("--json", "print JSON")
    .action(async (options: Options) => {
      await cli.withStore(
        async (db) => {
          if (options.from !== undefined) return listFrom(cli, db, options.from, options);
          requireRecoverable(db);
          if (options.nothingToRecover) return decline(cli, db, options);
          await recover(cli, db, options);
        },
        { held: true },
      );
    });
}

/** `box promote`: which books count is decided by a person. */
export function addPromoteCommand(box: Command, cli: Cli): void {
  box
    .command("promote")
    .description("make these the books that count; the others commit nothing more once they hear of it")
    .option("--without-nats", "where nats-server cannot be reached: by what this file knows alone")
    .action(async ({ withoutNats }: { withoutNats?: boolean }) => {
      const { io } = cli;
      printLine(io, "two books that cannot see each other both write, and nobody can join them again");
      const epoch = await withLines(io, async (ask) => {
        if ((await ask(`type: ${SENTENCE}`)) !== SENTENCE)
          throw new CommandError(`nothing was changed; to go on type exactly: ${SENTENCE}`);
        return cli.withStore(
          async (db) => {
            const highest = withoutNats ? 0 : await highestEpoch(cli, db, ask);
            return promotePrimary(db, cli.by, { epoch: highest }, { now: cli.now() });
          },
          { held: true },
        );
      });
      printLine(
        io,
        `these books count from now on, with epoch ${epoch}; boxes and other books hear of it when these serve`,
      );
    });
}

async function highestEpoch(cli: Cli, db: Db, ask: Ask): Promise<number> {
  const { epoch, claims, silent } = await withNats(cli, db, async (nc) => {
    const { epochInNats, askEpochs } = await import("../nats/epochs.ts");
    const [there, boxes] = await Promise.all([epochInNats(nc, db), askEpochs(nc, db)]);
    const proven = Math.max(there.epoch, boxes.epoch);
    const claimed = [...there.claims, ...boxes.claims].filter((claim) => claim.epoch > proven);
    return { epoch: proven, claims: claimed, silent: boxes.silent };
  });
  if (silent.length > 0)
    printLine(
      cli.io,
      `${silent.join(", ")} did not answer; what they have heard of other books is not known`,
    );
  return claims.length === 0 ? epoch : askAbove(cli.io, { epoch, claims, ask });
}

/** Asks who is at the shell, who alone can know without a signature whether another primary was promoted. */
async function askAbove(
  io: Io,
  { epoch, claims, ask }: { epoch: number; claims: EpochReport["claims"]; ask: Ask },
): Promise<number> {
  for (const { who, epoch: claimed } of claims)
    printLine(
      io,
      `${who ?? "what lies on nats-server"} says that books with epoch ${claimed} count, and these books have not signed it`,
    );
  const highest = Math.max(
    0,
    ...claims.filter((one) => !isFarAbove(one.epoch, epoch)).map((one) => one.epoch),
  );
  if (highest === 0) {
    printLine(io, "that is far above what any books have come to: it is not true, and left out");
    return epoch;
  }
  printLine(
    io,
    "it is so where you have made others count by an older version; else a box is not to be trusted, and it is left out",
  );
  return (await ask(`if you have, type: ${GO_ABOVE} (anything else leaves it out)`)) === GO_ABOVE
    ? highest
    : epoch;
}

async function withNats<T>({ config }: Cli, db: Db, body: (nc: NatsConnection) => Promise<T>): Promise<T> {
  if (config.nats === null)
    throw new CommandError("GATEHOUSE_NATS_URL is empty; set it to the nats-server of these books");
  const { PRIMARY_INBOX } = await import("../nats/subjects.ts");
  const { connectOnce } = await import("../nats/connection.ts"); // what talks to NATS costs the other commands no start
  const options = { ...config.nats, seed: readSeed(db) ?? null, name: "gatehouse recover" };
  const nc = await connectOnce(options, PRIMARY_INBOX).catch((cause: unknown) => {
    throw new CommandError(
      `nats-server cannot be reached at ${options.url} (${cause instanceof Error ? cause.message : String(cause)}); start it, and try again`,
    );
  });
  try {
    return await body(nc);
  } finally {
    await nc.close();
  }
}

async function recover(cli: Cli, db: Db, { yes, json }: Options): Promise<void> {
  const { io } = cli;
  const stream = await withNats(cli, db, async (nc): Promise<BookBatch[]> => {
    const { readPrimaryStream } = await import("../nats/primary-stream.ts");
    return readPrimaryStream(nc, { db, after: recoveredTo(db) });
  });
  const recovery = readRecovery(db, stream);
  if (!json) show(io, recovery);
  const question = "put all of it back? type: yes";
  if (!yes && (await withLines(io, (ask) => ask(question))) !== "yes")
    throw new CommandError("nothing was changed; run it again, or decline with --nothing-to-recover");
  const { rows, left } = recoverPrimary(db, cli.by, recovery, { now: cli.now() });
  if (json)
    return printJson(io, {
      rows,
      done: listDeeds(recovery.images).map(deedToJson),
      left: left.map(({ image, why }) => ({ table: image.table, key: image.key, why })),
      missing: recovery.gaps,
    });
  printLine(io, `put back ${rows} rows; these books go on`);
  if (left.length === 0) return;
  printLine(io, "what does not fit any more, to be seen to by hand:");
  printTable(
    io,
    ["table", "row", "why"],
    left.map(({ image, why }) => [image.table, image.key.join(" "), why]),
  );
}

function show(io: Io, { images, gaps }: Recovery): void {
  const deeds = listDeeds(images);
  printLine(
    io,
    `since the backup the stream has ${deeds.length} events, and ${images.length} rows that changed:`,
  );
  printDeeds(io, deeds);
  for (const { after, before } of gaps)
    printLine(
      io,
      `the stream does not have changes ${after + 1} to ${before}; they cannot be put back, and numbers and ids go on 1,000 later`,
    );
}

function decline(cli: Cli, db: Db, { json }: Options): void {
  declineRecovery(db, cli.by, { now: cli.now() });
  if (json) return printJson(cli.io, { declined: true });
  printLine(
    cli.io,
    "these books go on from the backup alone; numbers and ids continue 1,000 later, and boxes that were added or removed since are as before: gatehouse box list",
  );
}

function listFrom(cli: Cli, db: Db, file: string, { json }: Options): void {
  const deeds = deedsOnlyIn(db, cli.by, file);
  if (json) return printJson(cli.io, deeds.map(deedToJson));
  if (deeds.length === 0) return printLine(cli.io, `${file} has nothing that these books do not know`);
  printLine(cli.io, `${deeds.length} events of ${file} are not in these books; enter by hand what counts:`);
  printDeeds(cli.io, deeds);
}

function printDeeds(io: Io, deeds: readonly Deed[]): void {
  if (deeds.length === 0) return;
  printTable(
    io,
    ["when", "what", "who", "number", "amount"],
    deeds.map(({ at, type, username, number, amount }) => [
      formatTime(at),
      type,
      username,
      number,
      amount?.toFixed(2),
    ]),
  );
}

const deedToJson = ({ at, ...deed }: Deed) => ({ ...deed, at: formatTime(at) });

/** Asks a question and resolves with the typed line; empty at the end of input. */
type Ask = (question: string) => Promise<string>;

/** Questions of `body` share one reading of standard input. */
async function withLines<T>(io: Io, body: (ask: Ask) => Promise<T>): Promise<T> {
  const lines = readLines(io.stdin);
  try {
    return await body(async (question) => {
      io.stderr.write(`${question}\n`);
      const { value } = await lines.next();
      return (value ?? "").trim();
    });
  } finally {
    await lines.return(undefined);
  }
}

async function* readLines(stdin: Io["stdin"]): AsyncGenerator<string, undefined> {
  let answer = "";
  for await (const chunk of stdin) {
    answer += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
    const lines = answer.split("\n");
    answer = lines.pop() ?? "";
    yield* lines;
  }
  if (answer !== "") yield answer;
  return undefined;
}
