import {
  addFault,
  amountAboveZero,
  type Input,
  readFields,
  text,
} from "../../../../domain/core/fields/fields.ts";
import { DomainError, type Faults, type FieldErrors } from "../../../../domain/core/errors/errors.ts";
import { phrase } from "../../../../domain/core/errors/phrase.ts";
import { parseAmount } from "../../../../domain/core/amounts/money.ts";
import { type Desk, paymentDesk, referenceUse } from "../../../../domain/desk/payments/desk.ts";
import type { Paid, Paying } from "../../../../domain/desk/payments/pay.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { pathId } from "../../../form.ts";
import { attempt, inWords } from "../../attempt.ts";
import { Icon } from "../../../pages/icons.tsx";
import { seeOther } from "../../../pages/respond.tsx";
import { drawer, part, flash } from "../../answers.tsx";
import { type ConsoleRoute, type FormVisit, staffForm, staffPage, type StaffVisit } from "../../guard.ts";
import { asUnusualAmount, readSure } from "../../unusual.tsx";
import { ispView } from "../../parts/isp-view.ts";
import type { ConsoleView } from "../../view.ts";
import { type Done, listSteps, PaidBody } from "./done.tsx";
import { PayForm, Presses } from "./form.tsx";
import { deskInput, type PayValues, readValues, chooseMethod } from "./values.ts";
import { findPayer } from "./search.tsx";
import { Sums } from "./sums.tsx";
import { payOnce, readDone } from "./take.ts";
import { awaitRouter } from "../../parts/router-answer.ts";

const PATH = "/console/subscribers/:id/pay";

export const payRoutes: readonly ConsoleRoute[] = [
  staffPage("/console/pay", findPayer),
  staffPage(PATH, (visit) => {
    const values = readValues((name) => visit.query.get(name));
    return showForm(visit, openDesk(visit, values), values);
  }),
  staffPage(`${PATH}/sums`, (visit) => {
    if (!visit.isPart) return toForm(visit);
    const values = readValues((name) => visit.query.get(name));
    const desk = openDesk(visit, values);
    return part(
      visit,
      <>
        <Sums view={visit.view} desk={desk} method={chooseMethod(values, desk)} />
        <Presses view={visit.view} desk={desk} isBeside />
      </>,
    );
  }),
  staffPage(`${PATH}/reference`, showReference),
  staffForm(PATH, takeMoney),
];

const readSubscriberId = ({ params }: StaffVisit) => pathId("subscriber", params["id"] ?? null);

const toForm = (visit: StaffVisit) => seeOther(`/console/subscribers/${readSubscriberId(visit)}/pay`);

function openDesk(visit: StaffVisit, values: PayValues): Desk {
  const { db, by, now } = visit;
  return paymentDesk(db, by, deskInput(readSubscriberId(visit), values), { now });
}

interface Refused extends Pick<Parameters<typeof PayForm>[0], "confirmation"> {
  readonly problem?: string;
  readonly faults?: FieldErrors;
  readonly status?: number;
}

function showForm(visit: StaffVisit, desk: Desk, values: PayValues, refused: Refused = {}): Response {
  const { view } = visit;
  const { status = 200, ...why } = refused;
  const { pay } = view.words;
  const { name, username, id } = desk.subscriber;
  const state = desk.expiresAt === null ? pay.neverActive : stateWords(visit, desk);
  return drawer(visit, {
    title: pay.title,
    lead: (
      <>
        <bdi>{name}</bdi> · <bdi class="mono">{username}</bdi> · {state}
      </>
    ),
    place: "subscribers",
    back: `/console/subscribers/${id}`,
    status: visit.isPart ? 200 : status,
    children: <PayForm visit={visit} desk={desk} values={values} {...why} />,
  });
}

function stateWords({ view: { words, format }, now }: StaffVisit, { status, expiresAt }: Desk) {
  const at = expiresAt ?? now;
  if (status === "expired")
    return <span class="bad-text">{words.pay.expired(format.duration(now - at))}</span>;
  return status === "active" ? words.pay.active(format.date(at)) : words.pay.disabled;
}

function showReference(visit: StaffVisit): Response {
  if (!visit.isPart) return toForm(visit);
  const { db, by, query, view } = visit;
  const { pay } = view.words;
  const [method, reference] = [query.get("method") ?? "", query.get("reference") ?? ""];
  const used = referenceUse(db, by, { subscriberId: readSubscriberId(visit), method, reference });
  if (reference.trim() === "") return part(visit, <></>);
  if (!used)
    return part(
      visit,
      <span class="good-text dotted">
        <Icon name="check" /> {pay.unused}
      </span>,
    );
  return part(
    visit,
    <span class="bad-text dotted">
      <Icon name="alert" /> {pay.used(used.number, used.name)}
    </span>,
  );
}

async function takeMoney(visit: FormVisit, input: Input): Promise<Response> {
  const { db, by, now } = visit;
  const values = readValues((name) => input[name]);
  const subscriberId = readSubscriberId(visit);
  const paying = readPaying(subscriberId, values, input);
  if (paying instanceof DomainError)
    return refuse(visit, values, inWords(visit.view, paying), readAction(input));
  const paid = await attempt(visit, async () => payOnce(db, by, values.key, paying, { now }));
  return paid instanceof DomainError
    ? refuse(visit, values, paid, readAction(input))
    : answer(visit, subscriberId, paid);
}

/** The pressed button, or the one before a question. */
const readAction = (input: Input) => ((input["do"] ?? input["wanted"]) === "renew" ? "renew" : "take");

/** The refusal above the form with current sums. */
function refuse(
  visit: StaffVisit,
  values: PayValues,
  refusal: DomainError,
  action: "renew" | "take",
): Response {
  const { kind, fields } = refusal;
  if (kind === "too_soon") return renewedAlready(visit, values);
  const desk = openDesk(visit, values);
  const unusual = asUnusualAmount(refusal);
  if (unusual) return showForm(visit, desk, values, { confirmation: { unusual, action }, status: 422 });
  const status = kind === "conflict" ? 409 : 422;
  const refused = {
    problem: visit.view.words.pay.notTaken(explainRefusal(visit, refusal)),
    faults: fields ?? {},
    status,
  };
  return showForm(visit, desk, values, refused);
}

/** The first fault after its field's name, or what the sale was refused for. */
function explainRefusal(
  { view: { words } }: StaffVisit,
  { kind, message, fields, phrases }: DomainError,
): string {
  const [first] = Object.entries(fields ?? {});
  if (kind !== "invalid" || first === undefined || phrases.message !== MARKED) return message;
  const { amount, note, reference } = words.pay;
  const labels: Readonly<Record<string, string>> = { amount, note, reference };
  const [name, [fault = ""]] = first;
  return `${(labels[name] ?? name).toLocaleLowerCase(words.tag)} ${fault}`;
}

/** Somebody else was faster: the amount is cleared, so that another Enter takes none. */
function renewedAlready(visit: StaffVisit, before: PayValues): Response {
  const values = { ...before, package: "none", amount: "0.00" };
  const desk = openDesk(visit, values);
  const { words, format } = visit.view;
  const problem = words.pay.twice(format.wholeTime(desk.expiresAt ?? visit.now));
  return showForm(visit, desk, values, { problem, status: 429 });
}

async function answer(visit: FormVisit, subscriberId: number, paid: Paid): Promise<Response> {
  const { db, by, view, needs } = visit;
  const { pay } = view.words;
  const sale = paid.activated && { subscriberId, invoiceId: paid.activated.invoiceId };
  const session = sale ? await awaitRouter(db, sale, needs, pay.late) : undefined;
  const isOnlyHere = (await visit.money.words()) !== undefined;
  const done = readDone(db, by, { subscriberId, paid, session, isOnlyHere });
  const { payment, activated, currency } = done;
  const sum = payment ? view.format.sum(payment.amount, currency) : "";
  const title = payment ? (activated ? pay.takenAndRenewed(sum) : pay.taken(sum)) : pay.renewedOnly;
  const back = `/console/subscribers/${subscriberId}`;
  if (!visit.isPart) {
    const text = listSteps(view, done)
      .map(([strong, rest]) => `${strong} ${rest}`.trim())
      .join(" ");
    const links = payment
      ? [{ href: `/console/money/payments/${payment.id}/receipt`, label: pay.print }]
      : [];
    return flash(visit, { kind: "good", title: `${title}.`, text, links }, back);
  }
  const permitted = { view: may(by, "payment_view"), reverse: may(by, "payment_reverse") };
  return drawer(visit, {
    title,
    lead: activated ? pay.leadUntil(view.format.wholeTime(activated.expiresAt)) : leadOf(view, done),
    place: "subscribers",
    back,
    changed: true,
    children: <PaidBody view={payment ? ispView(visit, payment.ispId) : view} done={done} may={permitted} />,
  });
}

/** Where the money is: of somebody who owes still nothing of it is left in the wallet. */
function leadOf({ format, words: { pay } }: ConsoleView, { balance, currency }: Done): string {
  return balance < 0 ? pay.staysOwed(format.sum(-balance, currency)) : pay.leadBalance;
}

/** The refusal of a form that cannot be read; what is shown is its first fault. */
const MARKED = phrase`look at what is marked`;
const fields = { method: text(20), reference: text(100), note: text(500), amount: amountAboveZero };

/** The input of the desk, or its faults. */
function readPaying(subscriberId: number, values: PayValues, input: Input): Paying | DomainError {
  const faults: Faults = {};
  const whole = (name: string) => (typeof input[name] === "string" ? input[name].trim() : input[name]);
  const sum = whole("amount") ?? "";
  const zero = sum === "" || (typeof sum === "string" && parseAmount(sum) === 0);
  const sent = {
    method: whole("method"),
    reference: whole("reference"),
    note: whole("note"),
    ...(!zero && { amount: sum }),
  };
  const {
    amount = 0,
    method,
    reference = null,
    note = null,
  } = readFields(fields, sent, faults, { required: ["method"] });
  const renews = readAction(input) === "renew" && values.package !== "none";
  const packageId = renews ? Number(values.package) : null;
  if (packageId !== null && !Number.isSafeInteger(packageId))
    addFault(faults, "package", phrase`choose one of the list`);
  if (Object.keys(faults).length > 0) return new DomainError("invalid", MARKED, { fields: faults });
  const number = (name: string) =>
    /^-?\d{1,15}$/.test(String(input[name] ?? "")) ? Number(input[name]) : null;
  const seen = { balance: number("seen_balance") ?? 0, price: number("seen_price") };
  return {
    subscriberId,
    amount: amount ?? 0,
    method: method ?? "",
    reference: method === "cash" ? null : reference,
    note,
    packageId,
    seen,
    sure: readSure(input),
  };
}
