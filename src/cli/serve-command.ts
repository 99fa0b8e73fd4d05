import type { Command } from "commander";
import type { Cli } from "./cli.ts";

export function addServeCommand(program: Command, cli: Cli): void {
  program
    .command("serve")
    .description("run the API, the portal and RADIUS")
    .action(async () => {
      const { config, io } = cli;
      const { serve } = await import("./serve.ts"); // HTTP and RADIUS cost the other commands no start
      await serve(config, io);
    });
}
