import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { id as idField, type Input, readFields, text } from "../../../../domain/core/fields/fields.ts";
import { assignIncoming, dismissIncoming } from "../../../../domain/desk/incoming/assign.ts";
import type { Incoming } from "../../../../domain/desk/incoming/list.ts";
import { type AssignmentPreview, previewAssignment } from "../../../../domain/desk/incoming/preview.ts";
import { setting } from "../../../../domain/core/settings/settings.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { attempt } from "../../attempt.ts";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Field, Select } from "../../../pages/parts/field.tsx";
import { seeOther } from "../../../pages/respond.tsx";
import { drawer, said } from "../../answers.tsx";
import { DrawerForm } from "../../drawer-form.tsx";
import type { StaffVisit } from "../../guard.ts";
import { answerOf } from "../pay/take.ts";
import { sentence } from "../subscriber/say.ts";
import { faultOf, formDrawer, typedIn } from "../team/form.tsx";
import { ARRIVED, arrivedHref, incomingOf, sumWords } from "./shown.ts";

/** How payments that arrive are booked where nobody says otherwise. */
const USUAL = "online";

/** Whose it is, of what was asked for. Throws `invalid`. */
function payerOf(given: unknown): number {
  const id = idField.read(typeof given === "string" ? given : "");
  if (id === undefined) throw new DomainError("invalid", "say whose it is");
  return id;
}

function methodOf(visit: StaffVisit, { ispId }: Incoming, asked: string) {
  const methods = setting(visit.db, "payment_methods", ispId).split(", ");
  const usual = methods.includes(USUAL) ? USUAL : (methods[0] ?? USUAL);
  return { methods, method: methods.includes(asked) ? asked : usual };
}

/** What would be booked and renewed, before any of it is. */
export function askAssignment(visit: StaffVisit): Response {
  permit(visit.by, "assignIncoming");
  if (!visit.query.has("to")) return seeOther(arrivedHref(incomingOf(visit)));
  return assignDrawer(visit, { subscriberId: payerOf(visit.query.get("to")), asked: "" });
}

interface Asked {
  readonly subscriberId: number;
  /** The method as it was chosen. */
  readonly asked: string;
  readonly refused?: DomainError;
}

function assignDrawer(visit: StaffVisit, { subscriberId, asked, refused }: Asked): Response {
  const { db, by, now, view } = visit;
  const { arrived, pay } = view.words;
  const row = incomingOf(visit);
  const { methods, method } = methodOf(visit, row, asked);
  const preview = previewAssignment(db, by, { id: row.id, subscriberId, method }, { now });
  const href = arrivedHref(row);
  const { name, username } = preview.subscriber;
  const isRefused = preview.booked instanceof DomainError;
  return drawer(visit, {
    title: arrived.assignTitle(view.format.name(name)),
    lead: <bdi class="mono">{username}</bdi>,
    ...{ place: "money", back: href, status: refused && !visit.isPart ? 422 : 200 },
    children: (
      <DrawerForm action={`${href}/assign`} visit={visit}>
        <input type="hidden" name="to" value={String(subscriberId)} />
        <div class="drawer-body">
          {refused && <Note kind="bad">{arrived.cannot(refused.message)}</Note>}
          <Sums visit={visit} row={row} preview={preview} />
          <Select
            name="method"
            label={arrived.method}
            value={method}
            options={methods.map((value) => ({ value, label: pay.methodName(value) }))}
          />
        </div>
        <footer class="drawer-foot">
          <Button kind="solid" size="large" disabled={isRefused}>
            {arrived.assign(view.format.name(name))}
          </Button>
          <Button href={href} size="large" drawer>
            {arrived.someoneElse}
          </Button>
        </footer>
      </DrawerForm>
    ),
  });
}

interface SumsProps {
  visit: StaffVisit;
  row: Incoming;
  preview: AssignmentPreview;
}

/** What it comes to, in figures and in sentences. */
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
          arrived.settles(settled.map(({ number }) => number ?? "").join(", "), settled.length)}{" "}
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

/** Books it; the router of an open session is told what was renewed. */
export async function assign(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view, needs } = visit;
  const { arrived } = view.words;
  const row = incomingOf(visit);
  const subscriberId = payerOf(input["to"]);
  const asked = typedIn(input, "method");
  const { method } = methodOf(visit, row, asked);
  const done = await attempt(visit, async () =>
    assignIncoming(db, by, { id: row.id, subscriberId, method }, { now }),
  );
  if (done instanceof DomainError) {
    if (done.code !== "conflict") return assignDrawer(visit, { subscriberId, asked, refused: done });
    return said(visit, { kind: "bad", title: arrived.notDone, text: sentence(done.message) }, ARRIVED);
  }
  const { booked, incoming } = done;
  const { renewal } = booked;
  const sold = renewal !== null && typeof renewal === "object" ? renewal : null;
  const answer =
    sold && (await answerOf(db, { subscriberId, invoiceId: sold.invoiceId }, needs, arrived.late));
  const told = [
    sold && arrived.renews(view.format.wholeTime(sold.expiresAt)),
    typeof renewal === "string" && arrived.notRenewed(renewal),
    arrived.balanceIs(view.format.sum(booked.balance, row.currency)),
    answer?.words,
  ];
  const title = arrived.assigned(booked.number, view.format.name(incoming.name ?? ""));
  return said(visit, { kind: "good", title, text: told.filter(Boolean).join(" ") }, ARRIVED);
}

export function askDismissal(visit: StaffVisit): Response {
  permit(visit.by, "dismissIncoming");
  return dismissDrawer(visit, "");
}

function dismissDrawer(visit: StaffVisit, reason: string, refused?: DomainError): Response {
  const { arrived } = visit.view.words;
  const row = incomingOf(visit);
  return formDrawer(visit, {
    title: arrived.dismissTitle(sumWords(visit.view, row)),
    ...{ action: `${arrivedHref(row)}/dismiss`, back: arrivedHref(row), refused, danger: true },
    ...{ submit: arrived.dismiss, place: "money" as const },
    children: (
      <>
        <p>{arrived.dismissText}</p>
        <Field
          name="reason"
          label={arrived.reason}
          help={arrived.reasonHelp}
          value={reason}
          fault={faultOf(refused, "reason")}
          attributes={{ maxlength: 500, autocomplete: "off", autofocus: true }}
        />
      </>
    ),
  });
}

export async function dismiss(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const { id } = incomingOf(visit);
  const done = await attempt(visit, async () =>
    dismissIncoming(db, by, { id, reason: reasonOf(input) }, { now }),
  );
  if (done instanceof DomainError) return dismissDrawer(visit, typedIn(input, "reason"), done);
  const { arrived } = view.words;
  return said(visit, { kind: "good", title: arrived.dismissed, text: arrived.dismissedText }, ARRIVED);
}

/** Why, which has to be said. Throws `invalid`. */
function reasonOf(input: Input): string {
  const faults = {};
  const { reason } = readFields({ reason: text(500) }, input, faults, { required: ["reason"] });
  if (typeof reason === "string") return reason;
  throw new DomainError("invalid", "say why", { fields: faults });
}
