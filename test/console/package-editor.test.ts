import { afterAll, beforeAll, expect, test } from "bun:test";
import { createPackage, packageById } from "../../src/domain/goods/packages/packages.ts";
import { Crawler, type CrawledForm, sentBy } from "../support/console-crawl.ts";
import { by, loadIsp } from "../support/isp.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";

let tenants: Tenants;
beforeAll(async () => {
  tenants = await withTenants();
  await loadIsp(tenants.db, {
    address_pools: [{ id: 9, isp_id: 1, name: "prefixes", range: "2001:db8::/40", length: 56 }],
  });
});
afterAll(() => tenants[Symbol.dispose]());

/** Each column of it says something. */
const all = {
  name: "All of it",
  price: "22.00",
  reseller_price: "18.00",
  billing_type: "postpaid",
  duration: 3,
  duration_unit: "day",
  rate_limit: "10M/20M 20M/40M 5M/10M 16/12 7 1M/2M",
  data_quota_bytes: 1_500_000_000,
  quota_exceeded: "1M/2M",
  framed_pool: "pppoe",
  framed_ipv6_pool: "link",
  delegated_ipv6_pool: "behind",
  address_list: "paid",
  expired_pool: "garden",
  expired_address_list: "late",
  simultaneous_use: 1,
  idle_timeout: 600,
  reply_attributes: "Framed-Route=10.9.0.0/24\nFilter-Id=x",
  tiers: "50GB 5M/5M; 100GB 1M/1M",
  fair_window: "month",
  hours: "mon-fri 22:00-06:00 free 20M/20M",
  top_up_bytes: 2_500_000_000,
  top_up_days: 4,
  top_up_rolls: 1,
  address_pool: "homes",
  delegated_ipv6_from: "prefixes",
};

test("a package that is saved as its editor shows it stays as it is, in each of its columns", async () => {
  const { db, clock } = tenants;
  const made = createPackage(db, by, { isp_id: 1, ...all }, { now: clock.now });
  const { tax: _untaxed, ...stored } = made;
  expect(Object.entries(stored).filter(([, value]) => value === null || value === 0)).toEqual([]);
  const crawler = await Crawler.signedIn(tenants, callers.admin);
  const href = `/console/packages/${made.id}/edit`;
  const { forms } = await crawler.page(href, "");
  const form = forms.find(({ action }) => action === href) as CrawledForm;
  const answer = await crawler.ask(href, { method: "POST", body: sentBy(form, () => undefined) });
  expect(answer.status).toBe(303);
  expect(packageById(db, by, made.id)).toEqual(made);
});
