import { type ConsoleRoute, staffForm, staffPage, type StaffVisit } from "../../guard.ts";
import { assignment, dismissal } from "./assign.tsx";
import { bankPageRoutes } from "./bank/routes.tsx";
import { GUESSED } from "./bank/addresses.ts";
import { askGuessed, bookGuessed } from "./guessed.tsx";
import { showArrived } from "./list.tsx";
import { showIncoming } from "./one.tsx";
import { ARRIVED, arrivedHref } from "../../parts/hrefs.ts";
import { openRawIncoming } from "../../../../domain/desk/incoming/assign.ts";
import { drawer } from "../../answers.tsx";
import { readIncoming } from "./words.ts";

export const arrivedPageRoutes: readonly ConsoleRoute[] = [
  staffPage(ARRIVED, showArrived),
  ...bankPageRoutes,
  staffPage(GUESSED, (visit) => askGuessed(visit)),
  staffForm(GUESSED, bookGuessed),
  staffPage(`${ARRIVED}/:id`, showIncoming),
  ...assignment,
  ...dismissal,
  staffForm(`${ARRIVED}/:id/raw`, showRaw),
];

/** The message of a payment; reading it leaves an audit entry. */
function showRaw(visit: StaffVisit): Response {
  const { db, by, now, view } = visit;
  const words = view.words.bankFiles;
  const row = readIncoming(visit);
  const raw = openRawIncoming(db, by, { id: row.id }, { now });
  return drawer(visit, {
    title: words.rawTitle,
    lead: words.rawLead,
    place: "money",
    back: arrivedHref(row),
    children: (
      <div class="drawer-body">
        <pre class="quoted" tabindex={0}>
          {raw}
        </pre>
        {row.rawUntil !== null && <p class="hint">{words.rawUntil(view.format.date(row.rawUntil))}</p>}
      </div>
    ),
  });
}
