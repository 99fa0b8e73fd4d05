import { everything } from "../../../../../src/domain/core/actor/operator.ts";
import { topUpOwn } from "../../../../../src/domain/service/activation/top-up.ts";
import { cardBatchById, listCardBatches } from "../../../../../src/domain/service/cards/batch-list.ts";
import { createCardBatch, planCardBatch } from "../../../../../src/domain/service/cards/batches.ts";
import { cardChoices } from "../../../../../src/domain/service/cards/choices.ts";
import { findCard } from "../../../../../src/domain/service/cards/find.ts";
import { cardLately, cardSessions } from "../../../../../src/domain/service/cards/lately.ts";
import { cardById, findCardRow, listCards } from "../../../../../src/domain/service/cards/list.ts";
import { printableBatch, printCards, reprintCard } from "../../../../../src/domain/service/cards/print.ts";
import {
  ownCards,
  previewCard,
  previewOwnCard,
  redeemCard,
  redeemOwn,
} from "../../../../../src/domain/service/cards/redeem.ts";
import { sellCard, sellCards } from "../../../../../src/domain/desk/card-sales/sell.ts";
import { cardStock } from "../../../../../src/domain/service/cards/stock.ts";
import {
  cardTemplateById,
  createCardTemplate,
  deleteCardTemplate,
  listCardTemplates,
  updateCardTemplate,
} from "../../../../../src/domain/service/cards/templates.ts";
import { unlockCard } from "../../../../../src/domain/service/cards/unlock.ts";
import { voidCard, voidCardBatch } from "../../../../../src/domain/desk/card-sales/void.ts";
import {
  act,
  type Call,
  done,
  forSelf,
  KNOWN_CODE,
  nowhere,
  one as holder,
  read,
  through,
  world,
  write,
} from "./call.ts";

const hour = {
  kind: "access",
  package_id: 1,
  quantity: 1,
  price: "1.00",
  duration: 1,
  duration_unit: "hour",
};

const page = { limit: 100, offset: 0 };
const ofIspOne = { otherIsp: [], otherBranch: [], otherReseller: [] };
const one = { id: 1, reason: "lost" };
const range = { batchId: 1, from: 1, to: 2 };
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
  listCardBatches: {
    call: (db, by) => listCardBatches(db, by, page, world).records.map(({ id }) => id),
    operator: [2, 1],
    ...ofIspOne,
  },
  cardBatchById: act((db, by) => cardBatchById(db, by, 1, world)),
  voidCardBatch: act((db, by) => voidCardBatch(db, by, one, world)),
  listCards: {
    call: (db, by) => listCards(db, by, {}, { ...page, ...world }).records.map(({ id }) => id),
    operator: [1, 2, 3],
    ...ofIspOne,
  },
  cardById: act((db, by) => cardById(db, by, 1, world)),
  findCard: act((db, by) => findCard(db, by, "0001-002", world)),
  // nobody has a till at the command line
  sellCard: {
    ...act((db, by) => sellCard(db, by, { id: 1, method: "cash" }, world)),
    operator: "refused",
    ispOne: done,
  },
  sellCards: {
    ...act((db, by) => sellCards(db, by, { batchId: 1, first: 1, last: 1, method: "cash" }, world)),
    operator: "refused",
    ispOne: done,
  },
  unlockCard: act((db, by) => unlockCard(db, by, { id: 2 }, world)),
  voidCard: act((db, by) => voidCard(db, by, one, world)),
  printableBatch: act((db, by) => printableBatch(db, by, { batchId: 1 })),
  printCards: act((db, by) => printCards(db, by, range, world)),
  reprintCard: act((db, by) => reprintCard(db, by, { id: 1 }, world)),
  listCardTemplates: {
    call: (db, by) => listCardTemplates(db, by).map(({ name }) => name),
    operator: ["Kiosk"],
    otherIsp: [],
  },
  cardTemplateById: {
    call: through((db, by) => cardTemplateById(db, by, first)),
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
  previewCard: act((db, by) => previewCard(db, by, { ...holder, code: KNOWN_CODE }, world)),
  redeemCard: act((db, by) => redeemCard(db, by, { ...holder, code: KNOWN_CODE }, world)),
  previewOwnCard: forSelf((db, by) => previewOwnCard(db, by, { ...holder, code: KNOWN_CODE }, world)),
  // it has seen another invoice than there is
  topUpOwn: {
    ...forSelf((db, by) =>
      topUpOwn(db, by, { subscriberId: 1, packageId: 1, price: 100, after: 1e9 }, world),
    ),
    operator: "conflict",
  },
  redeemOwn: forSelf((db, by) => redeemOwn(db, by, { ...holder, code: KNOWN_CODE }, world)),
  ownCards: forSelf((db, by) => ownCards(db, by, 1)),
  planCardBatch: {
    call: through((db, by) => planCardBatch(db, by, { ...hour, isp_id: 1, branch_id: 11 }, world)),
    operator: done,
    otherIsp: "forbidden",
    otherBranch: "forbidden",
    otherReseller: "forbidden",
  },
  cardStock: {
    call: (db, by) => cardStock(db, by, world).map(({ left }) => left),
    operator: [1, 1],
    ...ofIspOne,
  },
  cardChoices: {
    call: (db, by) =>
      cardChoices(db, by)
        .packages.map(({ id }) => id)
        .toSorted((a, b) => a - b),
    operator: [1, 2, 9],
    ispOne: [1, 2],
    otherIsp: [9],
  },
  cardLately: act((db, by) => cardLately(db, by, findCardRow(db, everything, 1, world.now))),
  cardSessions: act((db, by) =>
    cardSessions(db, by, findCardRow(db, everything, 1, world.now), { limit: 9, offset: 0 }),
  ),
} satisfies Record<string, Call>;
