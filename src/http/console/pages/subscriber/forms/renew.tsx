import { activate, type Quote, quote } from "../../../../../domain/service/activation/activate.ts";
import { type Lost, lostBy } from "../../../../../domain/service/activation/lost.ts";
import { balanceOf } from "../../../../../domain/core/amounts/balance.ts";
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
import { attempt, attemptNow } from "../../../attempt.ts";
import { said } from "../../../answers.tsx";
import { staffForm, staffPage, type StaffVisit } from "../../../guard.ts";
import { sentence } from "../say.ts";
import { can, type Shown, shownOf } from "../shown.ts";
import { formDrawer, textOf } from "./form.tsx";
import { Sums } from "./sums.tsx";

const PAGE = "/console/subscribers/:id";

interface Chosen {
  readonly packageId: number;
  readonly creditUnused: boolean;
}

/** What it would do now, or why it cannot be done. */
function quoted({ visit, head }: Shown, chosen: Chosen): Quote | DomainError {
  const { db, by, now } = visit;
  const asked = { subscriberId: head.subscriber.id, ...chosen };
  const told = attemptNow(visit, () => quote(db, by, asked, { now }));
  if (told instanceof DomainError && (told.code === "forbidden" || told.code === "not_found")) throw told;
  return told;
}

/** Shown again with why it was not done. */
interface Refused {
  readonly status?: number;
  readonly problem?: string;
}

function renewForm(shown: Shown, { status = 200, problem }: Refused = {}): Response {
  const { visit, head, say } = shown;
  const { forms } = visit.view.words.subscriber;
  const chosen = { packageId: head.subscriber.packageId, creditUnused: false };
  const told = quoted(shown, chosen);
  return formDrawer({
    ...{ shown, to: "renew", title: forms.renewTitle, status },
    ...(told instanceof DomainError
      ? { beside: <PayFirst shown={shown} packageId={chosen.packageId} /> }
      : { submit: forms.renewNow(say.money(told.sold.price)) }),
    children: (
      <>
        {problem !== undefined && <Note kind="bad">{problem}</Note>}
        <Sums shown={shown} told={told} />
        <input type="hidden" name="package_id" value={String(chosen.packageId)} />
        <Hidden told={told} />
      </>
    ),
  });
}

function packageForm(shown: Shown, chosen: Chosen, { status = 200, problem }: Refused = {}): Response {
  const { visit, head, say, base } = shown;
  const { db, by } = visit;
  const { forms } = visit.view.words.subscriber;
  const packages = listChoices(db, by).packages.filter(
    ({ ispId, status: isSold, id }) =>
      ispId === head.subscriber.ispId && (isSold === 1 || id === chosen.packageId),
  );
  const told = quoted(shown, chosen);
  const lost = lostOf(shown, chosen);
  const asksAgain = {
    "hx-get": `${base}/package`,
    "hx-trigger": "change",
    "hx-include": "closest form",
    "hx-target": "#drawer",
    "hx-swap": "innerHTML",
  };
  const mayLater = can(shown, "subscriber_edit");
  return formDrawer({
    ...{ shown, to: "package", title: forms.packageTitle, status },
    ...(!(told instanceof DomainError) && { submit: forms.changeNow(say.money(told.sold.price)) }),
    beside: (
      <>
        {told instanceof DomainError && <PayFirst shown={shown} packageId={chosen.packageId} />}
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
            <LostNote shown={shown} lost={lost} isAsked={chosen.creditUnused} />
          </>
        )}
        <noscript>
          <Button name="when" value="quote">
            {forms.quote}
          </Button>
        </noscript>
        <Sums shown={shown} told={told} />
        <Hidden told={told} />
      </>
    ),
  });
}

function lostOf({ visit: { db, now }, head }: Shown, { packageId }: Chosen): Lost | undefined {
  return lostBy(db, { subscriberId: head.subscriber.id, packageId }, { now });
}

/** What ends, and why nothing of it is given back or how much is. */
function LostNote({ shown, lost, isAsked }: { shown: Shown; lost: Lost; isAsked: boolean }) {
  const { forms } = shown.visit.view.words.subscriber;
  const { nothing, amount } = lost;
  const gone = lostWords(shown, lost);
  if (nothing === null)
    return isAsked ? null : (
      <Note kind="wait">
        {gone} {forms.canGiveBack(shown.say.money(amount))}
      </Note>
    );
  if (nothing === "over") return isAsked ? <p class="hint">{forms.nothingBack.over}</p> : null;
  return (
    <Note kind="wait">
      {forms.nothingBack[nothing]} {gone}
    </Note>
  );
}

function lostWords({ visit: { view, now }, say }: Shown, { packageName, until, bytes }: Lost): string {
  const { forms } = view.words.subscriber;
  const left = view.format.duration(until - now);
  return forms.lost(packageName, left, view.format.weekTime(until), bytes === null ? null : say.bytes(bytes));
}

/** What is said of it after the sale, of who had asked for it. */
function givenBackWords(shown: Shown, lost: Lost | undefined, credited: number): string {
  const { forms } = shown.visit.view.words.subscriber;
  if (credited > 0) return forms.givenBack(shown.say.money(credited));
  return lost?.nothing ? forms.nothingBack[lost.nothing] : "";
}

/** What is shown as sold, so that nothing else is, and the key by which it is sold once. */
function Hidden({ told }: { told: Quote | DomainError }) {
  return (
    <>
      {!(told instanceof DomainError) && (
        <>
          <input type="hidden" name="seen_package" value={String(told.sold.id)} />
          <input type="hidden" name="seen_price" value={String(told.sold.price)} />
        </>
      )}
      <input type="hidden" name="key" value={crypto.randomUUID()} />
    </>
  );
}

function PayFirst({ shown, packageId }: { shown: Shown; packageId: number }) {
  const { forms } = shown.visit.view.words.subscriber;
  if (!can(shown, "payment_take")) return null;
  return (
    <Button href={`${shown.base}/pay?package=${packageId}`} kind="solid" size="large" icon="money" drawer>
      {forms.payFirst}
    </Button>
  );
}

function chosenIn(shown: Shown, get: (name: string) => string): Chosen {
  const packageId = /^[1-9]\d{0,14}$/.test(get("package_id"))
    ? Number(get("package_id"))
    : (shown.head.next?.id ?? shown.head.subscriber.packageId);
  return { packageId, creditUnused: get("credit_unused") === "1" };
}

/** Sells once for the key of the form, and moves what is open to it. */
async function sell(visit: StaffVisit, shown: Shown, { chosen, input }: { chosen: Chosen; input: Input }) {
  const { db, by, now, path, view, needs } = visit;
  const { said: words } = view.words.subscriber;
  const { id: subscriberId } = shown.head.subscriber;
  const lost = chosen.creditUnused ? lostOf(shown, chosen) : undefined;
  const { form_token: _, ...sent } = input;
  const keyed = { path, key: textOf(input["key"]), input: sent };
  const sold = once(db, by, keyed, { now }, (tx) => {
    permit(by, "activate");
    subscriberById(tx, by.scope, subscriberId);
    return () => {
      const seen = textOf(input["seen_price"]);
      if (/^\d{1,15}$/.test(seen)) requirePriceAsSeen(tx, { subscriberId, ...chosen }, Number(seen));
      return activate(tx, by, { subscriberId, ...chosen }, { now });
    };
  });
  const { clock, routers } = needs;
  const session = await applySale(db, { subscriberId, invoiceId: sold.invoiceId }, { clock, routers });
  const { say } = shown;
  const after = shownOf(visit).head;
  const booked = words.booked(
    say.money(sold.charged),
    view.format.weekTime(sold.expiresAt),
    say.money(balanceOf(db, { subscriberId })),
  );
  const back = chosen.creditUnused ? givenBackWords(shown, lost, sold.credited) : "";
  const isRenewal = shown.head.service?.packageId === sold.packageId;
  const title = (isRenewal ? words.renewed : words.changed)(after.sold.name);
  return said(
    visit,
    { kind: "good", title, text: [booked, back, session].filter(Boolean).join(" ") },
    shown.base,
  );
}

/** What runs stays; the next renewal sells the other one. */
function changeLater(visit: StaffVisit, shown: Shown, { packageId }: Chosen): Response {
  const { db, by, now, view } = visit;
  const { said: words } = view.words.subscriber;
  const { username } = shown.head.subscriber;
  updateSubscriber(db, by, { username, package_id: packageId }, { now, shown: (record) => record });
  const { head } = shownOf(visit);
  const title = words.nextPackage((head.next ?? head.sold).name);
  return said(visit, { kind: "good", title, text: words.nextPackageText }, shown.base);
}

export const renewRoutes = [
  staffPage(`${PAGE}/renew`, (visit) => {
    permit(visit.by, "activate");
    return renewForm(shownOf(visit));
  }),
  staffForm(`${PAGE}/renew`, (visit, input) => {
    permit(visit.by, "activate");
    const shown = shownOf(visit);
    const chosen = {
      packageId: chosenIn(shown, (name) => textOf(input[name])).packageId,
      creditUnused: false,
    };
    return refusedTo(
      visit,
      () => sell(visit, shown, { chosen, input }),
      (refused) => renewForm(shown, refused),
    );
  }),
  staffPage(`${PAGE}/package`, (visit) => {
    permit(visit.by, "activate");
    const shown = shownOf(visit);
    return packageForm(
      shown,
      chosenIn(shown, (name) => visit.query.get(name) ?? ""),
    );
  }),
  staffForm(`${PAGE}/package`, (visit, input) => {
    permit(visit.by, "activate");
    const shown = shownOf(visit);
    const chosen = chosenIn(shown, (name) => textOf(input[name]));
    const isOther = ![String(chosen.packageId), ""].includes(textOf(input["seen_package"]));
    if (input["when"] === "quote" || (isOther && input["when"] !== "later"))
      return packageForm(shown, chosen);
    if (input["when"] === "later" && may(visit.by, "subscriber_edit"))
      return changeLater(visit, shown, chosen);
    return refusedTo(
      visit,
      () => sell(visit, shown, { chosen, input }),
      (refused) => packageForm(shown, chosen, refused),
    );
  }),
];

/** What is refused by now stands in the form, with why. */
async function refusedTo(
  visit: StaffVisit,
  work: () => Promise<Response>,
  form: (refused: Refused) => Response,
): Promise<Response> {
  const done = await attempt(visit, work);
  if (!(done instanceof DomainError)) return done;
  if (done.code === "conflict") return form({ status: 409, problem: sentence(done.message) });
  if (done.code === "refused" || done.code === "too_soon") return form({ status: 422 });
  throw done;
}
