import { consoleSession } from "../../../../domain/people/staff/console-sessions.ts";
import { isSetupOpen } from "../../../../domain/machine/setup/setup.ts";
import { formToken } from "../../../pages/cookies.ts";
import { seeOther } from "../../../pages/respond.tsx";
import { page } from "../../answers.tsx";
import type { ConsoleRequest, ConsoleNeeds } from "../../guard.ts";
import type { Kept } from "../../kept.ts";
import { consoleCookie } from "../../session-cookie.ts";
import { consoleViewFor } from "../../view.ts";
import { SendAgainPage } from "./again.tsx";
import { readSource } from "./show.tsx";

interface Opened {
  id: string;
  secure: boolean;
}

/** Leads to the kept input, to the requested page, or to the first start of an empty box. */
export function goOn(
  needs: ConsoleNeeds,
  incoming: ConsoleRequest,
  { id, secure, onward, kept }: Opened & { onward: string; kept?: Kept | undefined },
): Response {
  const { db, clock } = needs;
  const now = clock();
  const cookie = consoleCookie.write(id, secure);
  const session = consoleSession(db, id, { now, source: readSource(needs, incoming) });
  if (kept && session?.needs === "nothing") {
    const view = consoleViewFor(db, { request: incoming.request, now, ispId: session.account.ispId });
    const token = formToken(db.vault, id);
    return page(incoming, <SendAgainPage view={view} formToken={token} kept={kept} />, {
      headers: { "set-cookie": cookie },
    });
  }
  const home = session && isSetupOpen(db, session.by) ? "/console/start" : "/console";
  return seeOther(onward || home, [cookie]);
}

/** Gives an open page its new account and form token. */
export function signedInAgain(
  needs: ConsoleNeeds,
  incoming: ConsoleRequest,
  { id, secure }: Opened,
): Response {
  const { db, clock } = needs;
  const session = consoleSession(db, id, { now: clock(), source: readSource(needs, incoming) });
  const detail = { account: session?.account.id ?? 0, token: formToken(db.vault, id) };
  return new Response(null, {
    status: 204,
    headers: {
      "set-cookie": consoleCookie.write(id, secure),
      "hx-trigger": JSON.stringify({ "signed-in": detail }),
      "cache-control": "no-store",
    },
  });
}
