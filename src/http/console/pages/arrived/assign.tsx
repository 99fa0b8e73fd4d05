import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { phrase } from "../../../../domain/core/errors/phrase.ts";
import { id as idField, type Input, readFields, text } from "../../../../domain/core/fields/fields.ts";
import { assignIncoming, dismissIncoming } from "../../../../domain/desk/incoming/assign.ts";
import type { Incoming } from "../../../../domain/desk/incoming/list.ts";
import { type AssignmentPreview, previewAssignment } from "../../../../domain/desk/incoming/preview.ts";
import { setting } from "../../../../domain/core/settings/settings.ts";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { seeOther } from "../../../pages/respond.tsx";
import type { StaffVisit } from "../../guard.ts";
import { form } from "../../parts/form.tsx";
import { awaitRouter } from "../../parts/router-answer.ts";
import { readIncoming } from "./words.ts";
import { sumWords } from "../../parts/money-frame.tsx";
import { ARRIVED, arrivedHref } from "../../parts/hrefs.ts";

/** The method of arrived payments by default. */
const USUAL = "online";

/** The subscriber to book it for. Throws `invalid`. */
function requirePayerId(value: unknown): number {
  const id = idField.read(typeof value === "string" ? value : "");
  if (id === undefined) throw new DomainError("invalid", phrase`say whose it is`);
  return id;
}

function chooseMethod(visit: StaffVisit, { ispId }: Incoming, method: string) {
  const methods = setting(visit.db, "payment_methods", ispId).split(", ");
  const usual = methods.includes(USUAL) ? USUAL : (methods[0] ?? USUAL);
  return { methods, method: methods.includes(method) ? method : usual };
}

/** The result of an assignment. */
interface Booked {
  readonly number: string;
  readonly name: string;
  readonly balance: number;
  /** The renewal, or why there was none. */
  readonly renewal: string | { readonly invoiceId: number; readonly expiresAt: number } | null;
}

/** Previews what would be booked and renewed; afterwards the router of an open session is told of the renewal. */
export const assignment = form({
  path: `${ARRIVED}/:id/assign`,
  permit: "assignIncoming",
  of: (visit) => {
    const row = readIncoming(visit);
    if (!visit.query.has("to")) return seeOther(arrivedHref(row));
    return { row, subscriberId: requirePayerId(visit.query.get("to")) };
  },
  content: (visit, { row, subscriberId }, { method: requested = "" }) => {
    const { db, by, now, view } = visit;
    const { arrived, pay } = view.words;
    const { methods, method } = chooseMethod(visit, row, requested);
    const preview = previewAssignment(db, by, { id: row.id, subscriberId, method }, { now });
    const { name, username } = preview.subscriber;
    const called = view.format.name(name);
    const href = arrivedHref(row);
    return {
      title: arrived.assignTitle(called),
      lead: <bdi class="mono">{username}</bdi>,
      back: href,
      place: "money",
      ...(!(preview.booked instanceof DomainError) && { submit: arrived.assign(called) }),
      text: <Sums visit={visit} row={row} preview={preview} />,
      fields: [
        {
          name: "method",
          label: arrived.method,
          value: method,
          options: methods.map((value) => ({ value, label: pay.methodName(value) })),
        },
      ],
      beside: (
        <Button href={href} size="large" drawer>
          {arrived.someoneElse}
        </Button>
      ),
    };
  },
  once: (done: Booked) => done,
  save: (visit, { row, subscriberId }, { method: requested = "" }) => {
    const { db, by, now } = visit;
    const { method } = chooseMethod(visit, row, requested);
    const { booked, incoming } = assignIncoming(db, by, { id: row.id, subscriberId, method }, { now });
    const { number, balance, renewal } = booked;
    const sold =
      renewal !== null && typeof renewal === "object"
        ? { invoiceId: renewal.invoiceId, expiresAt: renewal.expiresAt }
        : renewal;
    return { number, balance, name: incoming.name ?? "", renewal: sold };
  },
  done: async ({ db, needs, view }, { number, name, balance, renewal }, { row, subscriberId }) => {
    const { arrived } = view.words;
    const sold = typeof renewal === "object" ? renewal : null;
    const answer =
      sold && (await awaitRouter(db, { subscriberId, invoiceId: sold.invoiceId }, needs, arrived.late));
    const text = [
      sold && arrived.renews(view.format.wholeTime(sold.expiresAt)),
      typeof renewal === "string" && arrived.notRenewed(renewal),
      arrived.balanceIs(view.format.sum(balance, row.currency)),
      answer?.words,
    ];
    const title = arrived.assigned(number, view.format.name(name));
    return { title, text: text.filter(Boolean).join(" "), to: ARRIVED };
  },
});

interface SumsProps {
  visit: StaffVisit;
  row: Incoming;
  preview: AssignmentPreview;
}

/** The sums in figures and sentences. */
function Sums({ visit: { view }, row, preview }: SumsProps) {
  const { arrived } = view.words;
  const { format } = view;
  const { booked, balance, settled } = preview;
  if (booked instanceof DomainError) return <Note kind="bad">{arrived.cannot(booked.message)}</Note>;
  const { renewal } = booked;
  const sold = renewal !== null && typeof renewal === "object" ? renewal : null;
  const rest = booked.balance - balance - row.amount;
  return (
    <section class="sums" aria-label={arrived.sums}>
      <Line name={arrived.balanceNow} value={format.amount(balance)} />
      <Line
        name={arrived.payment(format.name(row.provider))}
        value={format.amount(row.amount, { plus: true })}
      />
      {rest !== 0 && <Line name={arrived.renewal} value={format.amount(rest, { plus: true })} />}
      <div class="total">
        <span>{arrived.balanceAfter}</span>
        <span>{format.sum(booked.balance, row.currency)}</span>
      </div>
      <p class="sums-words">
        {sold && <strong>{arrived.renews(format.wholeTime(sold.expiresAt))} </strong>}
        {settled.length > 0 &&
          arrived.settles(
            settled.map(({ number }) => number ?? "").join(view.words.list.comma),
            settled.length,
          )}{" "}
        {typeof renewal === "string" && <strong class="bad-text">{arrived.notRenewed(renewal)}</strong>}
        {renewal === null && arrived.noRenewal}
      </p>
    </section>
  );
}

function Line({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <span class="soft-text">{name}</span>
      <span>{value}</span>
    </div>
  );
}

export const dismissal = form({
  path: `${ARRIVED}/:id/dismiss`,
  permit: "dismissIncoming",
  of: readIncoming,
  content: ({ view }, row) => {
    const { arrived } = view.words;
    const reason = { name: "reason", label: arrived.reason, help: arrived.reasonHelp, max: 500 };
    return {
      title: arrived.dismissTitle(sumWords(view, row)),
      back: arrivedHref(row),
      place: "money",
      submit: arrived.dismiss,
      danger: true,
      text: <p>{arrived.dismissText}</p>,
      fields: [{ ...reason, attributes: { autofocus: true } }],
    };
  },
  save: ({ db, by, now }, { id }, values) =>
    dismissIncoming(db, by, { id, reason: readReason(values) }, { now }),
  done: ({ view: { words } }) => ({
    title: words.arrived.dismissed,
    text: words.arrived.dismissedText,
    to: ARRIVED,
  }),
});

function readReason(input: Input): string {
  const faults = {};
  const { reason } = readFields({ reason: text(500) }, input, faults, { required: ["reason"] });
  if (typeof reason === "string") return reason;
  throw new DomainError("invalid", phrase`say why`, { fields: faults });
}
