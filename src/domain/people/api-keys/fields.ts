import { phrase } from "../../core/errors/phrase.ts";
import { Type } from "@sinclair/typebox";
import {
  addressOrCidr,
  type Field,
  field,
  id,
  scopeId,
  text,
  to,
  wholeNumber,
} from "../../core/fields/fields.ts";

const MOST_ADDRESSES = 50;

const splitNames = (value: string) => [...new Set(value.split(",").map((name) => name.trim()))];

/** Flags with commas between; whether there are such is checked with the role. */
const flags: Field<string> = field(
  Type.String({ minLength: 1, maxLength: 4000 }),
  phrase`must be permissions with commas between them, such as subscriber_view, payment_take`,
  (value) => {
    const named = splitNames(value);
    return named.every((name) => /^\w{1,64}$/.test(name)) ? named.join(",") : undefined;
  },
);

const addresses: Field<string> = field(
  Type.String({ minLength: 1, maxLength: 3000 }),
  phrase`must be up to ${MOST_ADDRESSES} IP addresses or CIDRs with commas between them, such as 10.0.0.7, 192.0.2.0/24`,
  (value) => {
    const named = splitNames(value).map((one) => (one.includes("%") ? undefined : addressOrCidr.read(one)));
    return named.length <= MOST_ADDRESSES && named.every((one) => one !== undefined)
      ? named.join(",")
      : undefined;
  },
);

export const keyFields = { name: text(64), role_code: id, branch_id: scopeId, flags, addresses, ends_at: to };

export const newKeyFields = { isp_id: id, ...keyFields };

export const rotationFields = { keep_hours: wholeNumber(0, 720) };
