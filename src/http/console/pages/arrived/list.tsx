import { countOpenIncoming, type Incoming, listIncoming } from "../../../../domain/desk/incoming/list.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import { Segments } from "../../../pages/parts/tabs.tsx";
import { page } from "../../answers.tsx";
import { drawerLink } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { Older, pageOf } from "../../log.tsx";
import { MoneyFrame } from "../money/head.tsx";
import { sentence } from "../subscriber/say.ts";
import { BANK_FILE, GUESSED } from "./bank/addresses.ts";
import { ARRIVED, arrivedHref, isOpen, sumWords } from "./shown.ts";

/** Money that arrived by itself: what waits for somebody, or all of it. */
export function showArrived(visit: StaffVisit): Response {
  const { db, by, query, view } = visit;
  const { arrived } = view.words;
  const isAll = query.get("view") === "all";
  const { rows, more } = pageOf(query, (paging) =>
    listIncoming(db, by, { view: isAll ? "all" : "open" }, paging),
  );
  const waiting = countOpenIncoming(db, by);
  return page(
    visit,
    <MoneyFrame visit={visit} current="arrived" actions={links(visit)}>
      <div class="arrived-bar">
        <p class="sentence">
          {waiting > 0 ? arrived.waits(waiting, view.format.number(waiting)) : arrived.lead}
        </p>
        <Segments
          label={arrived.view}
          tabs={[
            { href: ARRIVED, label: arrived.open, current: !isAll },
            { href: `${ARRIVED}?view=all`, label: arrived.all, current: isAll },
          ]}
        />
      </div>
      {rows.length === 0 ? (
        <section class="card">
          <Empty
            icon="check"
            title={isAll ? arrived.noneAll : arrived.none}
            text={isAll ? arrived.noneAllText : arrived.noneText}
          />
        </section>
      ) : (
        <Rows visit={visit} rows={rows} isAll={isAll} />
      )}
      <Older view={view} href={ARRIVED} query={query} last={more ? rows.at(-1)?.id : undefined} />
    </MoneyFrame>,
  );
}

function links({ db, by, view }: StaffVisit) {
  const { arrived, bankFiles } = view.words;
  const guessed = listIncoming(db, by, { view: "guessed" }, { before: Number.MAX_SAFE_INTEGER, limit: 1 });
  return (
    <>
      {may(by, "setting_manage") && (
        <Button href="/console/settings/payment-sources" icon="settings">
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

interface RowsProps {
  visit: StaffVisit;
  rows: readonly Incoming[];
  isAll: boolean;
}

function Rows({ visit: { view, now }, rows, isAll }: RowsProps) {
  const { arrived } = view.words;
  const columns = [
    { title: arrived.time },
    { title: arrived.from },
    { title: arrived.reference, low: true },
    { title: isAll ? arrived.state : arrived.why },
    { title: arrived.amount, end: true },
    { title: <span class="unseen">{arrived.whose}</span> },
  ];
  return (
    <Table caption={view.words.money.tabs.arrived} columns={columns} kind="short-rows arrived-table">
      {rows.map((row) => {
        const href = arrivedHref(row);
        return (
          <tr>
            <td class="soft-text when">{view.format.timeNear(row.receivedAt, now)}</td>
            <td class="lead">
              <a href={href} {...drawerLink(href)}>
                <bdi>{row.payer ?? row.provider}</bdi>
              </a>
              {row.payer !== null && (
                <span class="hint">
                  {" "}
                  <bdi>{row.provider}</bdi>
                </span>
              )}
            </td>
            <td class="low">
              <bdi class="mono">{row.reference ?? ""}</bdi>
            </td>
            <td class="arrived-why">
              <Why view={view} row={row} />
            </td>
            <td class="end sum">{sumWords(view, row)}</td>
            <td class="end act">
              {isOpen(row) && (
                <Button href={href} size="small" drawer>
                  {arrived.whose}
                </Button>
              )}
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

/** Why it waits; or what became of it, with where it went. */
function Why({ view, row }: { view: StaffVisit["view"]; row: Incoming }) {
  const { states, putAway } = view.words.arrived;
  if (isOpen(row))
    return (
      <>
        {row.state === "told" && <Chip tone="bad">{states.told}</Chip>} {sentence(row.reason ?? "")}
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
