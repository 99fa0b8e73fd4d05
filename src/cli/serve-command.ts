import type { Command } from "commander";
import type { Cli } from "./cli.ts";

export function addServeCommand(program: Command, cli: Cli): void {
  program
    .command("serve")
    .description("run the API, the portal and RADIUS")
    .option(
      "--access",
      "as an access box, which answers routers for the books of another machine (GATEHOUSE_ROLE=access)",
    )
    .action(async ({ access }: { access?: boolean }) => {
      const { io } = cli;
      const config = access ? { ...cli.config, role: "access" as const } : cli.config;
      const { serve } = await import("./serve.ts"); // HTTP and RADIUS cost the other commands no start
      await serve(config, io);
    });
}
