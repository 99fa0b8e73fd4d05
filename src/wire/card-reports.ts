import { from, oneOf, to } from "../domain/core/fields/fields.ts";
import { reportCardStock } from "../domain/around/reports/card-stock.ts";
import { cardDivisions, reportCards } from "../domain/around/reports/cards.ts";
import { amount, id, ispMoney, number, onlyBy, period, someText, text } from "./report-columns.ts";
import { declareReport, type RowOf } from "./report.ts";

type Stock = RowOf<typeof reportCardStock>;
type Cards = RowOf<typeof reportCards>;

const northlink = { isp_id: 1, isp: "Northlink", currency: "USD" };

const stock = declareReport<Stock>()({
  name: "card_stock",
  operation: "reportCardStock",
  summary: "How many cards there are of each package",
  description:
    "As they are now: to be sold (and what these cost), sold and not used, in use, used up or over by the clock, over before anybody bought them (and what these would have brought), over after they were sold and before anybody used them, void. Refills have no package. A Reseller sees the batches that it holds.",
  filters: {},
  columns: {
    ...ispMoney<Stock>(),
    package_id: id((row) => row.packageId),
    package: someText((row) => row.package),
    kind: text((row) => row.kind),
    unsold: number((row) => row.new),
    worth: amount((row) => row.worth),
    sold_cards: number((row) => row.sold),
    in_use: number((row) => row.active),
    used_up: number((row) => row.usedUp),
    expired_unsold: number((row) => row.expired),
    expired_worth: amount((row) => row.lost),
    expired_sold: number((row) => row.unused),
    void_cards: number((row) => row.void),
  },
  example: {
    ...northlink,
    package_id: 7,
    package: "Hotspot day",
    kind: "access",
    unsold: 120,
    worth: 600,
    sold_cards: 30,
    in_use: 41,
    used_up: 290,
    expired_unsold: 12,
    expired_worth: 60,
    expired_sold: 3,
    void_cards: 7,
  },
  rows: ({ db, by, now }) => reportCardStock(db, by, { now }).rows,
});

const cards = declareReport<Cards>()({
  name: "cards",
  operation: "reportCards",
  summary: "Cards that were made, sold, first used and made void",
  description:
    "Of the days from `from` to `to` (this month; at most three years), by `day`, `package` or `seller` (`by`, the day unless it is said). The first use of a card that nobody sold before is its sale, by the Reseller that holds its batch. `amount` is the price of those sold, `of_isp` what of it is the ISP's where a Reseller sold them. Days that are over stay as they were: a card that becomes void counts as that on its own day, and `returned` is the price of those that had been sold and not used. A Reseller sees the batches that it holds.",
  filters: { from, to, by: oneOf(...cardDivisions) },
  columns: {
    ...onlyBy("day", { day: period<Cards>((row) => row.id) }),
    ...ispMoney<Cards>(),
    ...onlyBy("package", {
      package_id: id<Cards>((row) => row.id),
      package: someText((row) => row.name),
    }),
    ...onlyBy("seller", { seller_id: id<Cards>((row) => row.id), seller: someText((row) => row.name) }),
    made: number((row) => row.made),
    sold_cards: number((row) => row.sold),
    used: number((row) => row.used),
    amount: amount((row) => row.amount),
    of_isp: amount((row) => row.ofIsp),
    void_cards: number((row) => row.void),
    returned: amount((row) => row.returned),
  },
  example: {
    day: "2030-01-15",
    ...northlink,
    made: 500,
    sold_cards: 62,
    used: 58,
    amount: 310,
    of_isp: 279,
    void_cards: 4,
    returned: 5,
  },
  by: (values) => [values.by ?? "day"],
  usual: () => "month",
  rows: ({ db, by, range, isps }, values) =>
    reportCards(db, by, { ...range, by: values.by ?? "day" }, isps).rows,
});

export const cardReports = [stock, cards];
