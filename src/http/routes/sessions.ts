import { Type } from "@sinclair/typebox";
import { type EndOutcome, endSessionsOf } from "../../domain/control/end.ts";
import { flag, id, text } from "../../domain/fields.ts";
import { managementForm } from "../form.ts";
import { managed } from "../operation.ts";

const outcomes: Record<EndOutcome, string> = {
  confirmed: "Session ended: the router has confirmed that it is gone.",
  disconnected: "Session ended: the router has acknowledged it.",
  already_offline: "There is no such session any more.",
  closed: "Session closed in the books; the router was not asked.",
};

const end = managed({
  method: "POST",
  path: "/api/v1/session/end",
  operation: "endSessionsOf",
  operationId: "endSession",
  tags: ["Activation"],
  summary: "End the open sessions of a subscriber, or one by its id (extension)",
  description:
    "Not part of the original interface. `user_id` alone means every open session of the subscriber, `session_id` one, as the usage shows it; one of them is needed. The router is asked as by disconnect. With `books_only` 1 it is not: for a session that is open in the books because its Stop was lost, on a router that is gone or does not know it any more. A session that goes on all the same is open again with the router's next update.",
  form: managementForm({ user_id: id, session_id: text(253), books_only: flag }, [], {
    user_id: 42,
    session_id: "81000001",
    books_only: 1,
  }),
  success: {
    description: "Ended, closed in the books, or nothing to do: `success` says which.",
    schema: Type.Object({ success: Type.String() }),
    example: { success: outcomes.closed },
  },
  refusals: {
    400: "Neither `user_id` nor `session_id`, several subscribers have a session of that id, or disconnecting is switched off in the settings.",
    404: "There is no such subscriber, or no such open session.",
    502: "The router did not do it, and why; the session stays open in the books.",
  },
  run: async ({ db, by, given: { user_id, session_id, books_only }, clock, routers }) => {
    const choice = { subscriberId: user_id ?? undefined, sessionId: session_id ?? undefined };
    const what = { choice, inBooksOnly: books_only === 1 };
    return { success: outcomes[await endSessionsOf(db, by, what, { clock, routers })] };
  },
});

/** What staff do with single sessions. */
export const sessionOperations = [end];
