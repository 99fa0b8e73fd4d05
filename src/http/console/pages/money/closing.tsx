import type { Child } from "hono/jsx";
import { closeTill } from "../../../../domain/money/closings/close.ts";
import { confirmClosing } from "../../../../domain/money/closings/confirm.ts";
import { type Closing, listClosings } from "../../../../domain/money/closings/find.ts";
import { openTill, type Till } from "../../../../domain/money/closings/till.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { verbatim } from "../../../../domain/core/errors/phrase.ts";
import { price, readFields, text, wholeNumber } from "../../../../domain/core/fields/fields.ts";
import { setting } from "../../../../domain/core/settings/settings.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { formatAmount } from "../../../../domain/core/amounts/money.ts";
import { closingSchema, closingToJson } from "../../../../wire/closing.ts";
import { pathId } from "../../../form.ts";
import { attempt, attemptNow } from "../../attempt.ts";
import { Action } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { flash } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { formatSum, MoneyFrame } from "../../parts/money-frame.tsx";
import type { FormField } from "../../parts/field.tsx";
import { form } from "../../parts/form.tsx";
import { FileButton, list, type ListColumn, PLAIN } from "../../parts/list.tsx";
import { logFile, readPage } from "../../parts/pager.tsx";

const HREF = "/console/money/closing";
const FILE = Object.keys(closingSchema.properties);
const WAITING = 50;

function ClosingsPage({ visit, till, children }: OwnProps<OwnTill | DomainError>) {
  const { db, by, query, view } = visit;
  const { money } = view.words;
  const waiting = listClosings(
    db,
    by,
    { isConfirmed: false },
    { before: Number.MAX_SAFE_INTEGER, limit: WAITING },
  );
  const { rows, last } = readPage(query, (paging) => listClosings(db, by, {}, paging));
  return (
    <MoneyFrame visit={visit} current="closing" actions={<FileButton visit={visit} href={`${HREF}.csv`} />}>
      {till instanceof DomainError ? (
        <p class="sentence">{till.kind === "invalid" ? money.tillOfNone : till.message}</p>
      ) : (
        <TillCard visit={visit} till={till}>
          {children}
        </TillCard>
      )}
      {may(by, "closing_manage") && waiting.length > 0 && (
        <Card title={money.toConfirm} lead={money.toConfirmLead}>
          <Waiting visit={visit} rows={waiting} />
        </Card>
      )}
      <Card title={money.history}>
        <Closings visit={visit} rows={rows} last={last} />
      </Card>
    </MoneyFrame>
  );
}

/** The till, or why the account has none. */
function readTill(visit: StaffVisit): OwnTill | DomainError {
  const till = attemptNow(visit, () => openTill(visit.db, visit.by, {}));
  if (till instanceof DomainError) return till;
  return { ...till, currency: setting(visit.db, "currency", till.ispId) };
}

interface OwnTill extends Till {
  readonly currency: string;
}

interface OwnProps<Of> {
  visit: StaffVisit;
  till: Of;
  children: Child;
}

function TillCard({ visit, till, children }: OwnProps<OwnTill>) {
  const { format, words } = visit.view;
  const { money } = words;
  return (
    <Card
      title={money.yourTill}
      lead={till.since === null ? money.neverClosed : money.sinceClose(format.time(till.since))}
    >
      <p class="sentence">{money.shouldHold(formatSum(visit.view, till.expected, till.currency))}</p>
      {till.lines.length > 0 && <TillLines visit={visit} rows={till.lines} />}
      {children}
    </Card>
  );
}

export const TillLines = list<Till["lines"][number]>(({ view: { format, words } }, rows) => {
  const { money, pay } = words;
  const href = (method: string) =>
    `/console/money?taken_by=me&till=open&method=${encodeURIComponent(method)}&from=&to=`;
  const isReturned = rows.some(({ returned }) => returned > 0);
  return {
    name: money.yourTill,
    kind: PLAIN,
    columns: [
      {
        title: money.method,
        narrow: "lead",
        cell: ({ method }) => (
          <>
            <a href={href(method)}>{pay.methodName(method)}</a>{" "}
            {method !== "cash" && <span class="hint">{money.notCounted}</span>}
          </>
        ),
      },
      { title: money.payments, end: true, narrow: "low", cell: ({ payments }) => format.number(payments) },
      { title: money.takenHead, end: true, cell: ({ taken }) => format.amount(taken) },
      {
        title: money.handedBack,
        end: true,
        ...(!isReturned && { narrow: "low" }),
        cell: ({ returned }) => (returned === 0 ? "" : format.amount(returned)),
      },
      { title: money.rest, end: true, cell: ({ taken, returned }) => format.amount(taken - returned) },
    ],
    empty: money.nothingTaken,
  };
});

function buildColumns(visit: StaffVisit): readonly ListColumn<Closing>[] {
  const { format, words } = visit.view;
  const { money } = words;
  return [
    {
      title: money.time,
      cell: ({ id, createdAt }) => <a href={`/console/money?closing=${id}`}>{format.time(createdAt)}</a>,
      kind: "when",
      csv: ["created_at"],
    },
    { title: money.who, cell: ({ name }) => name, narrow: "lead", csv: ["name"] },
    { title: money.expected, cell: ({ expected }) => format.amount(expected), end: true, csv: ["expected"] },
    { title: money.countedHead, cell: ({ counted }) => format.amount(counted), end: true, csv: ["counted"] },
    {
      title: money.difference,
      cell: (closing) => <Difference visit={visit} closing={closing} />,
      end: true,
      narrow: "sum",
      csv: ["difference"],
    },
    { title: money.closeNote, cell: ({ note }) => note ?? "", narrow: "low", csv: ["note"] },
  ];
}

export const Waiting = list<Closing>((visit) => {
  const { by, formToken, view } = visit;
  const { money } = view.words;
  const confirmation = ({ id, staffId, name }: Closing) =>
    staffId === by.staffId ? (
      <span class="hint">{money.somebodyElse}</span>
    ) : (
      <Action
        action={`${HREF}/${id}/confirm`}
        formToken={formToken}
        size="small"
        label={money.confirmOf(name)}
      >
        {money.confirm}
      </Action>
    );
  return {
    name: money.toConfirm,
    columns: [
      ...buildColumns(visit),
      { title: money.confirmed, cell: confirmation, end: true, narrow: "act" },
    ],
    empty: money.noClosings,
    file: FILE,
  };
});

export const Closings = list<Closing>((visit) => {
  const { words, format } = visit.view;
  const { money } = words;
  const state = ({ confirmedAt, confirmedName }: Closing) =>
    confirmedAt === null ? (
      <Chip tone="warn">{money.notConfirmed}</Chip>
    ) : (
      <span class="soft-text">{money.confirmedBy(confirmedName ?? "", format.date(confirmedAt))}</span>
    );
  return {
    name: money.history,
    call: "listClosings",
    columns: [
      ...buildColumns(visit),
      { title: money.confirmed, cell: state, csv: ["confirmed_at", "confirmed_by"] },
    ],
    empty: money.noClosings,
    file: FILE,
  };
});

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

const counting = {
  counted: price,
  note: text(500),
  expected: wholeNumber(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
};

function countFields({ view }: StaffVisit, { currency, expected }: OwnTill): FormField[] {
  const { money } = view.words;
  const difference = {
    "data-exact": money.exact,
    "data-over": money.overWord,
    "data-short": money.shortWord,
  };
  return [
    // a figure that has changed since is shown again
    { name: "expected", show: () => <input type="hidden" name="expected" value={String(expected)} /> },
    {
      name: "counted",
      label: money.counted,
      help: money.countedHelp,
      required: true,
      prefix: view.format.currencySign(currency),
      attributes: { inputmode: "decimal", "data-expected": formatAmount(expected) },
    },
    { name: "note", label: money.closeNote, max: 500 },
    {
      name: "difference",
      kind: "wide",
      show: () => <p class="difference" data-difference {...difference} hidden />,
    },
  ];
}

export const closingForm = form({
  path: HREF,
  on: HREF,
  of: readTill,
  content: (visit, till) => {
    const { money, pay } = visit.view.words;
    return {
      title: money.yourTill,
      back: HREF,
      notDone: pay.notTaken,
      ...(!(till instanceof DomainError) && { submit: money.close, fields: countFields(visit, till) }),
      frame: (children) => (
        <ClosingsPage visit={visit} till={till}>
          {children}
        </ClosingsPage>
      ),
    };
  },
  once: (difference: number) => difference,
  save: ({ db, by, now, view }, _, values) => {
    const faults = {};
    const sent = readFields(counting, values, faults, { required: ["counted", "expected"] });
    const { counted, note, expected } = sent;
    if (typeof counted !== "number" || typeof expected !== "number")
      throw new DomainError("invalid", verbatim(view.words.money.countFirst), { fields: faults });
    closeTill(db, by, { counted, note, expected }, { now });
    return counted - expected;
  },
  done: ({ view: { words, format } }, difference) => {
    const { closedExactly, closedWith, nowConfirm: text } = words.money;
    if (difference === 0) return { title: closedExactly, text };
    return { kind: "wait", title: closedWith(format.amount(difference, { plus: true })), text };
  },
});

/** Confirms that the cash of somebody's day was handed on. */
export async function confirm(visit: StaffVisit): Promise<Response> {
  const { db, by, now, params, view } = visit;
  const closingId = pathId("day's close", params["id"] ?? null);
  const done = await attempt(visit, async () => confirmClosing(db, by, { closingId }, { now }));
  const { money } = view.words;
  if (done instanceof DomainError)
    return flash(visit, { kind: "bad", title: money.notConfirmedNow, text: done.message }, HREF);
  return flash(visit, { kind: "good", title: money.confirmedNow(closingId) }, HREF);
}

export function closingsFile({ db, by }: StaffVisit): Response {
  return logFile("closings", FILE, (paging) => listClosings(db, by, {}, paging).map(closingToJson));
}
