import { createCardBatch } from "../../../../src/domain/cards/batches.ts";
import { printableBatch, printCards, reprintCard } from "../../../../src/domain/cards/print.ts";
import {
  cardTemplateOfId,
  createCardTemplate,
  deleteCardTemplate,
  listCardTemplates,
  updateCardTemplate,
} from "../../../../src/domain/cards/templates.ts";
import { act, type Call, done, nowhere, read, through, world, write } from "./call.ts";

const hour = {
  kind: "access",
  package_id: 1,
  quantity: 1,
  price: "1.00",
  duration: 1,
  duration_unit: "hour",
};

const template = { name: "Hour", sheet: "a4-10" };
const first = { id: 1 };

/** Cards: batches have an ISP and may have a branch; a reseller reaches its own. */
export const ofCards = {
  createCardBatch: {
    call: through((db, by) => createCardBatch(db, by, { ...hour, isp_id: 1, branch_id: 11 }, world)),
    operator: done,
    otherIsp: "forbidden",
    otherBranch: "forbidden",
    otherReseller: "forbidden",
  },
  printableBatch: act((db, by) => printableBatch(db, by, { batchId: 1 })),
  printCards: act((db, by) => printCards(db, by, { batchId: 1, from: 1, to: 3 }, world)),
  reprintCard: act((db, by) => reprintCard(db, by, first, world)),
  listCardTemplates: {
    call: (db, by) => listCardTemplates(db, by).map(({ name }) => name),
    operator: ["Kiosk"],
    otherIsp: [],
  },
  cardTemplateOfId: {
    call: through((db, by) => cardTemplateOfId(db, by, first)),
    operator: done,
    ...read,
  },
  createCardTemplate: {
    call: through((db, by) => createCardTemplate(db, by, { ...template, isp_id: 1 }, world)),
    operator: done,
    ...nowhere,
  },
  updateCardTemplate: write((db, by) =>
    updateCardTemplate(db, by, { ...first, input: { name: "Day" } }, world),
  ),
  deleteCardTemplate: write((db, by) => deleteCardTemplate(db, by, first, world)),
} satisfies Record<string, Call>;
