import { expect, test } from "bun:test";
import { nearestName, unknownField } from "../../../../src/domain/core/fields/nearest.ts";
import { profileFields } from "../../../../src/domain/goods/subscribers/fields.ts";

const names = Object.keys(profileFields);

test.each([
  ["moblie_number", "mobile_number"],
  ["mobileNumber", "mobile_number"],
  ["mobile", "mobile_number"],
  ["pasword", "password"],
  ["usrname", "username"],
  ["packge_id", "package_id"],
  ["E-Mail", "email"],
  ["auto_renewal", "auto_renew"],
])("%s is %s", (written, name) => expect(nearestName(written, names)).toBe(name));

test.each(["shoe_size", "x", "", "zzzzzzzz", "a".repeat(100_000)])("%p is near none", (written) =>
  expect(unknownField(written, names).toString()).toBe("is not a known field"),
);

test("what is near is named", () =>
  expect(unknownField("nic", ["nic_number", "nick"]).toString()).toBe(
    "is not a known field; the nearest is nick",
  ));
