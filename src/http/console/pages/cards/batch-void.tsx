import { type BatchRecord, cardBatchById } from "../../../../domain/service/cards/batch-list.ts";
import { listCards } from "../../../../domain/service/cards/list.ts";
import { paperBatch } from "../../../../domain/service/cards/print.ts";
import { voidCardBatch } from "../../../../domain/desk/card-sales/void.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { requireFlag } from "../../../../domain/core/actor/actor.ts";
import { attempt } from "../../attempt.ts";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { drawer, said } from "../../answers.tsx";
import { DrawerForm } from "../../drawer-form.tsx";
import type { StaffVisit } from "../../guard.ts";
import type { ConsoleView } from "../../view.ts";
import type { Typed } from "../money/keyed.tsx";
import { typedIn } from "../money/keyed.tsx";
import { nameOf } from "./gives.ts";
import { viewOf } from "./of-isp.ts";
import { batchHref, batchIdOf } from "./paths.ts";
import { ReasonField, reasonOf } from "./reason.tsx";

function batchOf(visit: StaffVisit): BatchRecord {
  requireFlag(visit.by, "card_void");
  return cardBatchById(visit.db, visit.by, batchIdOf(visit), { now: visit.now });
}

/** Says what becomes void, what does not, and what it does in money. */
export function askVoidBatch(visit: StaffVisit): Response {
  return voidDrawer(visit, batchOf(visit), () => "");
}

function voidDrawer(visit: StaffVisit, batch: BatchRecord, typed: Typed, refused?: DomainError): Response {
  const { db, by, now } = visit;
  const view = viewOf(visit, batch.ispId);
  const { batch: say } = view.words.cards;
  const { format } = view;
  const left = listCards(db, by, { batchId: batch.id, state: "new" }, { limit: 1, offset: 0, now }).total;
  const { sold, active } = batch.counts;
  const kept = sold + active;
  const status = refused && !visit.isPart ? 422 : 200;
  return drawer(visit, {
    title: say.voidTitle(paperBatch(batch)),
    lead: nameOf(view, batch),
    place: "cards",
    back: batchHref(batch.id),
    status,
    children: (
      <DrawerForm action={`${batchHref(batch.id)}/void`} visit={visit}>
        <div class="drawer-body">
          {refused && <Note kind="bad">{refused.message}</Note>}
          {left === 0 ? (
            <p>{say.voidNothing}</p>
          ) : (
            <>
              <p>{say.voidLead(format.number(left), left === 1)}</p>
              <p>{moneyBack(view, batch, left)}</p>
              {kept > 0 && <p class="soft-text">{say.voidKeeps(format.number(kept), kept === 1)}</p>}
              <ReasonField view={view} typed={typed} refused={refused} />
            </>
          )}
        </div>
        <footer class="drawer-foot">
          <Button kind="danger" size="large" disabled={left === 0}>
            {say.voidConfirm(format.number(left), left === 1)}
          </Button>
        </footer>
      </DrawerForm>
    ),
  });
}

function moneyBack(view: ConsoleView, batch: BatchRecord, left: number): string {
  const { batch: say } = view.words.cards;
  const { chargeOn, resellerName, resellerPrice } = batch;
  const sum = (resellerPrice ?? 0) * left;
  if (chargeOn !== "handover" || resellerName === null || sum === 0) return say.voidNoMoney;
  return say.voidGivesBack(view.format.name(resellerName), view.format.sum(sum, view.brand.currency));
}

export async function voidBatch(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now } = visit;
  const batch = batchOf(visit);
  const view = viewOf(visit, batch.ispId);
  const done = await attempt(visit, async () =>
    voidCardBatch(db, by, { id: batch.id, reason: reasonOf(input) }, { now }),
  );
  if (done instanceof DomainError) return voidDrawer(visit, batch, typedIn(input), done);
  const { batch: say } = view.words.cards;
  const sum = view.format.sum(done.givenBack, view.brand.currency);
  return said(
    visit,
    {
      kind: "good",
      title: say.voidDone(view.format.number(done.voided), done.voided === 1),
      text:
        done.givenBack > 0 ? say.gaveBack(view.format.name(batch.resellerName ?? ""), sum) : say.voidNoMoney,
    },
    batchHref(batch.id),
  );
}
