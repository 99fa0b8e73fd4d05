import { phrase } from "../../../core/errors/phrase.ts";
import { Type } from "@sinclair/typebox";
import { cardStates } from "../../../../../db/schema.ts";
import { batchFields } from "../../../service/cards/batch-fields.ts";
import { codeFault, normalCode } from "../../../goods/codes/codes.ts";
import { templateFields } from "../../../service/cards/templates.ts";
import {
  type Field,
  field,
  flag,
  id,
  mac,
  oneOf,
  text,
  time,
  wholeNumber,
  without,
} from "../../../core/fields/fields.ts";
import { cardTermFields } from "../../../goods/packages/fields.ts";

const octets = wholeNumber(0, Number.MAX_SAFE_INTEGER);
const reason = text(500, { lines: true });

/** The field of a NOT NULL column: empty means the default. */
const emptyMeans = <T>(field: Field<T>, empty: T): Field<T> => ({ ...field, empty });

const code: Field<string> = field(
  Type.String({ maxLength: 200 }),
  phrase`must be a code of 4 to 64 letters and digits; spaces, dashes and case do not count`,
  (value) => {
    const normal = normalCode(value);
    return codeFault(normal) === undefined ? normal : undefined;
  },
);

export const cardTemplateFields = { isp_id: id, ...templateFields };

/** Batch columns under their names, but for `data_quota_bytes`, which packages have too. */
export const cardBatchFields = {
  ...without(batchFields, ["by_clock", "devices"]),
  isp_id: id,
  prefix: emptyMeans(batchFields.prefix, ""),
  ...cardTermFields,
  data_quota_bytes: emptyMeans(cardTermFields.data_quota_bytes, 0),
  quota_exceeded: emptyMeans(cardTermFields.quota_exceeded, "reject"),
  simultaneous_use: emptyMeans(cardTermFields.simultaneous_use, 1),
  needs_sale: emptyMeans<0 | 1>(flag, 0),
  lock_first_device: emptyMeans<0 | 1>(flag, 0),
  offline: emptyMeans<0 | 1>(flag, 1),
  note: reason,
  origin: text(60),
  created_at: time,
  created_by: id,
  actor: text(120),
  voided_at: time,
};
export const requiredBatchFields = ["isp_id", "kind", "quantity", "price"] as const;

/** The history of a card. */
export const cardStateFields = {
  state: emptyMeans<(typeof cardStates)[number]>(oneOf(...cardStates), "new"),
  sold_at: time,
  sold_by: id,
  first_used_at: time,
  ends_at: time,
  used_seconds: emptyMeans(octets, 0),
  used_octets: emptyMeans(octets, 0),
  used_up_at: time,
  locked_mac: mac,
  redeemed_by: id,
  charged_at: time,
  voided_at: time,
  voided_by: id,
  void_reason: reason,
};

export const cardFields = { batch_id: id, serial: wholeNumber(1, 10_000), code, ...cardStateFields };
