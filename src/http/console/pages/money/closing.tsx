import { closeTill } from "../../../../domain/money/closings/close.ts";
import { confirmClosing } from "../../../../domain/money/closings/confirm.ts";
import { type Closing, listClosings } from "../../../../domain/money/closings/find.ts";
import { openTill, type Till } from "../../../../domain/money/closings/till.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { type Input, price, readFields, text, wholeNumber } from "../../../../domain/core/fields/fields.ts";
import { setting } from "../../../../domain/core/settings/settings.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { formatAmount } from "../../../../domain/core/amounts/money.ts";
import { closingSchema, shownClosing } from "../../../../wire/closing.ts";
import { pathId } from "../../../form.ts";
import { attempt, attemptNow } from "../../attempt.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Note } from "../../../pages/note.tsx";
import { Action, Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { Field } from "../../../pages/parts/field.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import { page, said } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { MoneyFrame, sumOf } from "./head.tsx";
import { logFile, Older, pageOf } from "../../log.tsx";

const HREF = "/console/money/closing";
/** Day's closes that wait for somebody's confirmation. */
const WAITING = 50;

interface Refused {
  readonly problem: string;
  readonly counted: string;
  readonly note: string;
}

export const showClosings = (visit: StaffVisit): Response => closingsPage(visit);

/** One's own till, what waits for a confirmation, and what was closed. */
function closingsPage(visit: StaffVisit, refused?: Refused): Response {
  const { db, by, query, view } = visit;
  const { money } = view.words;
  const till = tillOf(visit);
  const waiting = listClosings(
    db,
    by,
    { isConfirmed: false },
    { before: Number.MAX_SAFE_INTEGER, limit: WAITING },
  );
  const { rows, more } = pageOf(query, (paging) => listClosings(db, by, {}, paging));
  return page(
    visit,
    <MoneyFrame
      visit={visit}
      current="closing"
      actions={
        <Button href={`${HREF}.csv`} icon="download">
          {money.csv}
        </Button>
      }
    >
      {till instanceof DomainError ? (
        <p class="sentence">{till.code === "invalid" ? money.tillOfNone : till.message}</p>
      ) : (
        <OwnTill visit={visit} till={till} refused={refused} />
      )}
      {may(by, "closing_manage") && waiting.length > 0 && (
        <Card title={money.toConfirm} lead={money.toConfirmLead}>
          <Closings visit={visit} rows={waiting} confirms />
        </Card>
      )}
      <Card title={money.history}>
        {rows.length === 0 ? <p class="hint">{money.noClosings}</p> : <Closings visit={visit} rows={rows} />}
      </Card>
      <Older view={view} href={HREF} query={query} last={more ? rows.at(-1)?.id : undefined} />
    </MoneyFrame>,
    { status: refused === undefined ? 200 : 422 },
  );
}

/** The till, or why the account has none. */
const tillOf = (visit: StaffVisit): Till | DomainError =>
  attemptNow(visit, () => openTill(visit.db, visit.by, {}));

function OwnTill({ visit, till, refused }: { visit: StaffVisit; till: Till; refused: Refused | undefined }) {
  const { db, view, formToken } = visit;
  const { format, words } = view;
  const { money, pay } = words;
  const currency = setting(db, "currency", till.ispId);
  return (
    <Card
      title={money.yourTill}
      lead={till.since === null ? money.neverClosed : money.sinceClose(format.time(till.since))}
    >
      <p class="sentence">{money.shouldHold(sumOf(view, till.expected, currency))}</p>
      {till.lines.length > 0 && (
        <Table
          caption={money.yourTill}
          columns={[
            { title: money.method },
            { title: money.payments, end: true, low: true },
            { title: money.takenHead, end: true },
            { title: money.handedBack, end: true, low: till.lines.every(({ returned }) => returned === 0) },
            { title: money.rest, end: true },
          ]}
        >
          {till.lines.map(({ method, payments, taken, returned }) => (
            <tr>
              <td>
                <a
                  href={`/console/money?taken_by=me&till=open&method=${encodeURIComponent(method)}&from=&to=`}
                >
                  {pay.methodName(method)}
                </a>{" "}
                {method !== "cash" && <span class="hint">{money.notCounted}</span>}
              </td>
              <td class="end low">{format.number(payments)}</td>
              <td class="end">{format.amount(taken)}</td>
              <td class={till.lines.every((line) => line.returned === 0) ? "end low" : "end"}>
                {returned === 0 ? "" : format.amount(returned)}
              </td>
              <td class="end">{format.amount(taken - returned)}</td>
            </tr>
          ))}
        </Table>
      )}
      <form class="close-till" method="post" action={HREF}>
        <FormToken value={formToken} />
        <input type="hidden" name="expected" value={String(till.expected)} />
        {refused && <Note kind="bad">{refused.problem}</Note>}
        <div class="fields">
          <Field
            name="counted"
            label={money.counted}
            prefix={format.currencySign(currency)}
            value={refused?.counted ?? ""}
            required
            attributes={{
              inputmode: "decimal",
              autocomplete: "off",
              "data-expected": formatAmount(till.expected),
            }}
            help={money.countedHelp}
          />
          <Field
            name="note"
            label={money.closeNote}
            value={refused?.note ?? ""}
            attributes={{ maxlength: 500 }}
          />
        </div>
        <p
          class="difference"
          data-difference
          data-exact={money.exact}
          data-over={money.overWord}
          data-short={money.shortWord}
          hidden
        />
        <div class="actions">
          <Button kind="solid">{money.close}</Button>
        </div>
      </form>
    </Card>
  );
}

interface ClosingsProps {
  visit: StaffVisit;
  rows: readonly Closing[];
  confirms?: boolean;
}

function Closings({ visit, rows, confirms = false }: ClosingsProps) {
  const { view, by, formToken } = visit;
  const { format, words } = view;
  const { money } = words;
  const columns = [
    { title: money.time },
    { title: money.who },
    { title: money.expected, end: true },
    { title: money.countedHead, end: true },
    { title: money.difference, end: true },
    { title: money.closeNote, low: true },
    { title: money.confirmed, end: confirms },
  ];
  return (
    <Table caption={money.tabs.closing} columns={columns} kind="short-rows">
      {rows.map((closing) => (
        <tr>
          <td class="when">
            <a href={`/console/money?closing=${closing.id}`}>{format.time(closing.createdAt)}</a>
          </td>
          <td class="lead">{closing.name}</td>
          <td class="end">{format.amount(closing.expected)}</td>
          <td class="end">{format.amount(closing.counted)}</td>
          <td class="end sum">
            <Difference visit={visit} closing={closing} />
          </td>
          <td class="low">{closing.note ?? ""}</td>
          {confirms ? (
            <td class="end act">
              {closing.staffId === by.staffId ? (
                <span class="hint">{money.somebodyElse}</span>
              ) : (
                <Action
                  action={`${HREF}/${closing.id}/confirm`}
                  formToken={formToken}
                  size="small"
                  label={money.confirmOf(closing.name)}
                >
                  {money.confirm}
                </Action>
              )}
            </td>
          ) : (
            <td>
              {closing.confirmedAt === null ? (
                <Chip tone="warn">{money.notConfirmed}</Chip>
              ) : (
                <span class="soft-text">
                  {money.confirmedBy(closing.confirmedName ?? "", format.date(closing.confirmedAt))}
                </span>
              )}
            </td>
          )}
        </tr>
      ))}
    </Table>
  );
}

function Difference({
  visit: { view },
  closing: { counted, expected },
}: {
  visit: StaffVisit;
  closing: Closing;
}) {
  const difference = counted - expected;
  if (difference === 0) return <span class="soft-text">{view.format.amount(0)}</span>;
  return <strong class="bad-text">{view.format.amount(difference, { plus: true })}</strong>;
}

const fields = {
  counted: price,
  note: text(500),
  expected: wholeNumber(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
};

/** The day's close of who signed in. */
export async function close(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const faults = {};
  const { counted, note, expected } = readFields(fields, input, faults, {
    required: ["counted", "expected"],
  });
  const typed = (name: string) => (typeof input[name] === "string" ? input[name].slice(0, 500) : "");
  const refuse = (problem: string) =>
    closingsPage(visit, { problem, counted: typed("counted"), note: typed("note") });
  const { money } = view.words;
  if (typeof counted !== "number" || typeof expected !== "number") return refuse(money.countFirst);
  const done = await attempt(visit, async () => closeTill(db, by, { counted, note, expected }, { now }));
  if (done instanceof DomainError) return refuse(view.words.pay.notTaken(done.message));
  const difference = counted - expected;
  const title =
    difference === 0 ? money.closedExactly : money.closedWith(view.format.amount(difference, { plus: true }));
  return said(visit, { kind: difference === 0 ? "good" : "wait", title, text: money.nowConfirm }, HREF);
}

/** That the cash of somebody's day was handed on. */
export async function confirm(visit: StaffVisit): Promise<Response> {
  const { db, by, now, params, view } = visit;
  const closingId = pathId("day's close", params["id"] ?? null);
  const done = await attempt(visit, async () => confirmClosing(db, by, { closingId }, { now }));
  const { money } = view.words;
  if (done instanceof DomainError)
    return said(visit, { kind: "bad", title: money.notConfirmedNow, text: done.message }, HREF);
  return said(visit, { kind: "good", title: money.confirmedNow(closingId) }, HREF);
}

export function closingsFile({ db, by }: StaffVisit): Response {
  return logFile("closings", Object.keys(closingSchema.properties), (paging) =>
    listClosings(db, by, {}, paging).map(shownClosing),
  );
}
