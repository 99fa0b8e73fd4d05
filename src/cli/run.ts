import { Command, CommanderError } from "commander";
import type { Environment } from "../config/env.ts";
import { Cli } from "./cli.ts";
import { commandModules } from "./commands.ts";
import { printable } from "../domain/core/fields/text.ts";
import { Output } from "./output.ts";
import type { Io } from "./io.ts";

const FAILED = 1;
const WRONG_USAGE = 2;

/** Runs one command and returns its exit code: 0 done, 1 failed, 2 wrong usage, 141 when the output was not wanted whole. */
export async function run(argv: readonly string[], env: Environment, io: Io): Promise<number> {
  const output = new Output(io);
  const code = await perform(argv, env, io);
  return argv[0] === "serve" ? code : output.finalCode(code); // the server outlives who reads its log
}

async function perform(argv: readonly string[], env: Environment, io: Io): Promise<number> {
  const cli = new Cli(env, io);
  try {
    await (await program(cli, argv)).parseAsync([...argv], { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE; // commander has printed why
    const { explain } = await import("./explain.ts"); // what went well needs no words for what did not
    for (const line of explain(error, () => cli.config)) io.stderr.write(`gatehouse: ${printable(line)}\n`);
    if (env["GATEHOUSE_LOG_LEVEL"] === "debug" && error instanceof Error)
      for (const line of (error.stack ?? "").split("\n")) io.stderr.write(`${printable(line)}\n`);
    return FAILED;
  }
}

async function program(cli: Cli, argv: readonly string[]): Promise<Command> {
  const { stdout, stderr } = cli.io;
  const gatehouse = new Command("gatehouse")
    .description("Subscribers, billing and RADIUS of a small internet service provider")
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, writeError) =>
        writeError(
          `gatehouse: ${text
            .trim()
            .replace(/^error: /, "")
            .replace(/\n+/g, " ")
            .replace(/\.$/, "")}; see --help\n`,
        ),
      getOutHelpWidth: () => 100,
      getErrHelpWidth: () => 100,
    });
  for (const add of await commandModules(argv[0])) add(gatehouse, cli);
  return gatehouse;
}
