import type { Command } from "commander";
import { endSessionsAt, type EndedAtRouter } from "../domain/service/control/end-at-router.ts";
import { endChosenSessions, type EndOutcome, sessionChoice } from "../domain/service/control/end.ts";
import { DomainError } from "../domain/core/errors/errors.ts";
import { nasNamed } from "../domain/goods/nas/nas.ts";
import { counted } from "./cells.ts";
import type { Cli } from "./cli.ts";
import { CommandError, printJson, printLine } from "./io.ts";
import { withRouters } from "./with-routers.ts";

interface Options {
  session?: string;
  nas?: string;
  booksOnly?: boolean;
  json?: boolean;
}

export function addSessionsEnd(sessions: Command, cli: Cli): void {
  sessions
    .command("end")
    .description(
      "end the open sessions of a subscriber, of a card, of a router, or one session, on the router and in the books",
    )
    .argument(
      "[who]",
      "a username, the number of a card (C-000123), or a session id as sessions list --json shows it",
    )
    .option("--session <id>", "of that username this session only")
    .option("--nas <name>", "in place of who: every session of this router, by its whole name")
    .option(
      "--books-only",
      "without asking the router: it is gone, or knows nothing of the session; if it goes on all the same, the router's next update opens it again",
    )
    .option("--json", "print JSON")
    .action((who: string | undefined, options: Options) => {
      const { nas, session, booksOnly } = options;
      if (nas !== undefined) {
        if (who !== undefined || session !== undefined || booksOnly)
          throw new CommandError("--nas ends every session of a router on it; it goes with --json alone");
        return endAll(cli, nas, options);
      }
      if (who === undefined)
        throw new CommandError(
          "say whose sessions, or which: a username, the number of a card, a session id, or --nas NAME",
        );
      return endSessions(cli, who, options);
    });
}

const outcomes: Record<EndOutcome, string> = {
  confirmed: "ended: the router has confirmed that it is gone",
  disconnected: "ended: the router has acknowledged it",
  already_offline: "nothing to do: offline already",
  closed: "closed in the books; the router was not asked",
};

async function endSessions(cli: Cli, who: string, options: Options): Promise<void> {
  const { session, booksOnly: inBooksOnly = false, json } = options;
  const { by, now: clock } = cli;
  const outcome = await withRouters(cli, (db, routers) =>
    endChosenSessions(
      db,
      by,
      { choice: sessionChoice(db, by, { who, sessionId: session }), inBooksOnly },
      { clock, routers },
    ),
  ).catch((error: unknown) => {
    if (!(error instanceof DomainError && error.kind === "router_failed")) throw error;
    throw new CommandError(
      `${error.message}; if the router is gone or knows the session no more, end it in the books: add --books-only`,
    );
  });
  if (json) printJson(cli.io, { outcome });
  else if (outcome === "already_offline" && session !== undefined)
    printLine(cli.io, `nothing to do: ${who} has no open session ${session}`);
  else printLine(cli.io, outcomes[outcome]);
}

/** Asks for the router's whole name, for it may serve a town. */
async function endAll(cli: Cli, nas: string, { json }: Options): Promise<void> {
  const { by, now: clock } = cli;
  const ended = await withRouters(cli, (db, routers) =>
    endSessionsAt(db, by, { nasId: nasNamed(db, by, nas).id, confirm: nas }, { clock, routers }),
  ).catch((error: unknown) => {
    if (!(error instanceof DomainError && error.fields?.["confirm"])) throw error;
    throw new CommandError(
      `every session of a router ends by its whole name alone: ${error.fields["confirm"]}`,
    );
  });
  const { ended: acknowledged, gone, failed, reasons, notAsked: unanswered } = ended;
  if (json) printJson(cli.io, { ended: acknowledged, gone, failed, reasons, not_asked: unanswered });
  else for (const line of describeEnded(ended, nas)) printLine(cli.io, line);
  if (failed + unanswered > 0)
    throw new CommandError(
      `${counted(failed + unanswered, "session")} of ${nas} may still be open; see: gatehouse nas test ${nas}, and run this again`,
    );
}

function describeEnded({ ended, gone, reasons, notAsked: unanswered }: EndedAtRouter, nas: string): string[] {
  if (ended + gone + reasons.length + unanswered === 0) return [`nothing to do: nobody is online at ${nas}`];
  return [
    `ended ${counted(ended, "session")} of ${nas}`,
    ...(gone > 0 ? [`the router had ${counted(gone, "session")} no more`] : []),
    ...reasons.map(({ reason, sessions }) => `${counted(sessions, "session")} failed: ${reason}`),
    ...(unanswered > 0 ? [`not asked about ${counted(unanswered, "session")}`] : []),
  ];
}
