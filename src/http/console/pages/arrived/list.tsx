import { storedTold } from "../../attempt.ts";
import { countOpenIncoming, type Incoming, listIncoming } from "../../../../domain/desk/incoming/list.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { page } from "../../answers.tsx";
import { drawerLink } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { list } from "../../parts/list.tsx";
import { readPage } from "../../parts/pager.tsx";
import { MoneyFrame, sumWords } from "../../parts/money-frame.tsx";
import { sentence } from "../../parts/phrases.ts";
import { BANK_FILE, GUESSED } from "./bank/addresses.ts";
import { isOpen } from "./words.ts";
import { arrivedHref } from "../../parts/hrefs.ts";
import { settingsPages } from "../../parts/settings-pages.ts";

export function showArrived(visit: StaffVisit): Response {
  const { db, by, query, view } = visit;
  const { arrived } = view.words;
  const isAll = query.get("view") === "all";
  const { rows, last } = readPage(query, (paging) =>
    listIncoming(db, by, { view: isAll ? "all" : "open" }, paging),
  );
  const waiting = countOpenIncoming(db, by);
  return page(
    visit,
    <MoneyFrame visit={visit} current="arrived" actions={links(visit)} waiting={waiting}>
      <p class="sentence">{waiting > 0 ? arrived.waits(waiting) : arrived.lead}</p>
      <Arrived visit={visit} rows={rows} last={last} />
    </MoneyFrame>,
  );
}

function links({ db, by, view }: StaffVisit) {
  const { arrived, bankFiles } = view.words;
  const guessed = listIncoming(db, by, { view: "guessed" }, { before: Number.MAX_SAFE_INTEGER, limit: 1 });
  return (
    <>
      {may(by, "setting_manage") && (
        <Button href={settingsPages.sources.href} icon="settings">
          {arrived.sources}
        </Button>
      )}
      <Button href={BANK_FILE} icon="invoices">
        {bankFiles.link}
      </Button>
      {guessed.length > 0 && (
        <Button href={GUESSED} kind="solid" icon="check">
          {bankFiles.guessedLink}
        </Button>
      )}
    </>
  );
}

export const Arrived = list<Incoming>((visit) => {
  const { view, now, query } = visit;
  const { arrived, money } = view.words;
  const isAll = query.get("view") === "all";
  return {
    name: money.tabs.arrived,
    filters: [
      {
        name: "view",
        kind: "views",
        label: arrived.view,
        options: [
          { value: "", label: arrived.open },
          { value: "all", label: arrived.all },
        ],
      },
    ],
    columns: [
      {
        title: arrived.time,
        cell: (row) => view.format.timeNear(row.receivedAt, now),
        kind: "soft-text when",
      },
      {
        title: arrived.from,
        cell: (row) => (
          <>
            <a href={arrivedHref(row)} {...drawerLink(arrivedHref(row))}>
              <bdi>{row.payer ?? row.provider}</bdi>
            </a>
            {row.payer !== null && (
              <span class="hint">
                {" "}
                <bdi>{row.provider}</bdi>
              </span>
            )}
          </>
        ),
        narrow: "lead",
      },
      {
        title: arrived.reference,
        cell: ({ reference }) => <bdi class="mono">{reference ?? ""}</bdi>,
        narrow: "low",
      },
      {
        title: isAll ? arrived.state : arrived.why,
        cell: (row) => <Why view={view} row={row} />,
        kind: "whole wraps",
      },
      { title: arrived.amount, cell: (row) => sumWords(view, row), end: true, narrow: "sum" },
      {
        title: <span class="unseen">{arrived.whose}</span>,
        cell: (row) =>
          isOpen(row) && (
            <Button href={arrivedHref(row)} size="small" drawer>
              {arrived.whose}
            </Button>
          ),
        end: true,
        narrow: "act",
      },
    ],
    empty: isAll
      ? { icon: "check", title: arrived.noneAll, text: arrived.noneAllText }
      : { icon: "check", title: arrived.none, text: arrived.noneText },
  };
});

/** Why it waits, or its result with a link. */
function Why({ view, row }: { view: StaffVisit["view"]; row: Incoming }) {
  const { states, putAway } = view.words.arrived;
  if (isOpen(row))
    return (
      <>
        {row.state === "told" && <Chip tone="bad">{states.told}</Chip>}{" "}
        {sentence(storedTold(view, row.reason ?? ""))}
      </>
    );
  if (row.subscriberId === null || row.paymentId === null)
    return <span class="soft-text">{row.state === "told" ? putAway : states[row.state]}</span>;
  return (
    <>
      <span class="soft-text">{states[row.state]}</span>{" "}
      <a href={`/console/subscribers/${row.subscriberId}`}>
        <bdi>{row.name}</bdi>
      </a>{" "}
      <a href={`/console/money/payments/${row.paymentId}`}>{row.number}</a>
    </>
  );
}
