import {
  topUp,
  topUpOffers,
  type TopUpOffer,
  type TopUpQuote,
  quoteTopUp,
} from "../../../../../domain/service/activation/top-up.ts";
import { balanceOf } from "../../../../../domain/core/amounts/balance.ts";
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
import { attempt, attemptNow } from "../../../attempt.ts";
import { said } from "../../../answers.tsx";
import { staffForm, staffPage, type StaffVisit } from "../../../guard.ts";
import { sentence } from "../say.ts";
import { type Shown, shownOf } from "../shown.ts";
import { formDrawer, textOf } from "./form.tsx";
import { Sums } from "./sums.tsx";

const PATH = "/console/subscribers/:id/top-up";

interface Refused {
  readonly status?: number;
  readonly problem?: string;
}

const offersOf = ({ visit: { db, now }, head }: Shown) =>
  topUpOffers(db, head.subscriber, head.service ?? undefined, now);

function form(shown: Shown, chosenId: number | undefined, { status = 200, problem }: Refused = {}): Response {
  const { visit, say, base } = shown;
  const { fairUse } = visit.view.words;
  const offers = offersOf(shown);
  const chosen = offers.find(({ packageId }) => packageId === chosenId) ?? offers[0];
  const about = { shown, to: "top-up", title: fairUse.topUpTitle, status };
  if (!chosen) return formDrawer({ ...about, children: <p class="hint">{fairUse.none}</p> });
  const told = quoted(shown, chosen);
  return formDrawer({
    ...about,
    ...(!(told instanceof DomainError) && { submit: fairUse.sell(say.money(told.sold.price)) }),
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
        <Sums shown={shown} told={told} />
        {!(told instanceof DomainError) && <Brings shown={shown} told={told} />}
        <input type="hidden" name="seen_package" value={String(chosen.packageId)} />
        <input type="hidden" name="seen_price" value={String(chosen.price)} />
        <input type="hidden" name="key" value={crypto.randomUUID()} />
      </>
    ),
  });
}

function Brings({ shown: { visit, say }, told }: { shown: Shown; told: TopUpQuote }) {
  const { fairUse } = visit.view.words;
  if (told.left === null) return null;
  const until = visit.view.format.weekTime(told.until);
  return (
    <div class="sums">
      <div>
        <span>{fairUse.left_after}</span>
        <strong>{say.bytes(told.left)}</strong>
      </div>
      <div>
        <span>{fairUse.until}</span>
        <span>{told.rolls ? `${until}; ${fairUse.stays}` : until}</span>
      </div>
    </div>
  );
}

function quoted({ visit, head }: Shown, { packageId }: TopUpOffer): TopUpQuote | DomainError {
  const { db, by, now } = visit;
  const asked = { subscriberId: head.subscriber.id, packageId };
  const told = attemptNow(visit, () => quoteTopUp(db, by, asked, { now }));
  if (told instanceof DomainError && told.code !== "refused") throw told;
  return told;
}

async function sell(visit: StaffVisit, shown: Shown, packageId: number, input: Input): Promise<Response> {
  const { db, by, now, path, view, needs } = visit;
  const { fairUse, subscriber } = view.words;
  const { id: subscriberId } = shown.head.subscriber;
  const { form_token: _, ...sent } = input;
  const keyed = { path, key: textOf(input["key"]), input: sent };
  const done = once(db, by, keyed, { now }, (tx) => {
    permit(by, "topUp");
    subscriberById(tx, by.scope, subscriberId);
    return () => {
      const seen = textOf(input["seen_price"]);
      if (/^\d{1,15}$/.test(seen)) requirePriceAsSeen(tx, { subscriberId, packageId }, Number(seen));
      return topUp(tx, by, { subscriberId, packageId }, { now });
    };
  });
  const { clock, routers } = needs;
  const session = await applyTopUp(db, { subscriberId, invoiceId: done.invoiceId }, { clock, routers });
  const { say } = shown;
  const booked = subscriber.said.booked(
    say.money(done.charged),
    view.format.weekTime(done.expiresAt),
    say.money(balanceOf(db, { subscriberId })),
  );
  return said(
    visit,
    { kind: "good", title: fairUse.sold(done.packageName), text: `${booked} ${session}` },
    shown.base,
  );
}

const idIn = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined);

export const topUpRoutes = [
  staffPage(PATH, (visit) => {
    permit(visit.by, "topUp");
    return form(shownOf(visit), idIn(visit.query.get("package_id") ?? ""));
  }),
  staffForm(PATH, async (visit, input) => {
    permit(visit.by, "topUp");
    const shown = shownOf(visit);
    const packageId = idIn(textOf(input["package_id"]));
    const isOther = textOf(input["seen_package"]) !== textOf(input["package_id"]);
    if (packageId === undefined || input["when"] === "quote" || isOther) return form(shown, packageId);
    const done = await attempt(visit, () => sell(visit, shown, packageId, input));
    if (!(done instanceof DomainError)) return done;
    if (done.code !== "conflict" && done.code !== "refused") throw done;
    const status = done.code === "conflict" ? 409 : 422;
    return form(shown, packageId, { status, problem: sentence(done.message) });
  }),
];
