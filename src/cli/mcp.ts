import type { Command } from "commander";
import { pino } from "pino";
import { recordGuessing } from "../domain/service/cards/guessing.ts";
import { Arrivals } from "../domain/goods/nas/arrivals.ts";
import { keyById, keyNamed } from "../domain/people/api-keys/api-keys.ts";
import { recordKeyCalls } from "../domain/people/api-keys/calls.ts";
import { DomainError } from "../domain/core/errors/errors.ts";
import { requireUsable } from "../domain/people/api-keys/secret.ts";
import { admit, staffById } from "../domain/people/staff/sign-in.ts";
import type { Db } from "../../db/open.ts";
import type { Actor } from "../domain/core/actor/actor.ts";
import type { Cli } from "./cli.ts";
import { version } from "./version.ts";

const OK = 200;
/** The call as the list of calls of the key has it, as if it had come by the network. */
const AS_CALL = { method: "POST", path: "/mcp" } as const;

export function addMcpCommand(program: Command, cli: Cli): void {
  program
    .command("mcp")
    .description("answer an AI assistant over standard input and output (MCP): it reads what a key may see")
    .argument("<key>", "the key that it acts as, by name or id; its secret is not asked for")
    .action(async (named: string) => {
      const { withRouters } = await import("./with-routers.ts");
      await withRouters(cli, async (db, routers) => {
        const { id } = keyNamed(db, cli.by, named);
        let status = OK;
        const actor = () => {
          try {
            const by = loadKeyActor(db, cli, id);
            status = OK;
            return by;
          } catch (error) {
            status = error instanceof DomainError && error.kind === "forbidden" ? 403 : 401;
            throw error;
          }
        };
        actor(); // one that is of no use is said before anything is answered
        const [{ Assistant }, { answerStdio }, { CardGuesses }, { KeyCalls }, { nasTools }] =
          await Promise.all([
            import("../http/assistants/assistant.ts"),
            import("../http/assistants/server.ts"),
            import("../http/card-guesses.ts"),
            import("../http/key-calls.ts"),
            import("./nas-tools.ts"),
          ]);
        const { io, now: clock } = cli;
        const failed = (error: unknown) => void io.stderr.write(`gatehouse: ${String(error)}\n`);
        const calls = new KeyCalls((answered) => {
          try {
            recordKeyCalls(db, cli.by, answered);
          } catch (error) {
            failed(error); // the assistant has its answers all the same
          }
        });
        const answered = (milliseconds: number) =>
          calls.add({ ...AS_CALL, keyId: id, at: clock(), status, milliseconds, address: cli.by.source });
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
          failed,
        };
        await answerStdio(new Assistant(needs, actor), { version, answered });
        calls.flush();
      });
    });
}

/** The key's account as it is now, from wherever it may be used: whoever runs commands reads the store. Throws `unauthenticated`, `forbidden`. */
function loadKeyActor(db: Db, { by, now }: Cli, id: number): Actor {
  const { endsAt, revokedAt } = keyById(db, by, { id });
  requireUsable({ addresses: null, endsAt, revokedAt }, { source: by.source, now: now() });
  const account = staffById(db, id);
  if (!account) throw new Error("a key without its account");
  return admit(db, account, by.source);
}
