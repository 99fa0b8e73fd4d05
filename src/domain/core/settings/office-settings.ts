import { phrase } from "../errors/phrase.ts";
import { Type } from "@sinclair/typebox";
import { type Field, field, text, truth, username, wholeNumber } from "../fields/fields.ts";
import { define, optional } from "./define.ts";

/** A percentage with at most two decimals. */
const percent: Field<number> = field(
  Type.Union([
    Type.Number({ minimum: 0, maximum: 100 }),
    Type.String({ pattern: "^[0-9]{1,3}(\\.[0-9]{1,2})?$" }),
  ]),
  phrase`must be a percentage from 0 to 100 with at most two decimals, such as 18 or 7.5`,
  (value) => {
    const hundredths = Math.round(Number(value) * 100);
    return hundredths <= 10_000 && Math.abs(hundredths - Number(value) * 100) < 1e-6
      ? hundredths / 100
      : undefined;
  },
);

const methodNames = /^[a-z][a-z0-9_]{0,19}$/;

const methods: Field<string> = field(
  Type.String({ minLength: 1, maxLength: 300 }),
  phrase`must be names of small letters, digits and _ with commas between them, such as cash, bank, mobile; cash is always one`,
  (value) => {
    const names = value.split(",").map((name) => name.trim());
    const isList = names.includes("cash") && names.every((name) => methodNames.test(name));
    return isList && new Set(names).size === names.length ? names.join(", ") : undefined;
  },
);

export const officeSettings = {
  tax_name: define("", "name of the tax on invoices, such as VAT; empty: Tax", optional(text(40))),
  tax_percent: define(0, "per cent of tax that prices contain, with at most two decimals", percent),
  payment_methods: define(
    "cash, bank, mobile, card, online, other",
    "how money is taken, names with commas between them; the day's close counts cash",
    methods,
  ),
  unusual_payment_times: define(
    10,
    "times the price of the package, or the largest payment of 90 days, above which pages ask whether an amount is meant; 0 never",
    wholeNumber(0, 1000),
  ),
  activate_on_payment: define(
    false,
    "whether a payment that arrives by itself activates a subscriber who never was, where it covers the package",
    truth,
  ),
  check_references: define(
    false,
    "whether M-Pesa, which asks before it takes a payment, is told to refuse a reference whose check digit is wrong",
    truth,
  ),
  reverse_days: define(7, "days after which a payment is not reversed any more", wholeNumber(0, 3650)),
  extend_days_max: define(
    7,
    "days beyond the end of the last paid period to which staff may extend a service; Admins may further",
    wholeNumber(0, 365),
  ),
  freeze_days_max: define(
    90,
    "days of any 365 for which a service may be frozen; then it thaws by itself",
    wholeNumber(0, 365),
  ),
  sign_up_salesperson: define(
    "",
    "username of the Admin or Reseller whose subscribers they are whom staff sign up; empty: the first Admin; Admins and Resellers have their own",
    optional(username),
  ),
  auto_renew_lead: define(
    60,
    "minutes before the end at which a service renews by itself, at most a tenth of its period",
    wholeNumber(1, 10_080),
  ),
};
