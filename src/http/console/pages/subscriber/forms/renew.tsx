import { activate, type Quote, quote } from "../../../../../domain/service/activation/activate.ts";
import { type Lost, lostBy } from "../../../../../domain/service/activation/lost.ts";
import { readBalance } from "../../../../../domain/core/amounts/balance.ts";
import { listChoices } from "../../../../../domain/goods/subscribers/choices.ts";
import { applySale } from "../../../../../domain/service/control/apply-change.ts";
import { DomainError } from "../../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../../domain/core/fields/fields.ts";
import { once } from "../../../../../domain/core/once/once.ts";
import { requirePriceAsSeen } from "../../../../../domain/desk/payments/take.ts";
import { may } from "../../../../../domain/core/actor/actor.ts";
import { permit } from "../../../../../domain/core/actor/permissions.ts";
import { subscriberById } from "../../../../../domain/goods/subscribers/find.ts";
import { updateSubscriber } from "../../../../../domain/goods/subscribers/update.ts";
import { Note } from "../../../../pages/note.tsx";
import { Button } from "../../../../pages/parts/button.tsx";
import { Check, Select } from "../../../../pages/parts/field.tsx";
import { attempt, attemptNow, told } from "../../../attempt.ts";
import { flash } from "../../../answers.tsx";
import { staffForm, staffPage, type StaffVisit } from "../../../guard.ts";
import { sentence } from "../../../parts/phrases.ts";
import { can, type PageContext, readPageContext } from "../context.ts";
import { formDrawer, readText } from "./form.tsx";
import { Sums } from "./sums.tsx";

const PAGE = "/console/subscribers/:id";

interface Chosen {
  readonly packageId: number;
  readonly creditUnused: boolean;
}

function quoted({ visit, head }: PageContext, chosen: Chosen): Quote | DomainError {
  const { db, by, now } = visit;
  const { subscriber, service } = head;
  const order = { subscriberId: subscriber.id, ...chosen };
  const read = { subscriber, service: service ?? undefined };
  const offer = attemptNow(visit, () => quote(db, by, order, { now, read }));
  if (offer instanceof DomainError && (offer.kind === "forbidden" || offer.kind === "not_found")) throw offer;
  return offer;
}

interface Refused {
  readonly status?: number;
  readonly problem?: string;
}

function renewForm(context: PageContext, { status = 200, problem }: Refused = {}): Response {
  const { visit, head, phrases } = context;
  const { forms } = visit.view.words.subscriber;
  const chosen = { packageId: head.subscriber.packageId, creditUnused: false };
  const offer = quoted(context, chosen);
  return formDrawer({
    context,
    to: "renew",
    title: forms.renewTitle,
    status,
    ...(offer instanceof DomainError
      ? { beside: <PayFirst context={context} packageId={chosen.packageId} /> }
      : { submit: forms.renewNow(phrases.money(offer.sold.price)) }),
    children: (
      <>
        {problem !== undefined && <Note kind="bad">{problem}</Note>}
        <Sums context={context} offer={offer} />
        <input type="hidden" name="package_id" value={String(chosen.packageId)} />
        <Hidden offer={offer} />
      </>
    ),
  });
}

function packageForm(
  context: PageContext,
  chosen: Chosen,
  { status = 200, problem }: Refused = {},
): Response {
  const { visit, head, phrases, base } = context;
  const { db, by } = visit;
  const { forms } = visit.view.words.subscriber;
  const packages = listChoices(db, by).packages.filter(
    ({ ispId, status: isSold, id }) =>
      ispId === head.subscriber.ispId && (isSold === 1 || id === chosen.packageId),
  );
  const offer = quoted(context, chosen);
  const lost = readLost(context, chosen);
  const asksAgain = {
    "hx-get": `${base}/package`,
    "hx-trigger": "change",
    "hx-include": "closest form",
    "hx-target": "#drawer",
    "hx-swap": "innerHTML",
  };
  const mayLater = can(context, "subscriber_edit");
  return formDrawer({
    context,
    to: "package",
    title: forms.packageTitle,
    status,
    ...(!(offer instanceof DomainError) && { submit: forms.changeNow(phrases.money(offer.sold.price)) }),
    beside: (
      <>
        {offer instanceof DomainError && <PayFirst context={context} packageId={chosen.packageId} />}
        {mayLater && (
          <Button size="large" name="when" value="later">
            {forms.changeLater}
          </Button>
        )}
      </>
    ),
    children: (
      <>
        {problem !== undefined && <Note kind="bad">{problem}</Note>}
        <Select
          name="package_id"
          label={forms.choose}
          value={chosen.packageId}
          options={packages.map(({ id, name }) => ({ value: id, label: name }))}
          attributes={asksAgain}
        />
        {lost && (
          <>
            <Check
              name="credit_unused"
              label={forms.creditUnused}
              checked={chosen.creditUnused}
              attributes={asksAgain}
            />
            <LostNote context={context} lost={lost} isChosen={chosen.creditUnused} />
          </>
        )}
        <noscript>
          <Button name="when" value="quote">
            {forms.quote}
          </Button>
        </noscript>
        <Sums context={context} offer={offer} />
        <Hidden offer={offer} />
      </>
    ),
  });
}

function readLost({ visit: { db, now }, head }: PageContext, { packageId }: Chosen): Lost | undefined {
  return lostBy(db, { service: head.service, packageId }, { now });
}

/** What is lost, and its refund. */
function LostNote({ context, lost, isChosen }: { context: PageContext; lost: Lost; isChosen: boolean }) {
  const { forms } = context.visit.view.words.subscriber;
  const { nothing, amount } = lost;
  const gone = lostWords(context, lost);
  if (nothing === null)
    return isChosen ? null : (
      <Note kind="wait">
        {gone} {forms.canGiveBack(context.phrases.money(amount))}
      </Note>
    );
  if (nothing === "over") return isChosen ? <p class="hint">{forms.nothingBack.over}</p> : null;
  return (
    <Note kind="wait">
      {forms.nothingBack[nothing]} {gone}
    </Note>
  );
}

function lostWords(
  { visit: { view, now }, phrases }: PageContext,
  { packageName, until, bytes }: Lost,
): string {
  const { forms } = view.words.subscriber;
  const left = view.format.duration(until - now);
  return forms.lost(
    packageName,
    left,
    view.format.weekTime(until),
    bytes === null ? null : phrases.bytes(bytes),
  );
}

/** The refund after the sale. */
function refundWords(context: PageContext, lost: Lost | undefined, credited: number): string {
  const { forms } = context.visit.view.words.subscriber;
  if (credited > 0) return forms.givenBack(context.phrases.money(credited));
  return lost?.nothing ? forms.nothingBack[lost.nothing] : "";
}

/** The shown offer, so that nothing else is sold, and the idempotency key. */
function Hidden({ offer }: { offer: Quote | DomainError }) {
  return (
    <>
      {!(offer instanceof DomainError) && (
        <>
          <input type="hidden" name="seen_package" value={String(offer.sold.id)} />
          <input type="hidden" name="seen_price" value={String(offer.sold.price)} />
        </>
      )}
      <input type="hidden" name="key" value={crypto.randomUUID()} />
    </>
  );
}

function PayFirst({ context, packageId }: { context: PageContext; packageId: number }) {
  const { forms } = context.visit.view.words.subscriber;
  if (!can(context, "payment_take")) return null;
  return (
    <Button href={`${context.base}/pay?package=${packageId}`} kind="solid" size="large" icon="money" drawer>
      {forms.payFirst}
    </Button>
  );
}

function chosenIn(context: PageContext, get: (name: string) => string): Chosen {
  const packageId = /^[1-9]\d{0,14}$/.test(get("package_id"))
    ? Number(get("package_id"))
    : (context.head.next?.id ?? context.head.subscriber.packageId);
  return { packageId, creditUnused: get("credit_unused") === "1" };
}

/** Sells once for the form's key, and updates open sessions. */
async function sell(
  visit: StaffVisit,
  context: PageContext,
  { chosen, input }: { chosen: Chosen; input: Input },
) {
  const { db, by, now, path, view, needs } = visit;
  const { said: words } = view.words.subscriber;
  const { id: subscriberId } = context.head.subscriber;
  const lost = chosen.creditUnused ? readLost(context, chosen) : undefined;
  const { form_token: _, ...sent } = input;
  const keyed = { path, key: readText(input["key"]), input: sent };
  const sold = once(db, by, keyed, { now }, (tx) => {
    permit(by, "activate");
    subscriberById(tx, by.scope, subscriberId);
    return () => {
      const seen = readText(input["seen_price"]);
      if (/^\d{1,15}$/.test(seen)) requirePriceAsSeen(tx, { subscriberId, ...chosen }, Number(seen));
      return activate(tx, by, { subscriberId, ...chosen }, { now });
    };
  });
  const { clock, routers } = needs;
  const session = await applySale(db, { subscriberId, invoiceId: sold.invoiceId }, { clock, routers });
  const { phrases } = context;
  const after = readPageContext(visit).head;
  const booked = words.booked(
    phrases.money(sold.charged),
    view.format.weekTime(sold.expiresAt),
    phrases.money(readBalance(db, { subscriberId })),
  );
  const back = chosen.creditUnused ? refundWords(context, lost, sold.credited) : "";
  const isRenewal = context.head.service?.packageId === sold.packageId;
  const title = (isRenewal ? words.renewed : words.changed)(after.sold.name);
  return flash(
    visit,
    { kind: "good", title, text: [booked, back, told(view, session)].filter(Boolean).join(" ") },
    context.base,
  );
}

function changeLater(visit: StaffVisit, context: PageContext, { packageId }: Chosen): Response {
  const { db, by, now, view } = visit;
  const { said: words } = view.words.subscriber;
  const { username } = context.head.subscriber;
  updateSubscriber(db, by, { username, package_id: packageId }, { now, toJson: (record) => record });
  const { head } = readPageContext(visit);
  const title = words.nextPackage((head.next ?? head.sold).name);
  return flash(visit, { kind: "good", title, text: words.nextPackageText }, context.base);
}

export const renewRoutes = [
  staffPage(`${PAGE}/renew`, (visit) => {
    permit(visit.by, "activate");
    return renewForm(readPageContext(visit));
  }),
  staffForm(`${PAGE}/renew`, (visit, input) => {
    permit(visit.by, "activate");
    const context = readPageContext(visit);
    const chosen = {
      packageId: chosenIn(context, (name) => readText(input[name])).packageId,
      creditUnused: false,
    };
    return refusedTo(
      visit,
      () => sell(visit, context, { chosen, input }),
      (refused) => renewForm(context, refused),
    );
  }),
  staffPage(`${PAGE}/package`, (visit) => {
    permit(visit.by, "activate");
    const context = readPageContext(visit);
    return packageForm(
      context,
      chosenIn(context, (name) => visit.query.get(name) ?? ""),
    );
  }),
  staffForm(`${PAGE}/package`, (visit, input) => {
    permit(visit.by, "activate");
    const context = readPageContext(visit);
    const chosen = chosenIn(context, (name) => readText(input[name]));
    const isOther = ![String(chosen.packageId), ""].includes(readText(input["seen_package"]));
    if (input["when"] === "quote" || (isOther && input["when"] !== "later"))
      return packageForm(context, chosen);
    if (input["when"] === "later" && may(visit.by, "subscriber_edit"))
      return changeLater(visit, context, chosen);
    return refusedTo(
      visit,
      () => sell(visit, context, { chosen, input }),
      (refused) => packageForm(context, chosen, refused),
    );
  }),
];

/** Refusals in the form. */
async function refusedTo(
  visit: StaffVisit,
  work: () => Promise<Response>,
  form: (refused: Refused) => Response,
): Promise<Response> {
  const done = await attempt(visit, work);
  if (!(done instanceof DomainError)) return done;
  if (done.kind === "conflict") return form({ status: 409, problem: sentence(done.message) });
  if (done.kind === "refused" || done.kind === "too_soon") return form({ status: 422 });
  throw done;
}
