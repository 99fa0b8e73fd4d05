import { expect, test } from "bun:test";
import { isps } from "../../../../db/schema.ts";
import { findBranding } from "../../../../src/domain/people/branding/branding.ts";
import { changeSetting } from "../../../../src/domain/machine/settings/change.ts";
import { setting } from "../../../../src/domain/core/settings/settings.ts";
import { by, NOW, Store } from "../../machine/imports/data-set/store.ts";

const at = { now: NOW };

test.each([
  ["portal_pay_link", "https://pay.example/northlink?ref={reference}&amount={amount}"],
  ["portal_pay_link", "https://pay.example/{reference}/{amount}/{currency}#now"],
  ["portal_chat", "https://wa.me/15550100"],
  ["portal_url", "http://10.0.0.2:8080/portal"],
  ["portal_url", "https://my.northlink.example/portal"],
  ["portal_phone", "+1 (555) 01-00"],
  ["portal_phone", "112"],
  ["app_origins", "https://app.isp.example http://localhost:5173 capacitor://localhost"],
] as const)("%s takes %s, and empty", (key, value) => {
  using store = new Store();
  changeSetting(store.db, by, { key, value }, at);
  expect(setting(store.db, key)).toBe(value);
  changeSetting(store.db, by, { key, value: "" }, at);
  expect(setting(store.db, key)).toBe("");
});

const noLinks = [
  "javascript:alert(1)",
  "JavaScript:alert(1)",
  " https://pay.example",
  "data:text/html,x",
  "//pay.example",
  "pay.example",
  "https://",
  "https://a b",
  "https://user:word@pay.example",
  "https://{reference}.example/",
  "https://%7Breference%7D.example/",
  'https://pay.example/"><script>',
  "https://pay.example/\n",
  `https://pay.example/${"x".repeat(500)}`,
];

test.each(["portal_pay_link", "portal_chat", "portal_url"] as const)("%s takes links only", (key) => {
  using store = new Store();
  for (const value of noLinks)
    expect(() => changeSetting(store.db, by, { key, value }, at)).toThrow(`${key} must be a link`);
});

test.each([
  ["portal_pay_link", "http://pay.example"],
  ["portal_pay_link", "https://pay.example/?amount={ammount}"],
  ["portal_pay_link", "https://pay.example/{amount"],
  ["portal_chat", "http://wa.me/1"],
  ["portal_phone", "call us"],
  ["app_origins", "*"],
  ["app_origins", "null"],
  ["app_origins", "http://app.isp.example"],
  ["app_origins", "https://app.isp.example/path"],
  ["app_origins", "https://user@app.isp.example"],
  ["app_origins", "https://app.isp.example javascript:alert(1)"],
  ["portal_phone", "+1;ext=2"],
  ["portal_expired_text", "two\nlines"],
  ["isp_tax_number", "x".repeat(81)],
])("%s does not take %j", (key, value) => {
  using store = new Store();
  expect(() => changeSetting(store.db, by, { key, value }, at)).toThrow(`${key} must be`);
});

test("each ISP has its own; what it does not set is the appliance's", () => {
  using store = new Store();
  store.db
    .insert(isps)
    .values([
      { id: 1, name: "North" },
      { id: 2, name: "South" },
    ])
    .run();
  const set = (key: string, value: string, ispId?: number) =>
    changeSetting(store.db, by, { key, value, ...(ispId !== undefined && { ispId }) }, at);
  set("portal_pay_text", "By transfer | to the bank\nof Riverton");
  set("portal_chat", "https://chat.example/north", 1);
  set("isp_address", "3 Quay Street | Riverton", 1);
  expect(findBranding(store.db, 1)).toMatchObject({
    payText: ["By transfer", "to the bank", "of Riverton"],
    chat: "https://chat.example/north",
    address: ["3 Quay Street", "Riverton"],
  });
  expect(findBranding(store.db, 2)).toMatchObject({
    payText: ["By transfer", "to the bank", "of Riverton"],
    chat: "",
    address: [],
  });
});
