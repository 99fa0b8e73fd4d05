import { matterOf } from "../../../../domain/desk/matter/matter.ts";
import { notesRecord } from "../../../../domain/goods/subscribers/notes.ts";
import { usageOf } from "../../../../domain/service/sessions/usage-of.ts";
import type { StaffVisit } from "../../guard.ts";
import { FairCard } from "./fair-card.tsx";
import { LiveCard } from "./live-card.tsx";
import { MatterCard } from "./matter-card.tsx";
import { MessagesCard } from "./messages-card.tsx";
import { personPage } from "./person.tsx";
import { type Found, type Shown, shownOf } from "./shown.ts";
import { LineCard, MoneyCard, NotesCard } from "./side.tsx";
import { UsageCard } from "./usage-card.tsx";
import { TimelineCard } from "./timeline-card.tsx";

const DAYS = 14;
const MONTHS = 12;

/** What is the matter, the line as it is now, and what happened. */
export function overview(visit: StaffVisit): Response {
  const shown = shownOf(visit);
  const { db, by, now } = shown.visit;
  const { subscriber, service } = shown.head;
  const found = matterOf(db, by, shown.head, { now });
  const usage = usageOf(db, by, { subscriber, days: DAYS, months: MONTHS }, { now, service });
  return personPage({
    shown,
    tab: "overview",
    found,
    children: (
      <div class="columns person-columns">
        <Main shown={shown} found={found} />
        <aside>
          <MoneyCard shown={shown} />
          <LineCard shown={shown} />
          <FairCard shown={shown} />
          <UsageCard shown={shown} usage={usage} />
          <MessagesCard shown={shown} />
          <NotesCard shown={shown} notes={notesRecord(db, by, subscriber)} />
        </aside>
      </div>
    ),
  });
}

function Main({ shown, found }: { shown: Shown; found: Found }) {
  return (
    <div>
      <MatterCard shown={shown} found={found} />
      <LiveCard shown={shown} matter={found.matter} />
      <TimelineCard shown={shown} />
    </div>
  );
}
