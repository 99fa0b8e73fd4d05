import { type ConsoleRoute, staffForm, staffPage } from "../../guard.ts";
import { again, cancel } from "./acts.ts";
import { againMany, askAgain, askCancel, cancelAll } from "./many.tsx";
import { showMessage } from "./one.tsx";
import { showOutbox } from "./outbox.tsx";
import { OUTBOX } from "../../parts/hrefs.ts";

export const outboxPageRoutes: readonly ConsoleRoute[] = [
  staffPage(OUTBOX, showOutbox),
  staffPage(`${OUTBOX}/again`, askAgain),
  staffForm(`${OUTBOX}/again`, againMany),
  staffPage(`${OUTBOX}/cancel`, askCancel),
  staffForm(`${OUTBOX}/cancel`, cancelAll),
  staffPage(`${OUTBOX}/:id`, showMessage),
  staffForm(`${OUTBOX}/:id/again`, again),
  staffForm(`${OUTBOX}/:id/cancel`, cancel),
];
