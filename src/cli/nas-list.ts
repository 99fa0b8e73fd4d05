import type { Command } from "commander";
import type { Db } from "../../db/open.ts";
import { namesById } from "../domain/core/references/names.ts";
import type { Nas } from "../domain/goods/nas/find.ts";
import { listNas } from "../domain/goods/nas/nas.ts";
import { listSources } from "../domain/goods/nas/sources.ts";
import { nasToJson, nasSourcesToJson } from "../wire/nas.ts";
import type { Cli } from "./cli.ts";
import { printJson, printTable } from "./io.ts";

export function nasAndSources(db: Db, row: Nas) {
  return { ...nasToJson(row), ...nasSourcesToJson(listSources(db, row.id)) };
}

export function addNasList(nas: Command, cli: Cli): void {
  nas
    .command("list")
    .description("print every router")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const { all, names } = await cli.withStore((db) => ({
        all: listNas(db, cli.by).map((row) => nasAndSources(db, row)),
        names: namesById(db, cli.by),
      }));
      if (json) return printJson(cli.io, all);
      printTable(
        cli.io,
        [
          "ID",
          "ISP",
          "NAME",
          "ADDRESS",
          "KIND",
          "MESSAGE-AUTHENTICATOR",
          "COA PORT",
          "DISCONNECT",
          "ROUTEROS API",
        ],
        all.map((row) => [
          row.id,
          names.isps.get(row.isp_id),
          row.name,
          row.address,
          row.kind,
          authenticatorState(row),
          row.coa_port,
          row.disconnect_method,
          row.routeros && `${row.routeros.host}:${row.routeros.port}${row.routeros.tls ? " (TLS)" : ""}`,
        ]),
      );
    });
}

function authenticatorState(row: ReturnType<typeof nasAndSources>): string {
  const { require_message_authenticator: required, message_authenticator_seen: seen } = row;
  if (required !== "auto") return required;
  const [first] = seen;
  if (!first) return "auto: not seen yet";
  return row.address.includes("/") ? `auto: seen of ${seen.length}` : `auto: seen ${first.since}`;
}
