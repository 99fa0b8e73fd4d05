import { phrase } from "../../core/errors/phrase.ts";
import { Type } from "@sinclair/typebox";
import { cardKinds } from "../../../../db/schema.ts";
import {
  field,
  type Field,
  flag,
  id,
  oneOf,
  price,
  scopeId,
  text,
  time,
  wholeNumber,
} from "../../core/fields/fields.ts";

const prefix: Field<string> = field(
  Type.String({ maxLength: 8 }),
  phrase`must be up to 8 letters and digits`,
  (value) => (/^[A-Za-z0-9]{1,8}$/.test(value) ? value.toUpperCase() : undefined),
);

const alphabet: Field<string> = field(
  Type.String({ maxLength: 36 }),
  phrase`must be 10 to 36 different letters and digits, in one case`,
  (value) => {
    // sorted, so that the same alphabet is the same form
    const symbols = [...value.toUpperCase()].sort().join("");
    const isEach = new Set(symbols).size === symbols.length;
    return /^[A-Z0-9]{10,36}$/.test(symbols) && isEach ? symbols : undefined;
  },
);

/** Fields of a batch; see `cardBatches` of the schema. */
export const batchFields = {
  isp_id: {
    ...scopeId,
    meaning:
      "The ISP whose cards they are; the operator of the box names it where a batch is made and there are several.",
  },
  branch_id: {
    ...scopeId,
    meaning:
      "The branch whose staff see and sell them, and whose subscribers redeem them; 0: the whole ISP. Logins do not ask for it, for routers are the whole ISP's.",
    placeholder: "id",
  },
  kind: {
    ...oneOf(...cardKinds),
    meaning: "`access`: logs in; `refill`: brings its price into a wallet; `package`: activates the package.",
  },
  package_id: { ...id, meaning: "The package whose terms they have, or that they activate; null: a refill." },
  quantity: { ...wholeNumber(1, 10_000), meaning: "How many cards." },
  prefix: { ...prefix, meaning: "What every code of the batch begins with.", placeholder: "text" },
  length: {
    ...wholeNumber(1, 24),
    meaning: "How many symbols follow the prefix; left out, as many as it takes that nobody guesses one.",
    placeholder: "count",
  },
  alphabet: {
    ...alphabet,
    meaning: "The symbols of codes; left out, those that nobody mistakes for another on paper.",
    placeholder: "symbols",
  },
  price: {
    ...price,
    meaning: "What a buyer pays for a card, and what a refill brings.",
    placeholder: "amount",
  },
  reseller_id: {
    ...id,
    meaning: "The Reseller who holds the batch and sells its cards; null: staff of the ISP do.",
  },
  reseller_price: { ...price, meaning: "What the Reseller pays for a card.", placeholder: "amount" },
  charge_on: {
    ...oneOf("handover", "use"),
    meaning: "When: `handover` for all of them when they are made, `use` for each when it is first used.",
    placeholder: "when",
  },
  needs_sale: {
    ...flag,
    meaning: "1: a card opens nothing before it is sold; 0: its first use is its sale.",
    placeholder: "0|1",
  },
  sell_by: { ...time, meaning: "When new cards end.", placeholder: "time" },
  use_by: { ...time, meaning: "When sold cards end that nobody used; null: never.", placeholder: "time" },
  by_clock: {
    ...flag,
    meaning: "0: cards do not end by the clock once they are used, but by time online or volume alone.",
    placeholder: "0|1",
  },
  duration: {
    ...wholeNumber(1, 10_000),
    meaning: "How many hours, days or months they last from their first use; null: not by the clock.",
    placeholder: "count",
  },
  duration_unit: {
    ...oneOf("hour", "day", "month"),
    meaning: "`hour`, `day` or `month`; months are those of the calendar.",
    placeholder: "unit",
  },
  uptime_seconds: {
    ...wholeNumber(60, 316_224_000),
    meaning: "How long online they last, over all sessions; null: no such bound.",
    placeholder: "seconds",
  },
  data_quota_bytes: {
    ...wholeNumber(0, Number.MAX_SAFE_INTEGER),
    meaning: "How much they carry, up plus down; 0: no limit.",
    placeholder: "bytes",
  },
  devices: { ...wholeNumber(1, 1000), meaning: "How many devices at a time.", placeholder: "count" },
  lock_first_device: {
    ...flag,
    meaning: "1: a card serves the device that used it first, until it is unlocked.",
    placeholder: "0|1",
  },
  offline: {
    ...flag,
    meaning:
      "0: a card that was never used is not let in by an access box that is cut off. Where there are no such boxes, nothing reads it.",
    placeholder: "0|1",
  },
  note: { ...text(500), meaning: "A remark.", placeholder: "text" },
};
