import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Db } from "../../../db/open.ts";
import type { Routers } from "../../domain/control/routers.ts";
import { flag, id, text } from "../../domain/fields.ts";
import { type EndOutcome, endSessionsOf } from "../../domain/control/end.ts";
import type { Clock } from "../../domain/time.ts";
import { describeManaged } from "../describe.ts";
import { managementForm, read, within } from "../form.ts";
import type { basicGuard } from "../guards.ts";

/** What staff do with single sessions. */
export function sessionRoutes({
  db,
  clock,
  guard,
  routers,
}: {
  db: Db;
  clock: Clock;
  guard: ReturnType<typeof basicGuard>;
  routers: Routers;
}) {
  return new Elysia({ prefix: "/api/v1/session" }).use(guard).post(
    "/end",
    async ({ staff, input }) => {
      const { user_id, session_id, books_only, ...place } = read(endForm, input);
      const outcome = await endSessionsOf(
        db,
        within(staff, place),
        {
          choice: { subscriberId: user_id ?? undefined, sessionId: session_id ?? undefined },
          inBooksOnly: books_only === 1,
        },
        { clock, routers },
      );
      return { success: outcomes[outcome] };
    },
    describeEnd,
  );
}

const outcomes: Record<EndOutcome, string> = {
  confirmed: "Session ended: the router has confirmed that it is gone.",
  disconnected: "Session ended: the router has acknowledged it.",
  already_offline: "There is no such session any more.",
  closed: "Session closed in the books; the router was not asked.",
};

const endForm = managementForm({ user_id: id, session_id: text(253), books_only: flag }, [], {
  user_id: 42,
  session_id: "81000001",
  books_only: 1,
});

const describeEnd = describeManaged({
  operationId: "endSession",
  tags: ["Activation"],
  summary: "End the open sessions of a subscriber, or one by its id (extension)",
  description:
    "Not part of the original interface. `user_id` alone means every open session of the subscriber, `session_id` one, as the usage shows it; one of them is needed. The router is asked as by disconnect. With `books_only` 1 it is not: for a session that is open in the books because its Stop was lost, on a router that is gone or does not know it any more. A session that goes on all the same is open again with the router's next update.",
  operation: "endSessionsOf",
  form: endForm,
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
});
