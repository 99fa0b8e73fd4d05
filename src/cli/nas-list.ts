import type { Command } from "commander";
import type { Db } from "../../db/open.ts";
import { namesById } from "../domain/names.ts";
import { listNas, type Nas, nasRecord } from "../domain/nas/nas.ts";
import { sourcesOf } from "../domain/nas/sources.ts";
import { formatTime } from "../domain/time.ts";
import type { Cli } from "./cli.ts";
import { printJson, printTable } from "./io.ts";

/** A NAS and what was seen of its addresses: since when "auto" requires a Message-Authenticator, and what is dropped. */
export function shownNas(db: Db, row: Nas) {
  const sources = sourcesOf(db, row.id);
  return {
    ...nasRecord(row),
    message_authenticator_seen: sources.flatMap(({ address, authenticatorSeenAt }) =>
      authenticatorSeenAt === null ? [] : [{ address, since: formatTime(authenticatorSeenAt) }],
    ),
    requests_dropped: sources.flatMap(({ address, droppedSince, droppedLast }) =>
      droppedSince === null || droppedLast === null
        ? []
        : [{ address, since: formatTime(droppedSince), last: formatTime(droppedLast) }],
    ),
  };
}

export function addNasList(nas: Command, cli: Cli): void {
  nas
    .command("list")
    .description("print every router")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const { all, names } = await cli.withStore((db) => ({
        all: listNas(db, cli.by).map((row) => shownNas(db, row)),
        names: namesById(db, cli.by),
      }));
      if (json) return printJson(cli.io, all);
      printTable(
        cli.io,
        ["ID", "ISP", "NAME", "ADDRESS", "MESSAGE-AUTHENTICATOR", "COA PORT", "DISCONNECT", "ROUTEROS API"],
        all.map((row) => [
          row.id,
          names.isps.get(row.isp_id),
          row.name,
          row.address,
          authenticatorState(row),
          row.coa_port,
          row.disconnect_method,
          row.routeros && `${row.routeros.host}:${row.routeros.port}${row.routeros.tls ? " (TLS)" : ""}`,
        ]),
      );
    });
}

function authenticatorState(row: ReturnType<typeof shownNas>): string {
  const { require_message_authenticator: required, message_authenticator_seen: seen } = row;
  if (required !== "auto") return required;
  const [first] = seen;
  if (!first) return "auto: not seen yet";
  return row.address.includes("/") ? `auto: seen of ${seen.length}` : `auto: seen ${first.since}`;
}
