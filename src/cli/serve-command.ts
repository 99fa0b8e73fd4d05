import type { Command } from "commander";
import { existsSync } from "node:fs";
import { databaseFile } from "../../db/open.ts";
import type { Cli } from "./cli.ts";
import { initQuietly } from "./init.ts";

export function addServeCommand(program: Command, cli: Cli): void {
  program
    .command("serve")
    .description("run the API, the portal and RADIUS")
    .option(
      "--access",
      "as an access box, which answers routers for the books of another machine (GATEHOUSE_ROLE=access)",
    )
    .option(
      "--init",
      "begin with the data folder and the first Admin where there is no database yet, as init does; its password is in a file there",
    )
    .action(async ({ access, init }: { access?: boolean; init?: boolean }) => {
      const { io } = cli;
      const config = access ? { ...cli.config, role: "access" as const } : cli.config;
      const begins = init && config.role !== "access"; // who works at an access box stands in the books
      if (begins && !existsSync(databaseFile(config.dataDir))) await initQuietly(cli);
      const { serve } = await import("./serve.ts"); // HTTP and RADIUS cost the other commands no start
      await serve(config, io);
    });
}
