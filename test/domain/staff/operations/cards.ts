import { createCardBatch } from "../../../../src/domain/cards/batches.ts";
import {
  ownCards,
  previewCard,
  previewOwnCard,
  redeemCard,
  redeemOwn,
} from "../../../../src/domain/cards/redeem.ts";
import { cardOf } from "../../../support/redeem-cards.ts";
import { act, type Call, done, forSelf, one, through, world } from "./call.ts";

const hour = {
  kind: "access",
  package_id: 1,
  quantity: 1,
  price: "1.00",
  duration: 1,
  duration_unit: "hour",
};

/** Cards: batches have an ISP and may have a branch; a reseller reaches its own. */
export const ofCards = {
  createCardBatch: {
    call: through((db, by) => createCardBatch(db, by, { ...hour, isp_id: 1, branch_id: 11 }, world)),
    operator: done,
    otherIsp: "forbidden",
    otherBranch: "forbidden",
    otherReseller: "forbidden",
  },
  previewCard: act((db, by) => previewCard(db, by, { ...one, code: cardOf(db) }, world)),
  redeemCard: act((db, by) => redeemCard(db, by, { ...one, code: cardOf(db) }, world)),
  previewOwnCard: forSelf((db, by) => previewOwnCard(db, by, { ...one, code: cardOf(db) }, world)),
  redeemOwn: forSelf((db, by) => redeemOwn(db, by, { ...one, code: cardOf(db) }, world)),
  ownCards: forSelf((db, by) => ownCards(db, by, 1)),
} satisfies Record<string, Call>;
