import { storedTold, told } from "../../attempt.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { type Incoming, listIncoming } from "../../../../domain/desk/incoming/list.ts";
import { type AssignmentPreview, previewAssignment } from "../../../../domain/desk/incoming/preview.ts";
import { setting } from "../../../../domain/core/settings/settings.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { page } from "../../answers.tsx";
import { ownIsp } from "../../../../domain/core/actor/actor.ts";
import type { StaffVisit } from "../../guard.ts";
import { list, USUAL } from "../../parts/list.tsx";
import { MoneyFrame } from "../../parts/money-frame.tsx";
import { sentence } from "../../parts/phrases.ts";
import { GUESSED } from "./bank/addresses.ts";
import { listMethods, readTicks } from "./bank/upload.ts";
import { bookAll } from "./bank/take.ts";
import { arrivedHref } from "../../parts/hrefs.ts";

/** Payments that one press can book: each is tried before it is shown. */
const MOST = 100;

interface Guessed {
  readonly row: Incoming;
  readonly subscriberId: number;
  readonly preview: AssignmentPreview;
}

/** Waiting payments with a guessed subscriber and the result of booking. */
function listGuessed(visit: StaffVisit): Guessed[] {
  const { db, by, now } = visit;
  const rows = listIncoming(db, by, { view: "guessed" }, { before: Number.MAX_SAFE_INTEGER, limit: MOST });
  return rows.flatMap((row) => {
    const { id, subscriberId, ispId, currency } = row;
    if (subscriberId === null || currency !== setting(db, "currency", ispId)) return [];
    const { method } = listMethods(visit, ispId, "");
    return { row, subscriberId, preview: previewAssignment(db, by, { id, subscriberId, method }, { now }) };
  });
}

export function askGuessed(visit: StaffVisit, fault?: string): Response {
  permit(visit.by, "assignGuessed");
  const { view, formToken } = visit;
  const { format } = view;
  const words = view.words.bankFiles;
  const all = listGuessed(visit);
  const ready = all.filter(({ preview }) => !(preview.booked instanceof DomainError));
  const sum = ready.reduce((total, { row }) => total + row.amount, 0);
  return page(
    visit,
    <MoneyFrame visit={visit} current="arrived" title={words.guessedTitle}>
      {all.length === 0 ? (
        <section class="card">
          <Empty icon="check" title={words.guessedNone} text={words.guessedNoneText} />
        </section>
      ) : (
        <section class="card">
          <form method="post" action={GUESSED} class="stack">
            <FormToken value={formToken} />
            {fault !== undefined && <Note kind="bad">{fault}</Note>}
            <p class="sentence">
              {words.guessedLead(ready.length, format.sum(sum, all[0]?.row.currency ?? ""))}
            </p>
            <GuessedRows visit={visit} rows={all} />
            <div class="actions">
              <Button kind="solid" size="large" disabled={ready.length === 0}>
                {words.bookTicked}
              </Button>
            </div>
          </form>
        </section>
      )}
    </MoneyFrame>,
    { status: fault === undefined ? 200 : 422 },
  );
}

export const GuessedRows = list<Guessed>(({ view }) => {
  const { arrived, bankFiles: words } = view.words;
  return {
    name: words.guessedTitle,
    kind: `${USUAL} bank-lines`,
    columns: [
      {
        title: <span class="unseen">{words.book}</span>,
        kind: "bank-tick",
        cell: ({ row, subscriberId, preview: { booked, subscriber } }) =>
          !(booked instanceof DomainError) && (
            <input
              type="checkbox"
              name="book"
              value={`${row.id}:${subscriberId}`}
              checked
              aria-label={arrived.assign(view.format.name(subscriber.name))}
            />
          ),
      },
      {
        title: arrived.from,
        narrow: "lead",
        kind: "bank-text",
        cell: ({ row }) => (
          <>
            <a href={arrivedHref(row)}>
              <bdi>{row.payer ?? row.provider}</bdi>
            </a>{" "}
            <bdi class="hint">{row.reference ?? ""}</bdi>
          </>
        ),
      },
      {
        title: words.whose,
        kind: "bank-text",
        cell: ({ subscriberId, preview: { subscriber } }) => (
          <a href={`/console/subscribers/${subscriberId}`}>
            <bdi>{subscriber.name}</bdi>
          </a>
        ),
      },
      {
        title: words.why,
        kind: "bank-text",
        cell: ({ row, preview: { booked } }) => {
          if (booked instanceof DomainError) return arrived.cannot(told(view, booked.phrases.message));
          const renews = booked.renewal !== null && typeof booked.renewal === "object";
          return (
            <>
              {sentence(storedTold(view, row.reason ?? ""))} {renews && <strong>{words.renews}</strong>}
            </>
          );
        },
      },
      { title: arrived.amount, end: true, narrow: "sum", cell: ({ row }) => view.format.amount(row.amount) },
    ],
    empty: view.words.list.none,
  };
});

/** Books the ticked ones whose guess is still the one shown. */
export function bookGuessed(visit: StaffVisit, input: Input): Promise<Response> | Response {
  permit(visit.by, "assignGuessed");
  const ticks = readTicks(input);
  if (ticks.size === 0) return askGuessed(visit, visit.view.words.bankFiles.noTicks);
  const rows = listIncoming(
    visit.db,
    visit.by,
    { view: "guessed" },
    { before: Number.MAX_SAFE_INTEGER, limit: MOST * 5 },
  ).filter(({ id, subscriberId }) => ticks.has(`${id}:${subscriberId}`));
  const { method } = listMethods(visit, rows[0]?.ispId ?? ownIsp(visit.db, visit.by.scope) ?? 0, "");
  return bookAll(visit, { ids: rows.map(({ id }) => id), method });
}
