import { rawOfIncoming } from "../../../../domain/desk/incoming/assign.ts";
import { drawer } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { incomingOf } from "./words.ts";
import { arrivedHref } from "../../parts/hrefs.ts";

/** The message of a payment; reading it leaves an audit entry. */
export function showRaw(visit: StaffVisit): Response {
  const { db, by, now, view } = visit;
  const words = view.words.bankFiles;
  const row = incomingOf(visit);
  const raw = rawOfIncoming(db, by, { id: row.id }, { now });
  return drawer(visit, {
    title: words.rawTitle,
    lead: words.rawLead,
    place: "money",
    back: arrivedHref(row),
    children: (
      <div class="drawer-body">
        <pre class="arrived-raw" tabindex={0}>
          {raw}
        </pre>
        {row.rawUntil !== null && <p class="hint">{words.rawUntil(view.format.date(row.rawUntil))}</p>}
      </div>
    ),
  });
}
