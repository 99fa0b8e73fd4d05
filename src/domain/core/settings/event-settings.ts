import { phrase } from "../errors/phrase.ts";
import { Type } from "@sinclair/typebox";
import { field, wholeNumber } from "../fields/fields.ts";
import { formatAmount, parseAmount } from "../amounts/money.ts";
import { define } from "./define.ts";

export const eventSettings = {
  expiring_days: define(
    3,
    "days before the end of a service at which programs and rules hear that it is expiring",
    wholeNumber(1, 60),
  ),
  low_balance: define(
    "",
    "the amount below which a wallet that was above it is told of as low; empty: none is",
    field(
      Type.String({ pattern: "^(-?[0-9]{1,9}(\\.[0-9]{1,2})?)?$" }),
      phrase`must be an amount such as 5.00, or empty`,
      (value) => {
        if (value === "") return "";
        const amount = parseAmount(value);
        return amount === undefined ? undefined : formatAmount(amount);
      },
    ),
  ),
};
