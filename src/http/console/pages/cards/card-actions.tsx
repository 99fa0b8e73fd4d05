import { cardNumber } from "../../../../domain/goods/codes/codes.ts";
import { endSessionsOfCard } from "../../../../domain/service/enforcement/end-sessions.ts";
import { unlockCard } from "../../../../domain/service/cards/unlock.ts";
import { voidCard } from "../../../../domain/desk/card-sales/void.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { requireFlag } from "../../../../domain/core/actor/actor.ts";
import { attempt } from "../../attempt.ts";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { drawer, said } from "../../answers.tsx";
import { DrawerForm } from "../../drawer-form.tsx";
import type { StaffVisit } from "../../guard.ts";
import { type Typed, typedIn } from "../money/keyed.tsx";
import { shownOf } from "./card.tsx";
import { cardHref, cardIdOf } from "./paths.ts";
import { ReasonField, reasonOf } from "./reason.tsx";
import type { Shown } from "./verdict.ts";

/** Lets the next device take the place of the one that it is locked to. */
export async function unlock(visit: StaffVisit): Promise<Response> {
  const { db, by, now, view } = visit;
  const id = cardIdOf(visit);
  const { card: say } = view.words.cards;
  const done = await attempt(visit, async () => unlockCard(db, by, { id }, { now }));
  if (!(done instanceof DomainError))
    return said(
      visit,
      { kind: "good", title: say.unlocked(cardNumber(id)), text: say.unlockedText },
      cardHref(id),
    );
  if (done.code === "not_found" || done.code === "forbidden") throw done;
  return said(visit, { kind: "bad", title: say.notUnlocked, text: done.message }, cardHref(id));
}

/** Says what is given back and what ends, before a card becomes void. */
export function askVoid(visit: StaffVisit): Response {
  requireFlag(visit.by, "card_void");
  return voidDrawer(visit, shownOf(visit), () => "");
}

function voidDrawer(visit: StaffVisit, shown: Shown, typed: Typed, refused?: DomainError): Response {
  const { view } = shown;
  const { card: say } = view.words.cards;
  const { id, state } = shown.card;
  return drawer(visit, {
    title: say.voidTitleOf(cardNumber(id)),
    place: "cards",
    back: cardHref(id),
    status: refused && !visit.isPart ? 422 : 200,
    children: (
      <DrawerForm action={`${cardHref(id)}/void`} visit={visit}>
        <div class="drawer-body">
          {refused && <Note kind="bad">{refused.message}</Note>}
          <p>{state === "active" ? say.voidActive : say.voidNew}</p>
          {followsOf(shown).map((text) => (
            <p>{text}</p>
          ))}
          <ReasonField view={view} typed={typed} refused={refused} />
        </div>
        <footer class="drawer-foot">
          <Button kind="danger" size="large" disabled={state === "void"}>
            {say.voidPress}
          </Button>
        </footer>
      </DrawerForm>
    ),
  });
}

/** What making it void does in money, and on the routers. */
function followsOf({ view, card, batch, lately }: Shown): string[] {
  const { card: say } = view.words.cards;
  const { format, brand } = view;
  if (card.state === "active") {
    const open = lately.sessions.filter(({ stoppedAt }) => stoppedAt === null);
    const where = [...new Set(open.map(({ nasName }) => format.name(nasName)))].join(", ");
    return card.online > 0 ? [say.voidSessions(card.online, where)] : [];
  }
  const { payment } = lately;
  const own = batch.resellerPrice ?? 0;
  const told: string[] = [];
  if (payment) told.push(say.voidBuyer(format.sum(payment.amount, payment.currency), payment.number));
  if (card.chargedAt !== null && own > 0)
    told.push(say.voidReseller(format.name(batch.resellerName ?? ""), format.sum(own, brand.currency)));
  return told.length > 0 ? told : [say.voidNoMoney];
}

/** Makes it void, ends its sessions, and says what was given back and what routers answered. */
export async function makeVoid(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, needs } = visit;
  requireFlag(by, "card_void");
  const shown = shownOf(visit);
  const { view } = shown;
  const { id } = shown.card;
  const done = await attempt(visit, async () => voidCard(db, by, { id, reason: reasonOf(input) }, { now }));
  if (done instanceof DomainError) return voidDrawer(visit, shown, typedIn(input), done);
  const { ended, failures } = await endSessionsOfCard(db, by, { cardId: id }, needs);
  const { card: say } = view.words.cards;
  const { format, brand } = view;
  const who = format.name(shown.batch.resellerName ?? "");
  const text = [
    ...(done.payment ? [say.handBack(format.sum(done.payment.amount, done.payment.currency))] : []),
    ...(done.givenBack > 0 ? [say.gaveBack(who, format.sum(done.givenBack, brand.currency))] : []),
    ...(ended > 0 ? [say.ended(ended)] : []),
    ...(failures.length > 0 ? [say.notEnded(failures.slice(0, 3).join("; "))] : []),
  ];
  return said(
    visit,
    {
      kind: failures.length > 0 ? "bad" : "good",
      title: say.voidDone(cardNumber(id)),
      text: text.length > 0 ? text.join(" ") : say.voidNoMoney,
    },
    cardHref(id),
  );
}
