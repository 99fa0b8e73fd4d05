import { count, type Store } from "./count.ts";
import { damaged, type Finding, ok } from "./finding.ts";

/** Kept counts of cards by state, and their moves. */
export function checkCards(db: Store): Finding[] {
  return [checkCounts(db), checkMoves(db)];
}

function checkCounts(db: Store): Finding {
  const counted = `SELECT batch_id, sum(state = 'sold'), sum(state = 'active'), sum(state = 'void'),
      sum(state = 'active' AND ends_at IS NULL AND used_up_at IS NULL), sum(state = 'active' AND ends_at IS NULL AND used_up_at IS NOT NULL)
    FROM cards GROUP BY batch_id HAVING sum(state <> 'new') > 0`;
  const kept = `SELECT batch_id, sold, active, void, unending, unending_used_up FROM card_counts WHERE sold + active + void > 0`;
  const { rows, wrong, first } = count(db, differences("card_batches", "batch_id", { kept, counted }));
  if (wrong === 0) return ok("cards", `${rows} batches have as many of each kind as is counted`);
  return damaged(
    "cards",
    `${wrong} counts are not those of their cards, the first of batch ${first}; restore the last backup`,
    wrong,
  );
}

const KEYS = "isp_id, branch_id, kind, package_id, price, part, reseller_id, seller_id";

/** Moves over all days: the day of a time depends on the zone of then. */
function checkMoves(db: Store): Finding {
  const counted = `SELECT b.isp_id, ifnull(b.branch_id, 0), b.kind, ifnull(b.package_id, 0), b.price, ifnull(b.reseller_price, b.price),
      ifnull(b.reseller_id, 0), coalesce(c.sold_by, b.reseller_id, 0), sum(coalesce(c.sold_at, c.first_used_at) IS NOT NULL), sum(c.first_used_at IS NOT NULL),
      sum(c.voided_at IS NOT NULL), sum(c.voided_at IS NOT NULL AND c.sold_at IS NOT NULL AND c.first_used_at IS NULL)
    FROM cards c JOIN card_batches b ON b.id = c.batch_id WHERE c.state <> 'new' GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`;
  const kept = `SELECT ${KEYS}, sum(sold), sum(used), sum(void), sum(returned) FROM card_days GROUP BY ${KEYS}
    HAVING sum(sold) + sum(used) + sum(void) > 0`;
  const { rows, wrong, first } = count(db, differences("card_days", "isp_id", { kept, counted }));
  if (wrong === 0) return ok("card sums", `${rows} sums of days are those of the cards`);
  return damaged(
    "card sums",
    `${wrong} sums of what became of cards are not those of the cards, the first of ISP ${first}; restore the last backup`,
    wrong,
  );
}

function differences(
  table: string,
  first: string,
  { kept, counted }: { kept: string; counted: string },
): string {
  return `WITH counted AS MATERIALIZED (${counted}), kept AS MATERIALIZED (${kept})
    SELECT (SELECT count(*) FROM ${table}) AS rows, count(*) AS wrong, min(${first}) AS first FROM (
      SELECT * FROM (SELECT * FROM kept EXCEPT SELECT * FROM counted)
      UNION ALL SELECT * FROM (SELECT * FROM counted EXCEPT SELECT * FROM kept))`;
}
