import { previewCard, type RedeemPreview, redeemCard } from "../../../../../domain/service/cards/redeem.ts";
import { cardNumber } from "../../../../../domain/goods/codes/codes.ts";
import { MAX_LENGTH } from "../../../../../domain/service/cards/redeem-plan.ts";
import { CardRefusal } from "../../../../../domain/service/cards/refusal.ts";
import { applyTopUp } from "../../../../../domain/service/control/apply-top-up.ts";
import { DomainError } from "../../../../../domain/core/errors/errors.ts";
import { verbatim } from "../../../../../domain/core/errors/phrase.ts";
import { once } from "../../../../../domain/core/once/once.ts";
import { permit } from "../../../../../domain/core/actor/permissions.ts";
import { subscriberById } from "../../../../../domain/goods/subscribers/find.ts";
import { attempt, told } from "../../../attempt.ts";
import { Button } from "../../../../pages/parts/button.tsx";
import { Field } from "../../../../pages/parts/field.tsx";
import { flash } from "../../../answers.tsx";
import { staffForm, staffPage, type StaffVisit } from "../../../guard.ts";
import { sentence } from "../../../parts/phrases.ts";
import { type PageContext, readPageContext } from "../context.ts";
import { formDrawer, readText } from "./form.tsx";

const PATH = "/console/subscribers/:id/card";

/** The code stays in the field only where it may be mistyped. */
function codeForm(context: PageContext, refused?: { error: DomainError; code: string }): Response {
  const { forms } = context.visit.view.words.subscriber;
  const mayBeMistyped = refused?.error instanceof CardRefusal && refused.error.why === "unknown";
  return formDrawer({
    context,
    to: "card",
    title: forms.cardTitle,
    submit: forms.cardLook,
    status: refused ? (refused.error.kind === "too_soon" ? 429 : 422) : 200,
    children: (
      <Field
        name="code"
        label={forms.cardCode}
        help={forms.cardHelp}
        value={mayBeMistyped ? refused.code : ""}
        fault={refused && sentence(refused.error.message)}
        attributes={{
          autocomplete: "off",
          autocapitalize: "characters",
          spellcheck: "false",
          maxlength: 60,
        }}
      />
    ),
  });
}

function sureForm(context: PageContext, code: string, does: RedeemPreview): Response {
  const { visit, phrases, base } = context;
  const { forms } = visit.view.words.subscriber;
  const { activation, balance, balanceAfter, credited, cardId } = does;
  const until = (at: number) => visit.view.format.weekTime(at);
  return formDrawer({
    context,
    to: "card",
    title: forms.cardTitle,
    submit: forms.cardRedeem,
    beside: (
      <Button href={`${base}/card`} kind="quiet" drawer>
        {forms.cardOther}
      </Button>
    ),
    children: (
      <>
        <p>
          {activation
            ? (activation.isTopUp ? forms.cardTopsUp : forms.cardActivates)(
                cardNumber(cardId),
                activation.packageName,
              )
            : forms.cardFills(cardNumber(cardId), phrases.money(credited))}
        </p>
        {activation && activation.cutsShort !== null && (
          <div class="card verdict warn">
            <div class="verdict-body">
              <p>{forms.cardCuts(until(activation.cutsShort))}</p>
            </div>
          </div>
        )}
        <div class="sums">
          <div>
            <span>{forms.balance}</span>
            <span>{phrases.money(balance)}</span>
          </div>
          <div>
            <span>{forms.cardBrings}</span>
            <span>{phrases.money(credited)}</span>
          </div>
          {activation && (
            <div>
              <span>{`${forms.costs}${visit.view.words.list.colon}${activation.packageName}`}</span>
              <span>{phrases.money(-credited)}</span>
            </div>
          )}
          <div class="total">
            <span>{forms.after}</span>
            <span>{phrases.money(balanceAfter)}</span>
          </div>
          {activation && (
            <div>
              <span>{forms.runs}</span>
              <strong>{until(activation.expiresAt)}</strong>
            </div>
          )}
        </div>
        <input type="hidden" name="code" value={code} />
        <input type="hidden" name="sure" value="1" />
        <input type="hidden" name="key" value={crypto.randomUUID()} />
      </>
    ),
  });
}

/** Redeems once for the form's key. The key stands for the code, which is stored nowhere. */
function redeemOnce(visit: StaffVisit, subscriberId: number, code: string, key: string) {
  const { db, by, now, path } = visit;
  const keyed = { path, key: key === "" ? crypto.randomUUID() : key, input: { subscriberId } };
  return once(db, by, keyed, { now }, (tx) => {
    permit(by, "redeemCard");
    subscriberById(tx, by.scope, subscriberId);
    return () => redeemCard(tx, by, { subscriberId, code }, { now });
  });
}

export const cardRoutes = [
  staffPage(PATH, (visit) => {
    permit(visit.by, "redeemCard");
    return codeForm(readPageContext(visit));
  }),
  staffForm(PATH, async (visit, input) => {
    permit(visit.by, "redeemCard");
    const context = readPageContext(visit);
    const { db, by, now, view, needs } = visit;
    const { id: subscriberId } = context.head.subscriber;
    const { said: words } = view.words.subscriber;
    const code = readText(input["code"]).slice(0, MAX_LENGTH);
    const guesser = { holder: `staff ${by.staffId ?? 0}`, ispId: by.scope.ispId, address: by.source };
    if (code === "")
      return codeForm(context, { error: new DomainError("invalid", verbatim(words.cardEmpty)), code });
    if (input["sure"] !== "1") {
      const order = { subscriberId, code };
      const does = await attempt(visit, async () =>
        needs.guesses.count(guesser, () => previewCard(db, by, order, { now })),
      );
      return does instanceof DomainError
        ? codeForm(context, { error: does, code })
        : sureForm(context, code, does);
    }
    const key = readText(input["key"]);
    const done = await attempt(visit, async () =>
      needs.guesses.count(guesser, () => redeemOnce(visit, subscriberId, code, key)),
    );
    if (done instanceof DomainError) return codeForm(context, { error: done, code });
    const { activated, credited, balance } = done;
    const { clock, routers } = needs;
    const session =
      activated &&
      (await applyTopUp(db, { subscriberId, invoiceId: activated.invoiceId }, { clock, routers }));
    const text = activated
      ? (activated.isTopUp ? words.cardToppedUp : words.cardActivated)(
          activated.packageName,
          view.format.weekTime(activated.expiresAt),
        )
      : words.cardFilled(context.phrases.money(credited), context.phrases.money(balance));
    return flash(
      visit,
      {
        kind: "good",
        title: words.cardRedeemed(cardNumber(done.cardId)),
        text: [text, session && told(view, session)].filter(Boolean).join(" "),
      },
      context.base,
    );
  }),
];
