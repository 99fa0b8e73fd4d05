import { expect, test } from "bun:test";
import { profileFields } from "../../src/domain/goods/subscribers/fields.ts";
import { en } from "../support/words.ts";
import { Crawler } from "../support/console-crawl.ts";
import { callers, withTenants } from "../support/tenants.ts";

/** What other forms of the page change, and whose ISP it is, which stays; who connects how is one choice with `any_connection`. */
const elsewhere = ["isp_id", "username", "password", "any_connection"];

test("each field of a profile stands in the form that changes a subscriber, or is changed elsewhere", async () => {
  using tenants = await withTenants();
  const crawler = await Crawler.signedIn(tenants, callers.admin);
  const { forms } = await crawler.page("/console/subscribers/1/edit", "");
  const names = new Set(forms.flatMap(({ fields }) => fields.map(({ name }) => name)));
  expect(Object.keys(profileFields).filter((name) => !names.has(name))).toEqual(elsewhere);
});

test("each field of a profile has a label", () => {
  const named = Object.keys(profileFields).filter((name) => en.subscriber.fields[name] === undefined);
  expect(named).toEqual(["isp_id", "password", "any_connection"]);
});
