import type { Command } from "commander";
import { pino } from "pino";
import { recordGuessing } from "../domain/service/cards/guessing.ts";
import { Arrivals } from "../domain/goods/nas/arrivals.ts";
import { keyNamed, keyOfId } from "../domain/people/api-keys/api-keys.ts";
import { requireUsable } from "../domain/people/api-keys/secret.ts";
import { admit, staffById } from "../domain/people/staff/sign-in.ts";
import type { Db } from "../../db/open.ts";
import type { Actor } from "../domain/core/actor/actor.ts";
import type { Cli } from "./cli.ts";
import { version } from "./version.ts";

export function addMcpCommand(program: Command, cli: Cli): void {
  program
    .command("mcp")
    .description("answer an AI assistant over standard input and output (MCP): it reads what a key may see")
    .argument("<key>", "the key that it acts as, by name or id; its secret is not asked for")
    .action(async (named: string) => {
      const { withRouters } = await import("./with-routers.ts");
      await withRouters(cli, async (db, routers) => {
        const { id } = keyNamed(db, cli.by, named);
        const actor = () => actorOfKey(db, cli, id);
        actor(); // one that is of no use is said before anything is answered
        const [{ Assistant }, { answerStdio }, { CardGuesses }, { nasTools }] = await Promise.all([
          import("../http/assistants/assistant.ts"),
          import("../http/assistants/server.ts"),
          import("../http/card-guesses.ts"),
          import("./nas-tools.ts"),
        ]);
        const { io, now: clock } = cli;
        const needs = {
          db,
          clock,
          routers,
          nasTools: nasTools(db, { config: cli.config, clock }),
          arrivals: new Arrivals(),
          guesses: new CardGuesses(pino({ enabled: false }), (guessing) =>
            recordGuessing(db, cli.by, guessing, { now: clock() }),
          ),
          renewed: () => {},
          failed: (error: unknown) => void io.stderr.write(`gatehouse: ${String(error)}\n`),
        };
        await answerStdio(new Assistant(needs, actor), version);
      });
    });
}

/** As it is now, from wherever it may be used: whoever runs commands reads the store. Throws `unauthenticated`, `forbidden`. */
function actorOfKey(db: Db, { by, now }: Cli, id: number): Actor {
  const { endsAt, revokedAt } = keyOfId(db, by, { id });
  requireUsable({ addresses: null, endsAt, revokedAt }, { source: by.source, now: now() });
  const account = staffById(db, id);
  if (!account) throw new Error("a key without its account");
  return admit(db, account, by.source);
}
