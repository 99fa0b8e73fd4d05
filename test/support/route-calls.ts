import { findNewestInvoice } from "../../src/domain/service/activation/top-up.ts";
import { insertConfigs } from "./router-config.ts";
import { insertCertificate } from "./radsec-client.ts";
import { write } from "../../db/open.ts";
import { activate } from "../../src/domain/service/activation/activate.ts";
import { credit } from "../../src/domain/money/billing/credit.ts";
import { createChannel } from "../../src/domain/around/messages/channels.ts";
import { createRule } from "../../src/domain/around/messages/rules.ts";
import { saveTemplate } from "../../src/domain/around/messages/templates.ts";
import { takePayment } from "../../src/domain/desk/payments/take.ts";
import { createRole } from "../../src/domain/people/roles/roles.ts";
import { issueStaffToken } from "../../src/domain/people/staff/tokens.ts";
import { restoreSubscriber } from "../../src/domain/desk/subscriber-page/archive.ts";
import { openPortalSession } from "../../src/domain/goods/subscribers/portal-session.ts";
import { signToken, storeToken } from "../../src/domain/goods/subscribers/tokens.ts";
import { openapiDocument } from "../../src/http/openapi.ts";
import { styleAsset } from "../../src/http/portal/assets.ts";
import { formToken } from "../../src/http/pages/cookies.ts";
import { createKey } from "../../src/domain/people/api-keys/api-keys.ts";
import { createFeed } from "../../src/domain/around/feeds/feeds.ts";
import { createEndpoint } from "../../src/domain/around/webhooks/endpoints.ts";
import { createPool } from "../../src/domain/goods/address-pools/pools.ts";
import { addNas } from "../../src/domain/goods/nas/nas.ts";
import { PNG } from "./logos.ts";
import { request, type Sent, temporaryApp } from "./http.ts";
import { by } from "./isp.ts";
import { cardOf } from "./redeem-cards.ts";
import { addMessages, insertMessage, mailChannel, webChannel } from "./messages.ts";
import { fillMoney } from "./money.ts";
import { addOwnPush } from "../../src/domain/people/push/devices.ts";
import { aBrowser, browserKeys, subscriptionKeys } from "./push-receiver.ts";
import { noRouters } from "./routers.ts";
import { NOW, templateStore, undone } from "./store.ts";
import {
  callers,
  emptyWallet,
  fillTenants,
  insertBulk,
  CALLBACK_TOKEN,
  insertArrived,
  insertCalled,
  insertCards,
  insertFinding,
  insertMove,
  insertOutage,
  insertFeed,
  insertKey,
  insertWebhook,
  openSession,
  refuseLogin,
  sam,
  type Tenants,
  withTenants,
  sellTopUps,
} from "./tenants.ts";

/** What a call names: the parameter of its path, its query, the fields of its form. `nth` tells one call from the others. */
type Named = (
  app: Tenants,
  nth: number,
) => {
  parameter?: string | number;
  query?: string;
  form?: Form;
  headers?: Sent["headers"];
  body?: string;
  file?: Buffer;
};
type Form = Record<string, unknown>;

const one: Named = () => ({ parameter: 1 });
const row: Named = () => ({ form: { id: 1 } });
const user: Named = () => ({ form: { user_id: 1 } });
const mac: Named = (_, nth) => ({ form: { user_id: 1, mac_address: `AA:BB:CC:DD:EE:0${nth}` } });
const aRule = {
  isp_id: 1,
  name: "A",
  on: "expiry",
  audience: "subscriber",
  channel_id: 1,
  template: "thanks",
};
const nothing: Named = () => ({ form: {} });

const bankFile = (nth: number): Form => ({
  isp_id: 1,
  name: "a.csv",
  content: `Day,Sum,Text\n2030-01-15,${nth},user1\n`,
  date_column: "Day",
  amount_column: "Sum",
  text_column: "Text",
});

function placeCalls(kind: string, table: string): Record<string, Named> {
  const path = `/api/v1/${kind}`;
  const id = kind === "branch" ? 11 : 1;
  return {
    [`GET ${path}/list`]: () => ({ query: "?sort=-name&limit=1" }),
    [`GET ${path}/get/:id`]: () => ({ parameter: id }),
    [`POST ${path}/create`]: (_, nth) => ({ form: { name: `New ${nth}` } }),
    [`POST ${path}/update`]: (_, nth) => ({ form: { id, name: `New ${nth}` } }),
    [`DELETE ${path}/delete/:id`]: ({ db }, nth) => {
      const spare = kind === "isp" ? "(id, name) VALUES (?, 'A')" : "(id, isp_id, name) VALUES (?, 1, 'A')";
      db.$client.prepare(`INSERT INTO ${table} ${spare}`).run(60 + nth);
      return { parameter: 60 + nth };
    },
  };
}

/** Who calls, and with what, follows from the OpenAPI document; here is only what it cannot know. */
export const calls: Record<string, Named> = {
  "POST /api/v1/users/login": () => ({ form: { email: "ada", password: "secret-1" } }),
  "POST /api/auth-login": () => ({ form: { email: "ada", password: "secret-1" } }),
  "GET /api/v1/subscriber/list": () => ({
    query: "?profile_status=active&connection_status=online&limit=1",
  }),
  "GET /api/v1/subscriber/changes": () => ({ query: "?limit=1" }),
  "GET /api/v1/payment/changes": () => ({ query: "?limit=1" }),
  "GET /api/v1/invoice/changes": () => ({ query: "?limit=1" }),
  "GET /api/v1/session/changes": () => ({ query: "?limit=1" }),
  "GET /api/v1/subscriber/get/:id": one,
  "GET /api/v1/subscriber/usage/:id": one,
  "GET /api/v1/subscriber/notes/:id": one,
  "POST /api/v1/subscriber/create": (_, nth) => {
    const own = { username: `sam${nth}`, nic_number: `N-${nth}`, mobile_number: `M-${nth}` };
    return { form: { ...sam, ...own, email: `sam${nth}@customers.example`, static_ip: `10.0.1.${nth}` } };
  },
  "POST /api/v1/subscriber/update": (_, nth) => ({
    form: { username: "user1", name: `Sam ${nth}`, password: `pw-${nth}`, city_id: 1, balance: "1.00" },
  }),
  "POST /api/v1/subscriber/note": (_, nth) => ({ form: { user_id: 1, note: `note ${nth}` } }),
  "POST /api/v1/subscriber/reset_password": (_, nth) => ({
    form: { user_id: 1, new_password: `sunny-day-${nth}` },
  }),
  "GET /api/v1/subscriber/search": () => ({ query: "?q=user1" }),
  "GET /api/v1/subscriber/box": () => ({ query: "?box_number=B-1" }),
  "GET /api/v1/subscriber/why/:id": one,
  "GET /api/v1/subscriber/statement/:id": one,
  "POST /api/v1/subscriber/enable": user,
  "POST /api/v1/subscriber/disable": user,
  "POST /api/v1/subscriber/archive": ({ db, clock }) => {
    emptyWallet(db);
    restoreSubscriber(db, by, { subscriberId: 1 }, { now: clock.now });
    return { form: { user_id: 1 } };
  },
  "POST /api/v1/subscriber/restore": ({ db }) => {
    db.$client.run(
      "UPDATE subscribers SET archived_at = 1, status = 0, username_key = username_key || char(0) WHERE id = 1",
    );
    return { form: { user_id: 1 } };
  },
  "POST /api/v1/subscriber/note_add": (_, nth) => ({ form: { user_id: 1, note: `note ${nth}` } }),
  "POST /api/v1/subscriber/portal_password": (_, nth) => ({
    form: { user_id: 1, portal_password: `sunny-day-${nth}` },
  }),
  "POST /api/v1/subscriber/plant": (_, nth) => ({ form: { user_id: 1, box_number: `B-${nth}` } }),
  "POST /api/v1/subscriber/take_device": ({ db }) => {
    refuseLogin(db);
    return { form: { user_id: 1 } };
  },
  "POST /api/v1/subscriber/mac_lock": mac,
  "POST /api/v1/subscriber/mac_unlock": user,
  "POST /api/v1/subscriber/change_mac": mac,
  "POST /api/v1/activation/activate": () => ({ form: { user_id: 1, package_id: 1 } }),
  "POST /api/v1/activation/top_up": ({ db }) => ({ form: { user_id: 1, package_id: sellTopUps(db) } }),
  "GET /api/v1/activation/top_up_quote": ({ db }) => ({ query: `?user_id=1&package_id=${sellTopUps(db)}` }),
  "POST /api/v1/activation/disconnect": user,
  "POST /api/v1/activation/apply": user,
  "GET /api/v1/session/list": () => ({ query: "?open=1&nas_id=1&from=2020-01-01" }),
  "GET /api/v1/session/who": () => ({ query: "?address=10.0.0.7" }),
  "GET /api/v1/outage/list": () => ({ query: "?open=1&kind=box&box_number=B-1&from=2020-01-01" }),
  "GET /api/v1/outage/get/:id": one,
  "GET /api/v1/login/list": () => ({ query: "?nas_id=1&accepted=0&from=2020-01-01&to=2040-01-01" }),
  "GET /api/v1/subscriber/sessions/:id": one,
  "GET /api/v1/subscriber/logins/:id": one,
  "GET /api/v1/activation/quote": () => ({ query: "?user_id=1&package_id=2&credit_unused=1" }),
  "POST /api/v1/activation/extend": () => ({ form: { user_id: 1, hours: 1, reason: "storm" } }),
  "POST /api/v1/subscriber/freeze": ({ db }) => {
    db.$client.run("UPDATE services SET frozen_at = NULL");
    return { form: { user_id: 1 } };
  },
  "POST /api/v1/subscriber/thaw": ({ db, clock }) => {
    db.$client.run("UPDATE services SET frozen_at = ?", [clock.now]);
    return { form: { user_id: 1 } };
  },
  "POST /api/v1/invoice/void": ({ db, clock }) => {
    const { invoiceId } = activate(db, by, { subscriberId: 1, packageId: 1 }, { now: clock.now });
    return { form: { invoice_id: invoiceId, reason: "wrong", end_service: 1 } };
  },
  "POST /api/v1/session/end": (_, nth) => ({ form: { user_id: 1, session_id: `S${nth}` } }),
  "POST /api/v1/card/preview": ({ db }) => ({
    form: { user_id: 1, code: cardOf(db, { kind: "package", package_id: 1 }) },
  }),
  "POST /api/v1/card/redeem": ({ db }) => ({ form: { user_id: 1, code: cardOf(db) } }),
  "POST /api/v1/payment/take": (_, nth) => ({
    form: { user_id: 1, amount: 1, method: "bank", reference: `B-${nth}`, note: "A", activate: 1 },
  }),
  "GET /api/v1/payment/list": () => ({ query: "?user_id=1&reversed=0&limit=1" }),
  "GET /api/v1/payment/get/:id": one,
  "POST /api/v1/payment/reverse": ({ db, clock }) => {
    const { payment } = takePayment(
      db,
      by,
      { subscriberId: 1, amount: 1, method: "cash" },
      { now: clock.now },
    );
    return { form: { id: payment.id, reason: "A" } };
  },
  "POST /api/v1/payment/refund": () => ({ form: { user_id: 1, amount: 1, method: "cash" } }),
  "GET /api/v1/wallet/entries": () => ({ query: "?user_id=1&kind=adjustment&limit=1" }),
  "POST /api/v1/wallet/adjust": () => ({
    form: { user_id: 1, amount: 1, direction: "down", reason: "A" },
  }),
  "POST /api/v1/closing/close": () => ({ form: { counted: 0 } }),
  "POST /api/v1/closing/confirm": ({ db }) => {
    db.$client.query("UPDATE closings SET confirmed_at = NULL").run();
    return { form: { id: 1 } };
  },
  "GET /api/v1/closing/list": () => ({ query: "?confirmed=0&limit=1" }),
  "GET /api/v1/invoice/list": () => ({ query: "?user_id=1&state=paid&limit=1" }),
  "GET /api/v1/invoice/get/:id": one,
  "GET /api/v1/role/get/:code": one,
  "POST /api/v1/role/create": (_, nth) => ({ form: { name: `Role ${nth}` } }),
  "POST /api/v1/role/update": (_, nth) => ({ form: { code: 1, name: `Role ${nth}` } }),
  "DELETE /api/v1/role/delete/:code": ({ db, clock }, nth) => ({
    parameter: createRole(db, by, { ispId: 1, name: `Spare ${nth}` }, { now: clock.now }).code,
  }),
  "GET /api/v1/role/permissions/:code": one,
  "POST /api/v1/role/permissions_update": (_, nth) => ({
    form: { role_code: 4, api_access: nth % 2, subscriber_view: 1 },
  }),
  ...placeCalls("isp", "isps"),
  ...placeCalls("branch", "branches"),
  ...placeCalls("city", "cities"),
  ...placeCalls("area", "areas"),
  ...placeCalls("subarea", "subareas"),
  "GET /api/v1/package/list": () => ({ query: "?status=1&sort=-price" }),
  "GET /api/v1/package/get/:id": one,
  "POST /api/v1/package/create": (_, nth) => ({
    form: {
      name: `Day ${nth}`,
      net_price: nth,
      billing_type: "prepaid",
      duration: nth,
      duration_unit: "day",
    },
  }),
  "POST /api/v1/package/update": (_, nth) => ({ form: { id: 1, rate_limit: `${nth}M/${nth}M` } }),
  "POST /api/v1/package/enable": () => ({ form: { id: 1 } }),
  "POST /api/v1/package/disable": () => ({ form: { id: 1 } }),
  "DELETE /api/v1/package/delete/:id": (app, nth) => {
    app.db.$client
      .run(`INSERT INTO packages (id, isp_id, name, price, billing_type, duration, duration_unit, created_at)
      VALUES (${60 + nth}, 1, 'Spare', 100, 'prepaid', 1, 'day', 0)`);
    return { parameter: 60 + nth };
  },
  "POST /api/v1/package/apply": ({ db }) => {
    db.$client.run("UPDATE packages SET rate_limit = '3M/' || (random() & 1023) || 'k' WHERE id = 1");
    return { form: { id: 1, nas_id: 1 } };
  },
  "GET /api/v1/address_pool/list": () => ({ query: "?name=homes&sort=-id" }),
  "GET /api/v1/address_pool/get/:id": one,
  "GET /api/v1/address_pool/addresses/:id": () => ({ parameter: 1, query: "?limit=1" }),
  "POST /api/v1/address_pool/create": (_, nth) => ({
    form: { name: `flats ${nth}`, range: `10.30.${nth}.0/24` },
  }),
  "POST /api/v1/address_pool/update": (_, nth) => ({ form: { id: 1, name: `homes ${nth}` } }),
  "DELETE /api/v1/address_pool/delete/:id": ({ db, clock }, nth) => ({
    parameter: createPool(db, by, { isp_id: 1, name: `spare ${nth}`, range: `10.31.${nth}.0/24` }, clock).pool
      .id,
  }),
  "GET /api/v1/card_batch/list": () => ({ query: "?search=0001&kind=access&sort=-price&limit=1" }),
  "GET /api/v1/card_batch/get/:id": one,
  "POST /api/v1/card_batch/create": (_, nth) => ({
    form: { kind: "access", package_id: 1, quantity: nth, price: nth },
  }),
  "POST /api/v1/card_batch/void": ({ db }) => {
    db.$client.run("UPDATE cards SET state = 'new' WHERE id = 1");
    return { form: { id: 1, reason: "A" } };
  },
  "GET /api/v1/card/list": () => ({ query: "?batch_id=1&standing=expired&from=2020-01-01&limit=1" }),
  "GET /api/v1/card/get/:id": one,
  "POST /api/v1/card/find": () => ({ form: { code: "0001-002" } }),
  "POST /api/v1/card/sell": ({ db }) => {
    db.$client.run("UPDATE cards SET state = 'new', sale_payment_id = NULL WHERE id = 1");
    return { form: { id: 1, method: "cash" } };
  },
  "POST /api/v1/card_batch/sell": ({ db }) => {
    db.$client.run("UPDATE cards SET state = 'new', sale_payment_id = NULL WHERE id = 1");
    return { form: { id: 1, first_serial: 1, last_serial: 1, method: "cash" } };
  },
  "POST /api/v1/card/void": ({ db }) => {
    db.$client.run("UPDATE cards SET state = 'active' WHERE id = 2");
    return { form: { id: 2, reason: "A" } };
  },
  "POST /api/v1/card/unlock": ({ db }) => {
    db.$client.run("UPDATE cards SET locked_mac = 'AA:BB:CC:DD:EE:FF' WHERE id = 2");
    return { form: { id: 2 } };
  },
  "POST /api/v1/card/reprint": ({ db }) => {
    db.$client.run("UPDATE cards SET state = 'new' WHERE id = 1");
    return { form: { id: 1 } };
  },
  "POST /api/v1/bulk/preview": () => ({ form: { profile_status: "active", ids: "1,2" } }),
  "POST /api/v1/bulk/start": (_, nth) => ({
    form: { operation: "router", ids: "1,2", nas_id: 1 },
    headers: { "idempotency-key": `key ${nth}` },
  }),
  "GET /api/v1/bulk/get/:id": one,
  "GET /api/v1/bulk/rows/:id": () => ({ parameter: 1, query: "?result=waiting&sort=-position" }),
  "GET /api/v1/bulk/list": () => ({ query: "?operation=router" }),
  "GET /api/v1/nas/get/:id": one,
  "POST /api/v1/nas/create": (_, nth) => ({
    form: { isp_id: 1, name: `edge ${nth}`, address: `10.9.9.${nth}`, secret: "hush" },
  }),
  "POST /api/v1/nas/update": (_, nth) => ({ form: { id: 1, name: `core ${nth}`, secret: `hush-${nth}` } }),
  "DELETE /api/v1/nas/delete/:id": ({ db, clock }, nth) => {
    const router = { isp_id: 1, name: `spare ${nth}`, address: `10.9.8.${nth}`, secret: "hush" };
    return { parameter: addNas(db, by, router, clock).id };
  },
  "POST /api/v1/nas/test": row,
  "POST /api/v1/nas/script": row,
  "GET /api/v1/nas/radsec/list/:id": one,
  "POST /api/v1/nas/radsec/issue": () => ({ form: { id: 1, server: "10.0.0.254" } }),
  "POST /api/v1/nas/radsec/revoke": ({ db, clock }, nth) => {
    insertCertificate(db, clock.now, nth);
    return { form: { id: 1, certificate_id: nth } };
  },
  "POST /api/v1/nas/setup": (_, nth) => ({
    form: { id: 1, username: "admin", password: "x", ...(nth > 0 && { digest: "0" }) },
  }),
  "GET /api/v1/nas/config/list/:id": one,
  "POST /api/v1/nas/config/save": row,
  "POST /api/v1/nas/config/read": () => ({ form: { id: 1, copy: 2 } }),
  "GET /api/v1/nas/config/diff/:id": one,
  "GET /api/v1/nas/findings": () => ({ query: "?nas_id=1" }),
  "POST /api/v1/nas/watch": ({ db }) => {
    insertFinding(db);
    return { form: { id: 1 } };
  },
  "POST /api/v1/nas/mend": ({ db }, nth) => {
    insertFinding(db);
    return { form: { id: 1, findings: "1", ...(nth > 0 && { digest: "0" }) } };
  },
  "POST /api/v1/nas/finding/hide": ({ db }) => {
    insertFinding(db);
    return { form: { nas_id: 1, id: 1, reason: "ours" } };
  },
  "POST /api/v1/nas/finding/show": ({ db }) => {
    insertFinding(db);
    return { form: { nas_id: 1, id: 1 } };
  },
  "GET /api/v1/staff/list": () => ({ query: "?profile_type=2&sort=-name&limit=1" }),
  "GET /api/v1/staff/get/:id": one,
  "POST /api/v1/staff/create": (_, nth) => ({
    form: { isp_id: 1, name: "New", username: `new${nth}`, password: "secret-1", profile_type: 2 },
  }),
  "POST /api/v1/staff/update": (_, nth) => ({ form: { id: 4, name: `Mia ${nth}`, email: `mia${nth}@x.y` } }),
  "POST /api/v1/staff/password": (_, nth) => ({ form: { id: 4, password: `secret-${nth}` } }),
  "POST /api/v1/staff/enable": () => ({ form: { id: 4 } }),
  "POST /api/v1/staff/disable": () => ({ form: { id: 4 } }),
  "POST /api/v1/setting/set": (_, nth) => ({ form: { key: "portal_name", value: `North ${nth}` } }),
  "POST /api/v1/setting/logo": () => ({ file: PNG }),
  "GET /api/v1/move/list": () => ({ query: "?limit=1" }),
  "GET /api/v1/move/get/:id": one,
  "GET /api/v1/channel/get/:id": one,
  "POST /api/v1/channel/create": (_, nth) => ({ form: { ...webChannel, name: `SMS ${nth}` } }),
  "POST /api/v1/channel/update/:id": (_, nth) => ({ parameter: 1, form: { name: `SMS ${nth}` } }),
  "POST /api/v1/channel/secret/:id": (_, nth) => ({ parameter: 1, form: { name: "key", value: `k${nth}` } }),
  "POST /api/v1/channel/enable/:id": (_, nth) => ({ parameter: 2, form: { enabled: nth % 2 } }),
  "DELETE /api/v1/channel/delete/:id": ({ db, clock }) => ({
    parameter: createChannel(db, by, mailChannel, clock).id,
  }),
  "POST /api/v1/channel/test/:id": ({ db }) => {
    db.$client.query("UPDATE channels SET settings = replace(settings, 'mail.example', '127.0.0.1')").run();
    return { parameter: 2, form: { to: "ann@x.example" } };
  },
  "GET /api/v1/message_template/get/:id": one,
  "GET /api/v1/message_template/fields": () => ({ query: "?event_type=payment.received" }),
  "POST /api/v1/message_template/save": (_, nth) => ({
    form: { isp_id: 1, name: "thanks", language: "en", body: `Thank you, {{name}} ${nth}` },
  }),
  "DELETE /api/v1/message_template/delete/:id": ({ db, clock }, nth) => ({
    parameter: saveTemplate(db, by, { isp_id: 1, name: `a${nth}`, language: "fr", body: "A" }, clock).id,
  }),
  "POST /api/v1/message_template/ready": ({ db }) => {
    db.$client.query("DELETE FROM message_templates WHERE name = 'welcome'").run();
    return { form: { isp_id: 1 } };
  },
  "POST /api/v1/message_template/preview": () => ({
    form: {
      language: "en",
      body: "{{name}} {{number}} {{date}}",
      user_id: 1,
      event_type: "payment.received",
    },
  }),
  "GET /api/v1/message_rule/get/:id": one,
  "POST /api/v1/message_rule/create": (_, nth) => ({ form: { ...aRule, offset: nth } }),
  "POST /api/v1/message_rule/update/:id": (_, nth) => ({ parameter: 1, form: { late_by: 600 + nth } }),
  "DELETE /api/v1/message_rule/delete/:id": ({ db, clock }) => ({
    parameter: createRule(db, by, aRule, clock).id,
  }),
  "POST /api/v1/message/preview": () => ({ form: { user_id: 1, channel_id: 2, template: "unused" } }),
  "POST /api/v1/message/send": (_, nth) => ({
    form: { user_id: 1, channel_id: 2, subject: "A", body: `{{name}} ${nth}` },
    headers: { "idempotency-key": `letter ${nth}` },
  }),
  "GET /api/v1/message/list": () => ({ query: "?state=waiting&channel_id=1&user_id=1&limit=1" }),
  "GET /api/v1/message/get/:id": one,
  "POST /api/v1/message/again/:id": ({ db, clock }) => ({
    parameter: insertMessage(db, clock.now, "failed"),
  }),
  "POST /api/v1/message/cancel/:id": ({ db, clock }) => ({ parameter: insertMessage(db, clock.now) }),
  "GET /api/v1/message/count": () => ({ query: "?state=failed&channel_id=1&rule_id=1" }),
  "POST /api/v1/message/again_many": ({ db, clock }) => {
    insertMessage(db, clock.now, "failed");
    return { form: { channel_id: 1 } };
  },
  "POST /api/v1/message/cancel_many": ({ db, clock }) => {
    insertMessage(db, clock.now);
    return { form: { rule_id: 1 } };
  },
  "GET /api/v1/api_key/get/:id": () => ({ parameter: 50 }),
  "GET /api/v1/api_key/requests/:id": () => ({ parameter: 50 }),
  "POST /api/v1/api_key/create": (_, nth) => ({ form: { isp_id: 1, name: `key ${nth}`, role_code: 1 } }),
  "POST /api/v1/api_key/update/:id": (_, nth) => ({ parameter: 50, form: { name: `books ${nth}` } }),
  "POST /api/v1/api_key/rotate/:id": () => ({ parameter: 50 }),
  "POST /api/v1/api_key/revoke/:id": ({ db, clock }, nth) => {
    const input = { isp_id: 1, name: `gone ${nth}`, role_code: 1 };
    return { parameter: createKey(db, by, input, clock).key.id };
  },
  "GET /api/v1/feed/get/:id": one,
  "POST /api/v1/feed/create": (_, nth) => ({
    form: { isp_id: 1, name: `shaper ${nth}`, address: "10.0.0.21", secret: "hush", router_ids: "1" },
  }),
  "POST /api/v1/feed/update/:id": (_, nth) => ({
    parameter: 1,
    form: { name: `lq ${nth}`, router_ids: "1" },
  }),
  "POST /api/v1/feed/enable/:id": (_, nth) => ({ parameter: 1, form: { enabled: nth % 2 } }),
  "DELETE /api/v1/feed/delete/:id": ({ db, clock }, nth) => {
    const input = { isp_id: 1, name: `gone ${nth}`, address: "10.0.0.22", secret: "hush" };
    return { parameter: createFeed(db, by, input, clock).id };
  },
  "GET /api/v1/webhook/get/:id": one,
  "POST /api/v1/webhook/create": (_, nth) => ({
    form: { isp_id: 1, url: `https://receiver.example/${nth}`, types: "payment.received, invoice.issued" },
  }),
  "POST /api/v1/webhook/update/:id": (_, nth) => ({ parameter: 1, form: { note: `A ${nth}`, types: "*" } }),
  "POST /api/v1/webhook/enable/:id": ({ db }) => {
    db.$client.run("UPDATE webhook_endpoints SET disabled_at = NULL WHERE id = 1");
    return { parameter: 1, form: { enabled: 0 } };
  },
  "POST /api/v1/webhook/rotate/:id": one,
  "POST /api/v1/webhook/secret/:id": one,
  "DELETE /api/v1/webhook/delete/:id": ({ db, clock }, nth) => {
    const hook = { isp_id: 1, url: `https://receiver.example/${nth}`, types: "*" };
    return { parameter: createEndpoint(db, by, hook, clock).endpoint.id };
  },
  "POST /api/v1/webhook/test/:id": one,
  "GET /api/v1/webhook/deliveries": () => ({ query: "?webhook_id=1&state=waiting&limit=1" }),
  "GET /api/v1/webhook/delivery/:id": one,
  "POST /api/v1/webhook/replay/:id": one,
  "POST /api/v1/webhook/resend/:id": () => ({ parameter: 1, form: { from: "2030-01-01" } }),
  "GET /api/v1/event/list": () => ({ query: "?limit=10" }),
  "GET /api/v1/audit/list": () => ({ query: "?from=2020-01-01&entity=role&limit=1" }),
  "GET /api/v1/payment_source/get/:id": one,
  "POST /api/v1/payment_source/create": (_, nth) => ({
    form: { kind: "signed", name: `desk ${nth}`, method: "online" },
  }),
  "POST /api/v1/payment_source/update/:id": (_, nth) => ({
    parameter: 1,
    form: { method: "bank", secret: `sk_test_000${nth}` },
  }),
  "POST /api/v1/payment_source/rotate/:id": one,
  "POST /api/v1/payment_source/enable/:id": (_, nth) => ({ parameter: 1, form: { enabled: nth % 2 } }),
  "DELETE /api/v1/payment_source/delete/:id": ({ db, clock }) => {
    insertArrived(db, clock.now);
    const last = db.$client.query<{ id: number }, []>("SELECT max(id) AS id FROM payment_sources").get();
    return { parameter: last?.id ?? 0 };
  },
  "GET /api/v1/incoming_payment/list": () => ({ query: "?view=all&provider=till&limit=1" }),
  "GET /api/v1/incoming_payment/get/:id": one,
  "POST /api/v1/incoming_payment/assign/:id": ({ db, clock }) => ({
    parameter: insertArrived(db, clock.now),
    form: { user_id: 1 },
  }),
  "POST /api/v1/incoming_payment/dismiss/:id": ({ db, clock }) => ({
    parameter: insertArrived(db, clock.now),
    form: { reason: "A" },
  }),
  "POST /api/v1/incoming_payment/raw/:id": ({ db, clock }) => ({ parameter: insertArrived(db, clock.now) }),
  "POST /api/v1/incoming_payment/assign_many": ({ db, clock }) => ({
    form: { ids: `${insertArrived(db, clock.now)},1` },
  }),
  "POST /api/v1/incoming_payment/bank_preview": (_, nth) => ({ form: bankFile(nth) }),
  "POST /api/v1/incoming_payment/bank_file": (_, nth) => ({ form: bankFile(nth) }),
  "POST /api/v1/payment/receive": (_, nth) => ({
    form: {
      external_id: `T-${nth}`,
      provider: "desk",
      amount: 1,
      currency: "USD",
      username: "user1",
      paid_at: "2030-01-15 12:00:00",
    },
  }),
  "POST /pay/:key": ({ db, clock }, nth) => ({
    parameter: insertCalled(db, clock.now),
    headers: { "x-callback-token": CALLBACK_TOKEN },
    body: JSON.stringify({
      id: `inv-${nth}`,
      status: "PAID",
      amount: 1,
      currency: "USD",
      external_id: "user1",
    }),
  }),
  "POST /pay/:key/check": ({ db, clock }) => ({
    parameter: `${insertCalled(db, clock.now)}/check`,
    headers: { "x-callback-token": CALLBACK_TOKEN },
  }),
  "GET /api/v1/me/usage": () => ({ query: "?days=7" }),
  "GET /api/v1/me/sessions": () => ({ query: "?limit=5&offset=0" }),
  "GET /api/v1/me/invoices/:id": one,
  "POST /api/v1/me/renew": () => ({ form: { price: 15 } }),
  "POST /api/v1/me/top_up": ({ db }) => ({ form: { package_id: sellTopUps(db), price: 1 } }),
  "POST /api/v1/me/password": (_, nth) => ({
    form: { current: nth === 1 ? "pw-1" : `chosen-${nth - 1}`, new_password: `chosen-${nth}` },
  }),
  "POST /api/v1/me/push": (_, nth) => ({
    form: { endpoint: `https://push.example/${nth}`, ...subscriptionKeys(browserKeys()) },
  }),
  "POST /api/v1/me/push/remove": ({ db, clock: { now } }) => {
    const self = { ...by, staffId: null, subscriberId: 1, admin: false };
    return { form: addOwnPush(db, self, { subscriberId: 1, ...aBrowser() }, { now }) };
  },
  "POST /api/v1/me/language": (_, nth) => ({
    form: { language: nth % 2 ? "fr" : "", messages_off: nth % 2 },
  }),
  "POST /api/v1/me/device/take": ({ db }) => {
    refuseLogin(db);
    return { form: {} };
  },
  "POST /api/v1/subscriber/login": () => ({ form: { username: "user1", password: "pw-1" } }),
  "POST /portal/sign-in": () => ({ form: { username: "user1", password: "pw-1" } }),
  "POST /portal/sign-out": nothing,
  "POST /portal/sign-out-everywhere": nothing,
  "GET /portal/invoices/:id": one,
  "POST /portal/card": ({ db }) => ({ form: { code: cardOf(db, { kind: "package", package_id: 1 }) } }),
  "POST /portal/card/redeem": ({ db }) => ({ form: { code: cardOf(db) } }),
  "POST /api/v1/subscriber/card/preview": ({ db }) => ({ form: { code: cardOf(db) } }),
  "POST /api/v1/subscriber/card/redeem": ({ db }) => ({ form: { code: cardOf(db) } }),
  "POST /portal/top-up": ({ db }) => ({
    form: { package: sellTopUps(db), price: 100, after: findNewestInvoice(db, 1) },
  }),
  "POST /portal/renew": () => ({ form: { price: 1500 } }),
  "POST /portal/settings/password": (_, nth) => ({
    form: {
      current: nth === 1 ? "pw-1" : `chosen-${nth - 1}`,
      chosen: `chosen-${nth}`,
      again: `chosen-${nth}`,
    },
  }),
  "POST /mcp": (app, nth) => ({
    headers: {
      authorization: `Bearer ${insertKey(app, { name: `assistant ${nth}` })}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "subscriber", arguments: { id: 1 } },
    }),
  }),
  "POST /portal/settings/push": (_, nth) => ({
    form: { endpoint: `https://push.example/${nth}`, ...subscriptionKeys(browserKeys()) },
  }),
  "POST /portal/settings/push/follow": () => ({ form: { endpoint: "https://push.example/1" } }),
  "POST /portal/settings/push/remove": () => ({ form: { id: "1" } }),
  "POST /portal/settings/messages": (_, nth) => ({ form: { language: nth % 2 ? "fr" : "", wanted: "1" } }),
  "GET /docs/:page": () => ({ parameter: "money" }),
  "GET /portal/assets/:file": () => ({ parameter: styleAsset.path.split("/").at(-1) ?? "" }),
  "GET /portal/brand/:isp/:file": () => ({ parameter: "1/icon.svg" }),
  "GET /portal/hotspot/:isp/:language/:file": () => ({ parameter: "1/en/login.html" }),
};

/** What who calls has to show, as the scheme of the document names it. */
const requests: Record<string, (app: Tenants) => Promise<Sent>> = {
  nothing: async () => ({}),
  basic: async () => ({ basic: callers.admin }),
  operator: async () => ({ basic: callers.operator }),
  metricsToken: async () => ({ bearer: METRICS_TOKEN }),
  staffToken: async ({ db, clock: { now } }) => ({
    bearer: write(db, (tx) => issueStaffToken(tx, { staffId: 1, now, days: 1 })).token,
  }),
  subscriberToken: async (app) => ({ bearer: (await subscriberToken(app)).token }),
  portalSession: async (app) => {
    const { tokenId } = await subscriberToken(app);
    const id = openPortalSession(app.db, { tokenId, subscriberId: 1, now: app.clock.now });
    return {
      headers: { cookie: `gatehouse_portal=${id}` },
      form: { form_token: formToken(app.db.vault, id) },
    };
  },
  visit: async ({ db }) => ({
    headers: { cookie: "gatehouse_visit=somebody" },
    form: { form_token: formToken(db.vault, "somebody") },
  }),
};

async function subscriberToken({ db, clock: { now } }: Tenants) {
  const signed = await signToken(db, { subscriberId: 1, now, days: 1 });
  write(db, (tx) => storeToken(tx, { ...signed, subscriberId: 1, now }));
  return signed;
}

const METRICS_TOKEN = "metrics-token";
const acknowledge = async () => ({ kind: "acknowledged" }) as const;
const acknowledges = { ...noRouters, disconnect: acknowledge };
const options = {
  routers: { ...acknowledges, changeRate: acknowledge, changeTimeout: acknowledge },
  metrics: async () => "",
  metricsToken: METRICS_TOKEN,
};

export interface Route {
  name: string;
  method: string;
  path: string;
  scheme: string;
}

/** Where the document says less than the call needs. */
const schemes: Record<string, string> = {
  "POST /portal/sign-in": "visit",
  "GET /healthz/detail": "operator",
  ...Object.fromEntries(
    Object.keys(placeCalls("isp", "isps")).map((name): [string, string] => [name, "operator"]),
  ),
};

/** The routes of the LAN, which has all of them. */
export const routes: Route[] = await (async () => {
  using app = await withTenants(options);
  const document: {
    security: Record<string, never[]>[];
    paths: Record<string, Record<string, { security?: Record<string, never[]>[] }>>;
  } = openapiDocument(app.app.routes);
  return app.app.routes
    .filter(({ path }) => !path.startsWith("/console"))
    .map(({ method, path }) => {
      const name = `${method} ${path}`;
      const described = document.paths[path.replaceAll(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
      const [scheme = "nothing"] = Object.keys(
        (described ? (described.security ?? document.security) : [])[0] ?? {},
      );
      return { name, method, path, scheme: schemes[name] ?? scheme };
    });
})();

/** Subscriber 1 with money, an invoice and a session to each call that is about sessions. */
export const world = async (): Promise<Tenants> => temporaryApp(options, await filledTenants());

let shared: Promise<Tenants> | undefined;

/** Works in a world that all share, and undoes what is written in it. What counts who signs in has an app of its own. */
export async function inSharedWorld({ path }: Route, work: (app: Tenants) => Promise<void>): Promise<void> {
  const one = await (shared ??= world());
  const counts = /login|sign-in|password/.test(path);
  const app = counts ? temporaryApp(options, { ...one, [Symbol.dispose]: () => {} }) : one;
  app.clock.now = NOW;
  await undone(app.db, () => work(app));
}

const filledTenants = templateStore(async (db) => {
  await fillTenants(db);
  const now = NOW;
  credit(db, by, { subscriberId: 1, amount: 100_000 }, { now });
  activate(db, by, { subscriberId: 1, packageId: 1 }, { now });
  const clocked = { db, clock: { now } };
  insertBulk(clocked);
  insertMove(clocked);
  insertFeed(clocked);
  insertKey(clocked);
  insertWebhook(clocked);
  insertCards(db, now);
  insertOutage(db, 1, 1, 1);
  fillMoney(db, now);
  insertConfigs(db, 1, now);
  addMessages(db, now);
  insertArrived(db, now);
});

/** The `nth` request of a route, in a world that gets what it is about. */
export async function requestOf(
  app: Tenants,
  { name, method, path, scheme }: Route,
  nth: number,
  more: Record<string, string> = {},
): Promise<Request> {
  app.clock.now += 130; // after which an activation may be repeated
  if (/disconnect|apply|session\/end|list/.test(path)) openSession(app, 1, `S${nth}`);
  const { parameter, query = "", form, headers, body, file } = calls[name]?.(app, nth) ?? {};
  const { form: proof, ...sent } = (await requests[scheme]?.(app)) ?? {};
  const target = path.replace(/:.*/, String(parameter)) + query;
  return request(method, target, {
    ...sent,
    headers: { ...sent.headers, ...headers, ...more },
    ...(form && { form: { ...proof, ...form } }),
    ...(body !== undefined && { body }),
    ...(file && { body: upload(file) }),
  });
}

/** What a call sends, by the names of its fields and ids. */
export async function argumentsBy(app: Tenants, name: string): Promise<Readonly<Record<string, unknown>>> {
  const route = routes.find((one) => one.name === name);
  if (!route) throw new Error(`there is no route ${name}`);
  const asked = await requestOf(app, route, 1);
  const url = new URL(asked.url);
  const text = await asked.text();
  const isForm = /urlencoded/.test(asked.headers.get("content-type") ?? "");
  const parts = url.pathname.split("/");
  const ids = route.path
    .split("/")
    .flatMap((part, at) => (part.startsWith(":") ? [[part.slice(1), parts[at]]] : []));
  return {
    ...(isForm
      ? Object.fromEntries(new URLSearchParams(text))
      : text.startsWith("{")
        ? JSON.parse(text)
        : {}),
    ...Object.fromEntries(url.searchParams),
    ...Object.fromEntries(ids),
  };
}

function upload(file: Buffer): FormData {
  const form = new FormData();
  form.set("logo", new Blob([file]), "logo.png");
  return form;
}
