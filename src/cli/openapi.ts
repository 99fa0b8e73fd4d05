import type { Command } from "commander";
import { writePrivate } from "../domain/core/files/files.ts";
import type { Cli } from "./cli.ts";
import { makeWhole, requireNew } from "./export-files.ts";
import { printLine } from "./io.ts";

export function addOpenapiCommand(program: Command, { io }: Cli): void {
  program
    .command("openapi")
    .description("write the OpenAPI document of the API, from which clients are generated; needs no database")
    .argument("[file]", "must not exist yet; `-` is standard output", "-")
    .action(async (file: string) => {
      if (file !== "-") requireNew(file, "file");
      const { documentRoutes } = await import("../http/app.ts"); // help loads no route
      const text = `${JSON.stringify(documentRoutes(), null, 2)}\n`;
      if (file === "-") return void io.stdout.write(text);
      makeWhole(file, (unfinished) => writePrivate(unfinished, text));
      printLine(io, `${file}: written`);
    });
}
