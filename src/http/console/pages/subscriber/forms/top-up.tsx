import {
  topUp,
  topUpOffers,
  type TopUpOffer,
  type TopUpQuote,
  quoteTopUp,
} from "../../../../../domain/service/activation/top-up.ts";
import { readBalance } from "../../../../../domain/core/amounts/balance.ts";
import { applyTopUp } from "../../../../../domain/service/control/apply-top-up.ts";
import { DomainError } from "../../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../../domain/core/fields/fields.ts";
import { once } from "../../../../../domain/core/once/once.ts";
import { requirePriceAsSeen } from "../../../../../domain/desk/payments/take.ts";
import { permit } from "../../../../../domain/core/actor/permissions.ts";
import { subscriberById } from "../../../../../domain/goods/subscribers/find.ts";
import { Note } from "../../../../pages/note.tsx";
import { Button } from "../../../../pages/parts/button.tsx";
import { Select } from "../../../../pages/parts/field.tsx";
import { attempt, attemptNow, told } from "../../../attempt.ts";
import { flash } from "../../../answers.tsx";
import { staffForm, staffPage, type StaffVisit } from "../../../guard.ts";
import { sentence } from "../../../parts/phrases.ts";
import { type PageContext, readPageContext } from "../context.ts";
import { formDrawer, readText } from "./form.tsx";
import { Sums } from "./sums.tsx";

const PATH = "/console/subscribers/:id/top-up";

interface Refused {
  readonly status?: number;
  readonly problem?: string;
}

const listOffers = ({ visit: { db, now }, head }: PageContext) =>
  topUpOffers(db, head.subscriber, head.service ?? undefined, now);

function form(
  context: PageContext,
  chosenId: number | undefined,
  { status = 200, problem }: Refused = {},
): Response {
  const { visit, phrases, base } = context;
  const { fairUse } = visit.view.words;
  const offers = listOffers(context);
  const chosen = offers.find(({ packageId }) => packageId === chosenId) ?? offers[0];
  const about = { context, to: "top-up", title: fairUse.topUpTitle, status };
  if (!chosen) return formDrawer({ ...about, children: <p class="hint">{fairUse.none}</p> });
  const offer = quoted(context, chosen);
  return formDrawer({
    ...about,
    ...(!(offer instanceof DomainError) && { submit: fairUse.sell(phrases.money(offer.sold.price)) }),
    children: (
      <>
        {problem !== undefined && <Note kind="bad">{problem}</Note>}
        <Select
          name="package_id"
          label={fairUse.choose}
          value={chosen.packageId}
          options={offers.map(({ packageId, name }) => ({ value: packageId, label: name }))}
          attributes={{
            "hx-get": `${base}/top-up`,
            "hx-trigger": "change",
            "hx-include": "closest form",
            "hx-target": "#drawer",
            "hx-swap": "innerHTML",
          }}
        />
        <noscript>
          <Button name="when" value="quote">
            {fairUse.quote}
          </Button>
        </noscript>
        <Sums context={context} offer={offer} />
        {!(offer instanceof DomainError) && <Brings context={context} offer={offer} />}
        <input type="hidden" name="seen_package" value={String(chosen.packageId)} />
        <input type="hidden" name="seen_price" value={String(chosen.price)} />
        <input type="hidden" name="key" value={crypto.randomUUID()} />
      </>
    ),
  });
}

function Brings({ context: { visit, phrases }, offer }: { context: PageContext; offer: TopUpQuote }) {
  const { fairUse } = visit.view.words;
  if (offer.left === null) return null;
  const until = visit.view.format.weekTime(offer.until);
  return (
    <div class="sums">
      <div>
        <span>{fairUse.left_after}</span>
        <strong>{phrases.bytes(offer.left)}</strong>
      </div>
      <div>
        <span>{fairUse.until}</span>
        <span>{offer.rolls ? `${until}${visit.view.words.list.semicolon}${fairUse.stays}` : until}</span>
      </div>
    </div>
  );
}

function quoted({ visit, head }: PageContext, { packageId }: TopUpOffer): TopUpQuote | DomainError {
  const { db, by, now } = visit;
  const order = { subscriberId: head.subscriber.id, packageId };
  const offer = attemptNow(visit, () => quoteTopUp(db, by, order, { now }));
  if (offer instanceof DomainError && offer.kind !== "refused") throw offer;
  return offer;
}

async function sell(
  visit: StaffVisit,
  context: PageContext,
  packageId: number,
  input: Input,
): Promise<Response> {
  const { db, by, now, path, view, needs } = visit;
  const { fairUse, subscriber } = view.words;
  const { id: subscriberId } = context.head.subscriber;
  const { form_token: _, ...sent } = input;
  const keyed = { path, key: readText(input["key"]), input: sent };
  const done = once(db, by, keyed, { now }, (tx) => {
    permit(by, "topUp");
    subscriberById(tx, by.scope, subscriberId);
    return () => {
      const seen = readText(input["seen_price"]);
      if (/^\d{1,15}$/.test(seen)) requirePriceAsSeen(tx, { subscriberId, packageId }, Number(seen));
      return topUp(tx, by, { subscriberId, packageId }, { now });
    };
  });
  const { clock, routers } = needs;
  const session = await applyTopUp(db, { subscriberId, invoiceId: done.invoiceId }, { clock, routers });
  const { phrases } = context;
  const booked = subscriber.said.booked(
    phrases.money(done.charged),
    view.format.weekTime(done.expiresAt),
    phrases.money(readBalance(db, { subscriberId })),
  );
  return flash(
    visit,
    { kind: "good", title: fairUse.sold(done.packageName), text: `${booked} ${told(view, session)}` },
    context.base,
  );
}

const idIn = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined);

export const topUpRoutes = [
  staffPage(PATH, (visit) => {
    permit(visit.by, "topUp");
    return form(readPageContext(visit), idIn(visit.query.get("package_id") ?? ""));
  }),
  staffForm(PATH, async (visit, input) => {
    permit(visit.by, "topUp");
    const context = readPageContext(visit);
    const packageId = idIn(readText(input["package_id"]));
    const isOther = readText(input["seen_package"]) !== readText(input["package_id"]);
    if (packageId === undefined || input["when"] === "quote" || isOther) return form(context, packageId);
    const done = await attempt(visit, () => sell(visit, context, packageId, input));
    if (!(done instanceof DomainError)) return done;
    if (done.kind !== "conflict" && done.kind !== "refused") throw done;
    const status = done.kind === "conflict" ? 409 : 422;
    return form(context, packageId, { status, problem: sentence(done.message) });
  }),
];
