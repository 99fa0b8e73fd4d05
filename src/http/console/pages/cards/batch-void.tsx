import { type BatchRecord, cardBatchById } from "../../../../domain/service/cards/batch-list.ts";
import { listCards } from "../../../../domain/service/cards/list.ts";
import { printedBatch } from "../../../../domain/service/cards/print.ts";
import { voidCardBatch } from "../../../../domain/desk/card-sales/void.ts";
import { requireFlag } from "../../../../domain/core/actor/actor.ts";
import type { StaffVisit } from "../../guard.ts";
import type { ConsoleView } from "../../view.ts";
import { form } from "../../parts/form.tsx";
import { packageOrRefill } from "../../parts/card-gives.ts";
import { ispView } from "../../parts/isp-view.ts";
import { readBatchId } from "./paths.ts";
import { batchHref, BATCHES } from "../../parts/hrefs.ts";
import { readReason, reasonField } from "./reason.tsx";

function readBatch(visit: StaffVisit): BatchRecord {
  requireFlag(visit.by, "card_void");
  return cardBatchById(visit.db, visit.by, readBatchId(visit), { now: visit.now });
}

export const batchVoid = form({
  path: `${BATCHES}/:id/void`,
  of: readBatch,
  content: (visit, batch) => {
    const { db, by, now } = visit;
    const view = ispView(visit, batch.ispId);
    const { batch: phrases } = view.words.cards;
    const left = listCards(db, by, { batchId: batch.id, state: "new" }, { limit: 1, offset: 0, now }).total;
    const question = {
      title: phrases.voidTitle(printedBatch(batch)),
      lead: packageOrRefill(view, batch),
      place: "cards" as const,
      back: batchHref(batch.id),
      danger: true,
    };
    if (left === 0) return { ...question, text: <p>{phrases.voidNothing}</p> };
    const kept = batch.counts.sold + batch.counts.active;
    const text = (
      <>
        <p>{phrases.voidLead(left)}</p>
        <p>{moneyBack(view, batch, left)}</p>
        {kept > 0 && <p class="soft-text">{phrases.voidKeeps(kept)}</p>}
      </>
    );
    const submit = phrases.voidConfirm(left);
    return { ...question, text, submit, fields: [reasonField(view)] };
  },
  save: ({ db, by, now }, { id }, values) =>
    voidCardBatch(db, by, { id, reason: readReason(values) }, { now }),
  done: (visit, { voided, givenBack }, { ispId, resellerName }) => {
    const { words, format, brand } = ispView(visit, ispId);
    const { batch: phrases } = words.cards;
    const sum = format.sum(givenBack, brand.currency);
    return {
      title: phrases.voidDone(voided),
      text: givenBack > 0 ? phrases.gaveBack(format.name(resellerName ?? ""), sum) : phrases.voidNoMoney,
    };
  },
});

function moneyBack(view: ConsoleView, batch: BatchRecord, left: number): string {
  const { batch: phrases } = view.words.cards;
  const { chargeOn, resellerName, resellerPrice } = batch;
  const sum = (resellerPrice ?? 0) * left;
  if (chargeOn !== "handover" || resellerName === null || sum === 0) return phrases.voidNoMoney;
  return phrases.voidGivesBack(view.format.name(resellerName), view.format.sum(sum, view.brand.currency));
}
