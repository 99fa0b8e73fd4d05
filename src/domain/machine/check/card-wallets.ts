import type { Db } from "../../../../db/open.ts";
import { belowLimitNow, belowLimitWords } from "../../service/cards/below-limit.ts";
import { type Finding, warning } from "./finding.ts";

/** Resellers who sell no cards because used ones took their wallets below the limit. */
export function checkCardWallets(db: Pick<Db, "$client">): Finding[] {
  return belowLimitNow(db).map((account) => {
    const { username } = account;
    const named = /^[\w.@-]+$/.test(username) ? username : `"${username}"`;
    return warning(
      "cards",
      `${belowLimitWords(account)}; take one: gatehouse payment take ${named} AMOUNT --staff`,
      "card_wallet",
      { name: account.name },
    );
  });
}
