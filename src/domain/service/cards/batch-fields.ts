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
  "must be up to 8 letters and digits",
  (value) => (/^[A-Za-z0-9]{1,8}$/.test(value) ? value.toUpperCase() : undefined),
);

const alphabet: Field<string> = field(
  Type.String({ maxLength: 36 }),
  "must be 10 to 36 different letters and digits, in one case",
  (value) => {
    // in one order, so that the same codes are the same form
    const symbols = [...value.toUpperCase()].sort().join("");
    const isEach = new Set(symbols).size === symbols.length;
    return /^[A-Z0-9]{10,36}$/.test(symbols) && isEach ? symbols : undefined;
  },
);

/** What is said of a batch when it is made; see `cardBatches` of the schema. */
export const batchFields = {
  isp_id: scopeId,
  branch_id: scopeId,
  kind: oneOf(...cardKinds),
  package_id: id,
  quantity: wholeNumber(1, 10_000),
  prefix,
  length: wholeNumber(1, 24),
  alphabet,
  price,
  reseller_id: id,
  reseller_price: price,
  charge_on: oneOf("handover", "use"),
  needs_sale: flag,
  sell_by: time,
  use_by: time,
  by_clock: flag,
  duration: wholeNumber(1, 10_000),
  duration_unit: oneOf("hour", "day", "month"),
  uptime_seconds: wholeNumber(60, 316_224_000),
  data_quota_bytes: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  devices: wholeNumber(1, 1000),
  lock_first_device: flag,
  offline: flag,
  note: text(500),
};
