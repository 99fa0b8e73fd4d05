import type { Command } from "commander";
import type { Db } from "../../db/open.ts";
import { readStatement } from "../domain/money/billing/statement.ts";
import type { Ended } from "../domain/service/control/disconnect.ts";
import { from, to } from "../domain/core/fields/fields.ts";
import { listStaff } from "../domain/people/staff/accounts.ts";
import { archiveSubscriber, restoreSubscriber } from "../domain/desk/subscriber-page/archive.ts";
import { noteText } from "../domain/goods/subscribers/fields.ts";
import { archivedNamed, subscriberByUsername } from "../domain/goods/subscribers/find.ts";
import { addNote } from "../domain/goods/subscribers/notes.ts";
import { type Hit, searchSubscribers } from "../domain/desk/search/search.ts";
import { fold } from "../domain/core/fields/text.ts";
import { hitToJson } from "../wire/found.ts";
import { statementToJson } from "../wire/statement.ts";
import { counted, money, state } from "./cells.ts";
import type { Cli } from "./cli.ts";
import { CommandError, type Io, printJson, printLine, printTable, printTotal } from "./io.ts";
import { SEE_LIST } from "./see-list.ts";
import { parseTimeOption } from "./sessions.ts";
import { withRouters } from "./with-routers.ts";

export function addSubscriberOfficeCommands(subscriber: Command, cli: Cli): void {
  addFind(subscriber, cli);
  addArchive(subscriber, cli);
  addRestore(subscriber, cli);
  addNoteCommand(subscriber, cli);
  addStatement(subscriber, cli);
}

function addFind(subscriber: Command, cli: Cli): void {
  subscriber
    .command("find")
    .description("find subscribers by any part of a name, number, address, box, MAC or IP address")
    .argument("<words>")
    .option("--at <time>", "who had this IP address at a time, as 2030-01-31 12:00:00 in server time")
    .option("--json", "print JSON")
    .action(async (q: string, { at, json }: { at?: string; json?: boolean }) => {
      const time = at === undefined ? undefined : parseTimeOption("--at", at);
      const now = cli.now();
      const hits = await cli.withStore((db) => searchSubscribers(db, cli.by, { q, at: time }, { now }));
      if (json) return printJson(cli.io, hits.map(hitToJson));
      if (hits.length === 0) throw new CommandError(`nobody matches ${q}; try fewer characters of it`);
      printHits(cli.io, hits);
    });
}

function printHits(io: Io, hits: readonly Hit[]): void {
  printTable(
    io,
    ["ID", "USERNAME", "NAME", "MOBILE", "PACKAGE", "STATUS", "CONNECTION", "MATCHES"],
    hits.map((hit) => [
      hit.id,
      hit.username,
      hit.name,
      hit.mobile,
      hit.package,
      state(hit.archived ? "archived" : hit.status),
      state(hit.online ? "online" : "offline"),
      hit.matched.join(", "),
    ]),
  );
  printTotal(io, hits.length === 20 ? "the first 20" : counted(hits.length, "subscriber"));
}

function addArchive(subscriber: Command, cli: Cli): void {
  subscriber
    .command("archive")
    .description("archive a subscriber who left: its name and numbers become free, its books stay")
    .argument("<username>")
    .action(async (username: string) => {
      const { by, now: clock, io } = cli;
      const ended = await withRouters(cli, (db, routers) =>
        archiveSubscriber(db, by, { subscriberId: findId(db, cli, username) }, { clock, routers }),
      );
      printEnded(io, `archived ${username}`, ended);
    });
}

function printEnded(io: Io, done: string, { ended, failures }: Ended): void {
  const open = ended + failures.length > 0 ? `ended ${counted(ended, "session")}` : "no session was open";
  printLine(io, `${done}; ${open}`);
  if (failures.length > 0)
    printLine(io, `a session is still open: ${failures.join("; ")}; a running server asks again`);
}

function addRestore(subscriber: Command, cli: Cli): void {
  subscriber
    .command("restore")
    .description("bring an archived subscriber back, disabled")
    .argument("<username>", "the one that it had, or its id where several had it")
    .action(async (who: string) => {
      const now = cli.now();
      const username = await cli.withStore((db) => {
        const { id, username } = archivedNamed(db, cli.by.scope, who);
        restoreSubscriber(db, cli.by, { subscriberId: id }, { now });
        return username;
      });
      printLine(cli.io, `restored ${username}; let it in with: gatehouse subscriber enable ${username}`);
    });
}

function addNoteCommand(subscriber: Command, cli: Cli): void {
  subscriber
    .command("note")
    .description("add a note of the staff to a subscriber")
    .argument("<username>")
    .argument("<note>")
    .requiredOption("--staff <username>", "the account whose note it is")
    .action(async (username: string, value: string, { staff }: { staff: string }) => {
      const note = noteText.read(value);
      if (note === undefined) throw new CommandError(`the note ${noteText.message}`);
      await cli.withStore((db) =>
        addNote(
          db,
          cli.by,
          { subscriberId: findId(db, cli, username), note, staffId: writer(db, cli, staff) },
          { now: cli.now() },
        ),
      );
      printLine(cli.io, `noted for ${username}`);
    });
}

function writer(db: Db, { by }: Cli, username: string): number {
  const account = listStaff(db, by).find(({ usernameKey }) => usernameKey === fold(username));
  if (!account) throw new CommandError(`there is no staff account ${username}; see: gatehouse staff list`);
  return account.id;
}

interface StatementOptions {
  from?: string;
  to?: string;
  archived?: boolean;
  json?: boolean;
}

function addStatement(subscriber: Command, cli: Cli): void {
  subscriber
    .command("statement")
    .description("print what moved in a subscriber's wallet, and what is open")
    .argument("<username>")
    .option("--from <day>", "from this day or time on, as 2030-01-31")
    .option("--to <day>", "until this day or time")
    .option("--archived", "of one who was archived")
    .option("--json", "print JSON")
    .action(async (username: string, { from: first, to: last, archived, json }: StatementOptions) => {
      const range = { from: parseMoment("--from", from, first), to: parseMoment("--to", to, last) };
      const statement = await cli.withStore((db) => {
        const { by } = cli;
        const subscriberId = archived ? archivedNamed(db, by.scope, username).id : findId(db, cli, username);
        const reader = archived ? { ...by, scope: { ...by.scope, archived } } : by;
        return statementToJson(readStatement(db, reader, { subscriber: subscriberId, ...range }));
      });
      if (json) printJson(cli.io, statement);
      else printStatement(cli.io, statement);
    });
}

function parseMoment(option: string, field: typeof from, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const moment = field.read(text);
  if (moment === undefined) throw new CommandError(`${option} is ${text}; it ${field.message}`);
  return moment;
}

function printStatement(io: Io, statement: ReturnType<typeof statementToJson>): void {
  const cell = (amount: number) => money(Math.round(amount * 100));
  printTable(
    io,
    ["AT", "KIND", "INVOICE", "RECEIPT", "AMOUNT", "BALANCE"],
    [
      [null, "balance before", null, null, null, cell(statement.opening_balance)],
      ...statement.entries.map((entry) => [
        entry.created_at,
        entry.reason === null ? entry.kind : `${entry.kind}: ${entry.reason}`,
        entry.invoice_number,
        entry.receipt_number,
        cell(entry.amount),
        cell(entry.balance),
      ]),
    ],
  );
  for (const { number, id, open, created_at } of statement.open_invoices)
    printLine(io, `open: ${money(Math.round(open * 100)).text} of invoice ${number ?? id} of ${created_at}`);
  if (statement.open_without_invoice > 0)
    printLine(io, `open without an invoice: ${cell(statement.open_without_invoice).text}`);
  printTotal(io, `the balance is ${cell(statement.closing_balance).text}`);
}

function findId(db: Db, { by }: Cli, username: string): number {
  return subscriberByUsername(db, by.scope, username, SEE_LIST).id;
}
