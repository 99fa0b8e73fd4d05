import { diagnose } from "../../../../domain/desk/diagnosis/diagnosis.ts";
import { notesRecord } from "../../../../domain/goods/subscribers/notes.ts";
import { readUsage } from "../../../../domain/service/sessions/usage-of.ts";
import type { StaffVisit } from "../../guard.ts";
import { UsageCard, FairCard } from "./usage-card.tsx";
import { LiveCard } from "./live-card.tsx";
import { DiagnosisCard } from "./diagnosis-card.tsx";
import { MessagesCard } from "./messages-card.tsx";
import { personPage } from "./person.tsx";
import { type Found, type PageContext, readPageContext } from "./context.ts";
import { LineCard, MoneyCard, NotesCard } from "./side.tsx";
import { TimelineCard } from "./timeline-card.tsx";

const DAYS = 14;
const MONTHS = 12;

export function overview(visit: StaffVisit): Response {
  const context = readPageContext(visit);
  const { db, by, now } = context.visit;
  const { subscriber, service } = context.head;
  const found = diagnose(db, by, context.head, { now });
  const usage = readUsage(db, by, { subscriber, days: DAYS, months: MONTHS }, { now, service });
  return personPage({
    context,
    tab: "overview",
    found,
    children: (
      <div class="split">
        <Main context={context} found={found} />
        <aside>
          <MoneyCard context={context} />
          <LineCard context={context} />
          <FairCard context={context} />
          <UsageCard context={context} usage={usage} />
          <MessagesCard context={context} />
          <NotesCard context={context} notes={notesRecord(db, by, subscriber)} />
        </aside>
      </div>
    ),
  });
}

function Main({ context, found }: { context: PageContext; found: Found }) {
  return (
    <div>
      <DiagnosisCard context={context} found={found} />
      <LiveCard context={context} diagnosis={found.diagnosis} />
      <TimelineCard context={context} />
    </div>
  );
}
