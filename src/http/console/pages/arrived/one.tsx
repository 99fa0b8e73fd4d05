import { storedTold } from "../../attempt.ts";
import type { Incoming } from "../../../../domain/desk/incoming/list.ts";
import { findWhose } from "../../../../domain/desk/incoming/preview.ts";
import { setting } from "../../../../domain/core/settings/settings.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { permissions } from "../../../../domain/core/actor/permissions.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { Field } from "../../../pages/parts/field.tsx";
import { drawer, part } from "../../answers.tsx";
import { DrawerForm } from "../../drawer-form.tsx";
import { Hit } from "../../parts/hit.tsx";
import type { StaffVisit } from "../../guard.ts";
import { sentence } from "../../parts/phrases.ts";
import { isOpen, readIncoming } from "./words.ts";
import { sumWords } from "../../parts/money-frame.tsx";
import { ARRIVED, arrivedHref } from "../../parts/hrefs.ts";

/** A payment that arrived; while it waits, with the search for its subscriber. */
export function showIncoming(visit: StaffVisit): Response {
  const { view, request, query } = visit;
  const { arrived } = view.words;
  const row = readIncoming(visit);
  const isWaiting = isOpen(row) && row.state === "unmatched";
  const isForeign = isWaiting && row.currency !== setting(visit.db, "currency", row.ispId);
  const isAssigned = isWaiting && !isForeign;
  const needle = query.get("q")?.trim().slice(0, 100) ?? row.reference ?? row.payer ?? "";
  if (visit.isPart && isAssigned && request.headers.get("hx-target")?.includes("arrived-found"))
    return part(visit, <Found visit={visit} row={row} search={needle} />);
  return drawer(visit, {
    title: isOpen(row) ? arrived.whose : arrived.about,
    lead: arrived.title(sumWords(view, row), view.format.name(row.provider)),
    place: "money",
    back: ARRIVED,
    children: (
      <>
        <div class="drawer-body">
          {isOpen(row) && row.reason !== null && (
            <p class="strong">{sentence(storedTold(visit.view, row.reason))}</p>
          )}
          {isOpen(row) && row.state === "told" && <p>{arrived.toldText}</p>}
          {isForeign && <p>{arrived.otherCurrency}</p>}
          <Known visit={visit} row={row} />
          {isAssigned && <Search visit={visit} row={row} search={needle} />}
          <Raw visit={visit} row={row} />
        </div>
        {isOpen(row) && (
          <footer class="drawer-foot">
            <Button href={`${arrivedHref(row)}/dismiss`} kind="danger" size="large" drawer>
              {arrived.dismiss}
            </Button>
          </footer>
        )}
      </>
    ),
  });
}

function Known({ visit: { view, now, by }, row }: { visit: StaffVisit; row: Incoming }) {
  const { arrived } = view.words;
  const { format } = view;
  const { subscriberId, paymentId } = row;
  return (
    <Facts
      facts={[
        [arrived.amount, sumWords(view, row)],
        [arrived.payer, row.payer && <bdi>{row.payer}</bdi>],
        [arrived.reference, row.reference && <bdi class="mono">{row.reference}</bdi>],
        [arrived.from, <bdi>{row.provider}</bdi>],
        [arrived.externalId, <bdi class="mono breaks">{row.externalId}</bdi>],
        [arrived.paidAt, row.paidAt === null ? null : format.timeNear(row.paidAt, now)],
        [arrived.time, format.timeNear(row.receivedAt, now)],
        [
          arrived.subscriber,
          subscriberId !== null && may(by, "subscriber_view") ? (
            <a href={`/console/subscribers/${subscriberId}`}>
              <bdi>{row.name}</bdi>
            </a>
          ) : null,
        ],
        [
          arrived.receipt,
          paymentId === null ? null : <a href={`/console/money/payments/${paymentId}`}>{row.number}</a>,
        ],
        [arrived.state, isOpen(row) ? null : arrived.states[row.state]],
        [arrived.endedAt, row.endedAt === null ? null : format.timeNear(row.endedAt, now)],
      ]}
    />
  );
}

/** The stored message is sealed, and opened on request. */
function Raw({ visit, row }: { visit: StaffVisit; row: Incoming }) {
  const { view, by } = visit;
  if (row.rawUntil === null || !may(by, permissions.openRawIncoming)) return null;
  return (
    <DrawerForm action={`${arrivedHref(row)}/raw`} visit={visit} opens>
      <Button size="small">{view.words.bankFiles.raw}</Button>
    </DrawerForm>
  );
}

interface SearchProps {
  visit: StaffVisit;
  row: Incoming;
  search: string;
}

function Search({ visit, row, search: needle }: SearchProps) {
  const { arrived } = visit.view.words;
  const href = arrivedHref(row);
  return (
    <form class="stack near" action={href} method="get">
      <Field
        name="q"
        id="arrived-q"
        label={arrived.search}
        value={needle}
        type="search"
        attributes={{
          autofocus: true,
          autocomplete: "off",
          maxlength: 100,
          "hx-get": href,
          "hx-trigger": "input changed delay:80ms",
          "hx-target": "#arrived-found",
          "hx-swap": "innerHTML",
          "hx-sync": "this:replace",
        }}
      />
      <noscript>
        <Button>{arrived.searchNow}</Button>
      </noscript>
      <div id="arrived-found" aria-live="polite">
        <Found visit={visit} row={row} search={needle} />
      </div>
    </form>
  );
}

function Found({ visit: { db, by, now, view }, row, search: needle }: SearchProps) {
  const { arrived } = view.words;
  if (needle.length < 2) return <p class="hint">{arrived.searchHint}</p>;
  const found = findWhose(db, by, { ...row, q: needle }, { now });
  if (found.length === 0)
    return (
      <p class="hint">
        {arrived.nobody} {arrived.searchHint}
      </p>
    );
  return (
    <ul class="pay-hits">
      {found.map((person) => (
        <Hit href={`${arrivedHref(row)}/assign?to=${person.id}`} person={person}>
          {person.exact && (
            <>
              {" "}
              <Chip tone="good">{arrived.exact}</Chip>
            </>
          )}
        </Hit>
      ))}
    </ul>
  );
}
