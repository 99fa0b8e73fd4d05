import { createCardBatch } from "../../../../src/domain/cards/batches.ts";
import type { Db } from "../../../../db/open.ts";
import { printableBatch, printCards, reprintCard } from "../../../../src/domain/cards/print.ts";
import {
  cardTemplateOfId,
  createCardTemplate,
  deleteCardTemplate,
  listCardTemplates,
  updateCardTemplate,
} from "../../../../src/domain/cards/templates.ts";
import { cli } from "../../../support/people.ts";
import { act, type Call, done, nowhere, read, through, world, write } from "./call.ts";

const hour = {
  kind: "access",
  package_id: 1,
  quantity: 1,
  price: "1.00",
  duration: 1,
  duration_unit: "hour",
};

/** A batch of branch 11 that the reseller 2 holds. */
const batchOf = (db: Db) => {
  const handed = { reseller_id: 2, reseller_price: "0.80" };
  const input = { ...hour, ...handed, isp_id: 1, branch_id: 11 };
  return { batchId: createCardBatch(db, cli, input, world).batch.id };
};
const range = { from: 1, to: 1 };
const template = { name: "Hour", sheet: "a4-10" };
const templateOf = (db: Db) => ({
  id: createCardTemplate(db, cli, { ...template, isp_id: 1 }, world).id ?? 0,
});

/** Cards: batches have an ISP and may have a branch; a reseller reaches its own. */
export const ofCards = {
  createCardBatch: {
    call: through((db, by) => createCardBatch(db, by, { ...hour, isp_id: 1, branch_id: 11 }, world)),
    operator: done,
    otherIsp: "forbidden",
    otherBranch: "forbidden",
    otherReseller: "forbidden",
  },
  printableBatch: act((db, by) => printableBatch(db, by, batchOf(db))),
  printCards: act((db, by) => printCards(db, by, { ...batchOf(db), ...range }, world)),
  reprintCard: act((db, by) => {
    batchOf(db);
    return reprintCard(db, by, { id: 1 }, world);
  }),
  listCardTemplates: {
    call: (db, by) => {
      templateOf(db);
      return listCardTemplates(db, by).map(({ name }) => name);
    },
    operator: ["Hour"],
    otherIsp: [],
  },
  cardTemplateOfId: {
    call: through((db, by) => cardTemplateOfId(db, by, templateOf(db))),
    operator: done,
    ...read,
  },
  createCardTemplate: {
    call: through((db, by) => createCardTemplate(db, by, { ...template, isp_id: 1 }, world)),
    operator: done,
    ...nowhere,
  },
  updateCardTemplate: write((db, by) =>
    updateCardTemplate(db, by, { ...templateOf(db), input: { name: "Day" } }, world),
  ),
  deleteCardTemplate: write((db, by) => deleteCardTemplate(db, by, templateOf(db), world)),
} satisfies Record<string, Call>;
