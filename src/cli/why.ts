import type { Command } from "commander";
import { type Explanation, explain } from "../domain/service/access/explain.ts";
import type { Cli } from "./cli.ts";
import { type Io, printJson, printLine, printTable } from "./io.ts";

export function addWhyCommand(program: Command, cli: Cli): void {
  program
    .command("why")
    .description("say why a subscriber is online or not: the last decisions, and what they point to")
    .argument("<username>")
    .option("--json", "print JSON")
    .action(async (username: string, { json }: { json?: boolean }) => {
      const explanation = await cli.withStore((db) => explain(db, cli.by, username, { now: cli.now() }));
      if (json) printJson(cli.io, explanation);
      else printExplanation(cli.io, explanation);
    });
}

function printExplanation(
  io: Io,
  { username, status, expires, online, decisions, findings }: Explanation,
): void {
  if (status !== null) {
    const until = expires === null ? "" : `, ${status === "expired" ? "since" : "until"} ${expires}`;
    const now = online
      ? `online since ${online.since} on ${online.nas ?? "-"}${online.address === null ? "" : ` with ${online.address}`}`
      : "offline";
    printLine(io, `${username} is ${status}${until}, and ${now}`);
  }
  for (const finding of findings) printLine(io, `! ${finding}`);
  if (decisions.length === 0) return;
  printTable(
    io,
    ["AT", "ROUTER", "MAC", "DECISION"],
    decisions.map(({ at, nas, mac, words, accepted, reason }) => [
      at,
      nas,
      mac,
      { text: words, tone: !accepted ? "bad" : reason === "accepted" ? "good" : "warning" },
    ]),
  );
}
