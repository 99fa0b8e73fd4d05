import type { Command } from "commander";
import type { Db } from "../../db/open.ts";
import { Arrivals } from "../domain/goods/nas/arrivals.ts";
import { nasNamed } from "../domain/goods/nas/nas.ts";
import {
  routerFindings,
  type RouterFinding,
  type RouterReading,
} from "../domain/service/router-watch/findings.ts";
import { type Looked, watchRouters, type WatchTools } from "../domain/service/router-watch/watch.ts";
import { formatTime } from "../domain/core/time/time.ts";
import { routerWatchWords } from "../http/words/console/router-watch.ts";
import { loadMessages } from "../http/words/messages.ts";
import { findingToJson, readingToJson } from "../wire/router-watch.ts";
import { printState } from "./cells.ts";
import type { Cli } from "./cli.ts";
import { CommandError, type Io, printJson, printLine } from "./io.ts";
import { nasTools } from "./nas-tools.ts";

const { watchWords, ...words } = routerWatchWords(loadMessages("en"));

export function addNasWatch(nas: Command, cli: Cli): void {
  nas
    .command("watch")
    .description(
      "look at routers by their RouterOS API and say what is not as it should be, what that costs and what mends it; changes nothing there",
    )
    .argument("[nas]", "its name, address or id; without, every router that has an account for its API")
    .option("--json", "print JSON")
    .action(async (named: string | undefined, { json }: { json?: boolean }) => {
      const { by, io, config, now } = cli;
      const { findings, readings, looked } = await cli.withStore(async (db) => {
        const nasId = named === undefined ? undefined : nasNamed(db, by, named).id;
        const tools = {
          clock: now,
          arrivals: new Arrivals(),
          nasTools: nasTools(db, { config, clock: now }),
        };
        const looked = await lookTwice(db, cli, nasId, tools);
        return { ...routerFindings(db, by, { nasId }), looked };
      });
      const record = findings.filter(({ hidden }) => hidden === null);
      if (json)
        printJson(io, { findings: findings.map(findingToJson), readings: readings.map(readingToJson) });
      else printAll(io, record, readings);
      const failed = looked.filter(({ kind }) => kind === "failed").map(({ name }) => name);
      const errors = record.filter(({ level, countedAt }) => level === "error" && countedAt !== null);
      const routers = [...new Set(errors.map(({ router }) => router))];
      if (failed.length > 0) throw new CommandError(`not looked at: ${failed.join(", ")}`);
      if (errors.length > 0)
        throw new CommandError(
          `errors at ${routers.join(", ")}; mend them on the router's page, or type there what stands behind them`,
        );
    });
}

/** A finding counts when two looks agree, so a new one is looked at again at once. */
async function lookTwice(
  db: Db,
  { by }: Cli,
  nasId: number | undefined,
  tools: WatchTools,
): Promise<Looked[]> {
  const looked = await watchRouters(db, by, { nasId }, tools);
  const isNew = routerFindings(db, by, { nasId }).findings.some(({ countedAt }) => countedAt === null);
  return isNew ? watchRouters(db, by, { nasId }, tools) : looked;
}

function printAll(io: Io, findings: readonly RouterFinding[], readings: readonly RouterReading[]): void {
  if (readings.length === 0)
    printLine(io, "no router has an account for its API; make one with: gatehouse nas setup");
  for (const reading of readings) {
    const own = findings.filter(({ nasId }) => nasId === reading.nasId);
    printReading(io, reading, own.length);
    for (const finding of own) printFinding(io, finding);
  }
}

function printReading(io: Io, reading: RouterReading, found: number): void {
  const { name, version, failure, triedAt, unlooked, others } = reading;
  if (failure !== null)
    printState(io, "failed", 7, `${name}: ${words.failed(formatTime(triedAt), failure, found)}`);
  else if (found === 0) printState(io, "ok", 7, `${name} (RouterOS ${version}): ${words.none}`);
  else printLine(io, `${name} (RouterOS ${version}):`);
  const reasons = Map.groupBy(unlooked, ({ reason }) => reason);
  for (const [reason, kinds] of reasons)
    printState(io, "skipped", 7, `${name}: ${words.unlooked(kinds.length)}: ${reason}`);
  const counted = others && words.others(others.ppp, others.hotspot, others.bypassed);
  if (counted) printLine(io, `  ${counted}`);
}

function printFinding(io: Io, finding: RouterFinding): void {
  const { title, cost, todo } = watchWords(finding);
  const { level, countedAt, foundAt, commands, nasId } = finding;
  const when = countedAt === null ? words.pending : words.since(formatTime(foundAt));
  printState(io, level, 7, `${title}, ${when}. ${cost}`);
  if (todo !== undefined) printLine(io, `         ${todo}`);
  for (const command of commands) printLine(io, `         ${command}`);
  if (finding.kind === "two_queues")
    printLine(io, `         gatehouse nas set ${nasId} --dual-stack half   (or ipv4)`);
}
