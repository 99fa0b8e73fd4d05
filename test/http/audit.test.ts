import { randomUUIDv7 } from "bun";
import { expect, test } from "bun:test";
import { en } from "../support/words.ts";
import { consoleSessionOf } from "../support/console-browser.ts";
import { listen } from "../../src/http/server.ts";
import {
  callers,
  emptyWallet,
  insertCards,
  insertFinding,
  openSession,
  refuseLogin,
  sam,
  type Tenants,
  undoneTenants,
  sellTopUps,
} from "../support/tenants.ts";
import { cardOf } from "../support/redeem-cards.ts";
import { insertMessage, webChannel } from "../support/messages.ts";
import { fillMoney } from "../support/money.ts";

const withTenants = undoneTenants();

/** Of a mending that finds all mended already. */
const NO_CHANGES = new Bun.CryptoHasher("sha256").update("[]").digest("hex");
const SECRETS = ["hush-hush", "secret-1", "pw-1", "pw-portal", "pw-new", "pw-sam"];

test("every write leaves an entry: who, what, and from which address", async () => {
  using app = await withTenants();
  app.db.$client.run("UPDATE subscribers SET mobile_number = '+44 7700 900001' WHERE id = 1");
  openSession(app, 1);
  refuseLogin(app.db);
  emptyWallet(app.db, 2);
  fillMoney(app.db, app.clock.now);
  insertCards(app.db, app.clock.now);
  insertFinding(app.db);
  const lan = listen(app.app, { hostname: "127.0.0.1", port: 0 });
  let tokens: string[] = [];

  const call = async (method: string, path: string, fields: object, authorization: string) => {
    const response = await fetch(`http://${lan.address}${path}`, {
      method,
      headers: {
        authorization,
        ...(method === "POST" && { "content-type": "application/json", "idempotency-key": randomUUIDv7() }),
      },
      ...(method === "POST" && { body: JSON.stringify(fields) }),
    });
    const text = await response.text();
    tokens = [...tokens, ...(text.match(/(?<="token":")[^"]+/g) ?? [])];
    return response.status;
  };
  const written = () =>
    app.db.$client
      .query<{ action: string; actor: string; source: string }, []>(
        "SELECT action, actor, source FROM audit_entries WHERE source <> 'system' AND action <> 'subscriber.disconnect' ORDER BY id DESC LIMIT 1",
      )
      .get();

  const basic = `Basic ${btoa(callers.admin)}`;
  const operator = `Basic ${btoa(callers.operator)}`;
  const aPackage = { name: "A", price: 1, billing_type: "prepaid", duration: 1, duration_unit: "day" };
  const withMessage = (state: string) => () => {
    insertMessage(app.db, app.clock.now, state);
    return basic;
  };
  const withoutMessages = () => {
    app.db.$client.run("DELETE FROM messages");
    return basic;
  };
  const bearer = () => `Bearer ${tokens.at(-1)}`;
  const staffLogin = { email: "ada", password: "secret-1" };
  const subscriberLogin = { username: "user1", password: "pw-new" };
  const routerosAccount = { routeros_username: "api", routeros_password: "hush-hush-5" };
  const handed = { user_id: 1, amount: 1, method: "cash" };
  const mac = { user_id: 1, mac_address: "AA:BB:CC:DD:EE:FF" };
  const writes: [path: string, fields: object, authorization: () => string, action: string, actor: string][] =
    [
      ["POST /api/v1/users/login", staffLogin, () => "", "staff.sign_in", "ada"],
      ["POST /api/v1/users/refresh-token", {}, bearer, "staff.refresh_token", "ada"],
      ["POST /api/v1/users/logout", {}, bearer, "staff.logout", "ada"],
      ["POST /api/auth-login", staffLogin, () => "", "staff.sign_in", "ada"],
      ["POST /api/v1/users/logout-all", {}, bearer, "staff.logout_all", "ada"],
      ["POST /api/v1/role/create", { name: "A" }, () => basic, "role.create", "ada"],
      ["POST /api/v1/role/update", { code: 4, name: "B" }, () => basic, "role.update", "ada"],
      [
        "POST /api/v1/role/permissions_update",
        { role_code: 4, role_view: 1 },
        () => basic,
        "role.permissions",
        "ada",
      ],
      ["DELETE /api/v1/role/delete/4", {}, () => basic, "role.delete", "ada"],
      [
        "POST /api/v1/nas/create",
        { isp_id: 1, name: "edge", address: "10.9.9.9", secret: "hush-hush-1" },
        () => basic,
        "nas.add",
        "ada",
      ],
      [
        "POST /api/v1/nas/update",
        { id: 1, secret: "hush-hush-2", routeros_host: "10.0.0.1", ...routerosAccount },
        () => basic,
        "nas.set",
        "ada",
      ],
      ["POST /api/v1/nas/script", { id: 1 }, () => basic, "nas.script", "ada"],
      ["POST /api/v1/nas/radsec/issue", { id: 1, server: "10.0.0.254" }, () => basic, "nas.radsec", "ada"],
      [
        "POST /api/v1/nas/radsec/revoke",
        { id: 1, certificate_id: 1 },
        () => basic,
        "nas.radsec_revoke",
        "ada",
      ],
      ["POST /api/v1/nas/config/save", { id: 1 }, () => basic, "nas.config_kept", "ada"],
      ["POST /api/v1/nas/config/read", { id: 1, copy: 1 }, () => basic, "nas.config_read", "ada"],
      [
        "POST /api/v1/nas/finding/hide",
        { nas_id: 1, id: 1, reason: "ours" },
        () => basic,
        "nas.finding_hide",
        "ada",
      ],
      ["POST /api/v1/nas/finding/show", { nas_id: 1, id: 1 }, () => basic, "nas.finding_show", "ada"],
      [
        "POST /api/v1/nas/mend",
        { id: 1, findings: [1], digest: NO_CHANGES },
        () => basic,
        "nas.mended",
        "ada",
      ],
      ["DELETE /api/v1/nas/delete/3", {}, () => basic, "nas.remove", "ada"],
      [
        "POST /api/v1/staff/create",
        { isp_id: 1, name: "New", username: "new", password: "hush-hush-3", profile_type: 2 },
        () => basic,
        "staff.add",
        "ada",
      ],
      ["POST /api/v1/staff/update", { id: 4, name: "Mia M." }, () => basic, "staff.update", "ada"],
      [
        "POST /api/v1/staff/password",
        { id: 4, password: "hush-hush-4" },
        () => basic,
        "staff.password",
        "ada",
      ],
      ["POST /api/v1/staff/disable", { id: 4 }, () => basic, "staff.status", "ada"],
      ["POST /api/v1/staff/enable", { id: 4 }, () => basic, "staff.status", "ada"],
      [
        "POST /api/v1/setting/set",
        { key: "portal_color", value: "#0a7d4f" },
        () => basic,
        "setting.change",
        "ada",
      ],
      ["POST /api/v1/subscriber/create", sam, () => basic, "subscriber.create", "ada"],
      [
        "POST /api/v1/subscriber/update",
        { username: "user1", password: "pw-new", name: "C" },
        () => basic,
        "subscriber.update",
        "ada",
      ],
      ["POST /api/v1/subscriber/note", { user_id: 1, note: "D" }, () => basic, "subscriber.note", "ada"],
      [
        "POST /api/v1/subscriber/reset_password",
        { user_id: 1, new_password: "pw-new" },
        () => basic,
        "subscriber.reset_password",
        "ada",
      ],
      ["POST /api/v1/subscriber/mac_lock", mac, () => basic, "subscriber.mac_lock", "ada"],
      ["POST /api/v1/subscriber/mac_unlock", mac, () => basic, "subscriber.mac_unlock", "ada"],
      ["POST /api/v1/subscriber/change_mac", mac, () => basic, "subscriber.change_mac", "ada"],
      [
        "POST /api/v1/activation/activate",
        { user_id: 1, package_id: 1 },
        () => basic,
        "subscriber.activate",
        "ada",
      ],
      [
        "POST /api/v1/bulk/start",
        { operation: "router", ids: [1], nas_id: 1 },
        () => basic,
        "bulk.start",
        "ada",
      ],
      ["POST /api/v1/isp/create", { name: "A" }, () => operator, "isp.create", "box"],
      ["POST /api/v1/isp/update", { id: 3, name: "B" }, () => operator, "isp.update", "box"],
      ["DELETE /api/v1/isp/delete/3", {}, () => operator, "isp.delete", "box"],
      ["POST /api/v1/branch/create", { name: "A" }, () => basic, "branch.create", "ada"],
      ["POST /api/v1/city/create", { name: "A" }, () => basic, "city.create", "ada"],
      ["POST /api/v1/area/create", { name: "A", city_id: 1 }, () => basic, "area.create", "ada"],
      ["POST /api/v1/subarea/update", { id: 1, area_id: "" }, () => basic, "subarea.update", "ada"],
      ["DELETE /api/v1/subarea/delete/1", {}, () => basic, "subarea.delete", "ada"],
      ["POST /api/v1/package/create", aPackage, () => basic, "package.create", "ada"],
      ["POST /api/v1/package/update", { id: 1, rate_limit: "1M/1M" }, () => basic, "package.update", "ada"],
      ["POST /api/v1/package/disable", { id: 2 }, () => basic, "package.disable", "ada"],
      ["POST /api/v1/package/enable", { id: 2 }, () => basic, "package.enable", "ada"],
      ["DELETE /api/v1/package/delete/2", {}, () => basic, "package.delete", "ada"],
      [
        "POST /api/v1/subscriber/note_add",
        { user_id: 1, note: "E" },
        () => basic,
        "subscriber.note_add",
        "ada",
      ],
      [
        "POST /api/v1/subscriber/plant",
        { user_id: 1, box_number: "B-2" },
        () => basic,
        "subscriber.plant",
        "ada",
      ],
      ["POST /api/v1/subscriber/take_device", { user_id: 1 }, () => basic, "subscriber.take_device", "ada"],
      ["POST /api/v1/subscriber/archive", { user_id: 2 }, () => basic, "subscriber.archive", "ada"],
      ["POST /api/v1/subscriber/restore", { user_id: 2 }, () => basic, "subscriber.restore", "ada"],
      ["POST /api/v1/subscriber/enable", { user_id: 2 }, () => basic, "subscriber.enable", "ada"],
      ["POST /api/v1/subscriber/disable", { user_id: 2 }, () => basic, "subscriber.disable", "ada"],
      [
        "POST /api/v1/subscriber/portal_password",
        { user_id: 2, portal_password: "pw-portal" },
        () => basic,
        "subscriber.portal_password",
        "ada",
      ],
      [
        "POST /api/v1/activation/top_up",
        { user_id: 1, package_id: sellTopUps(app.db) },
        () => basic,
        "subscriber.top_up",
        "ada",
      ],
      [
        "POST /api/v1/activation/extend",
        { user_id: 1, hours: 1, reason: "storm" },
        () => basic,
        "subscriber.extend",
        "ada",
      ],
      ["POST /api/v1/invoice/void", { invoice_id: 1, reason: "wrong" }, () => basic, "invoice.void", "ada"],
      ["POST /api/v1/subscriber/freeze", { user_id: 1 }, () => basic, "subscriber.freeze", "ada"],
      ["POST /api/v1/subscriber/thaw", { user_id: 1 }, () => basic, "subscriber.thaw", "ada"],
      ["POST /api/v1/card/redeem", { user_id: 1, code: cardOf(app.db) }, () => basic, "card.redeem", "ada"],
      ["POST /api/v1/payment/take", handed, () => basic, "payment.take", "ada"],
      ["POST /api/v1/payment/refund", handed, () => basic, "payment.refund", "ada"],
      ["POST /api/v1/payment/reverse", { id: 1, reason: "E" }, () => basic, "payment.reverse", "ada"],
      [
        "POST /api/v1/wallet/adjust",
        { user_id: 1, amount: 1, direction: "up", reason: "F" },
        () => basic,
        "wallet.adjust",
        "ada",
      ],
      [
        "POST /api/v1/card_batch/create",
        { kind: "access", package_id: 1, quantity: 2, price: 1 },
        () => basic,
        "card_batch.create",
        "ada",
      ],
      [
        "POST /api/v1/card_batch/sell",
        { id: 3, first_serial: 1, last_serial: 1, method: "cash" },
        () => basic,
        "card.sell",
        "ada",
      ],
      ["POST /api/v1/card/sell", { id: 1, method: "cash" }, () => basic, "card.sell", "ada"],
      ["POST /api/v1/card/unlock", { id: 2 }, () => basic, "card.unlock", "ada"],
      ["POST /api/v1/card/reprint", { id: 1 }, () => basic, "card.reprint", "ada"],
      ["POST /api/v1/card/void", { id: 1, reason: "G" }, () => basic, "card.void", "ada"],
      ["POST /api/v1/card_batch/void", { id: 3, reason: "G" }, () => basic, "card_batch.void", "ada"],
      ["POST /api/v1/api_key/create", { name: "books", role_code: 1 }, () => basic, "api_key.create", "ada"],
      ["POST /api/v1/api_key/update/11", { name: "ledger" }, () => basic, "api_key.update", "ada"],
      ["POST /api/v1/api_key/rotate/11", {}, () => basic, "api_key.rotate", "ada"],
      ["POST /api/v1/api_key/revoke/11", {}, () => basic, "api_key.revoke", "ada"],
      [
        "POST /api/v1/feed/create",
        { name: "lq", address: "10.0.0.20", secret: "hush-hush" },
        () => basic,
        "feed.create",
        "ada",
      ],
      ["POST /api/v1/feed/update/1", { port: 18130 }, () => basic, "feed.update", "ada"],
      ["POST /api/v1/feed/enable/1", { enabled: 0 }, () => basic, "feed.disable", "ada"],
      ["POST /api/v1/feed/enable/1", { enabled: 1 }, () => basic, "feed.enable", "ada"],
      ["DELETE /api/v1/feed/delete/1", {}, () => basic, "feed.delete", "ada"],
      [
        "POST /api/v1/webhook/create",
        { url: "https://hook.example/a", types: "*" },
        () => basic,
        "webhook.create",
        "ada",
      ],
      ["POST /api/v1/webhook/update/1", { note: "x" }, () => basic, "webhook.update", "ada"],
      ["POST /api/v1/webhook/rotate/1", {}, () => basic, "webhook.rotate", "ada"],
      ["POST /api/v1/webhook/secret/1", {}, () => basic, "webhook.secret", "ada"],
      ["POST /api/v1/webhook/test/1", {}, () => basic, "webhook.test", "ada"],
      ["POST /api/v1/webhook/replay/1", {}, () => basic, "webhook.replay", "ada"],
      ["POST /api/v1/webhook/resend/1", { from: "2030-01-01" }, () => basic, "webhook.resend", "ada"],
      ["POST /api/v1/webhook/enable/1", { enabled: 0 }, () => basic, "webhook.disable", "ada"],
      ["DELETE /api/v1/webhook/delete/1", {}, () => basic, "webhook.delete", "ada"],
      ["POST /api/v1/channel/create", webChannel, () => basic, "channel.create", "ada"],
      ["POST /api/v1/channel/update/1", { name: "x" }, () => basic, "channel.update", "ada"],
      [
        "POST /api/v1/channel/secret/1",
        { name: "key", value: SECRETS[0] },
        () => basic,
        "channel.secret",
        "ada",
      ],
      ["POST /api/v1/channel/test/1", { to: "+44 1632 960000" }, () => basic, "channel.test", "ada"],
      ["POST /api/v1/message_template/ready", {}, () => basic, "message_template.ready", "ada"],
      [
        "POST /api/v1/message_template/save",
        { name: "hello", language: "en", body: "Hello" },
        () => basic,
        "message_template.save",
        "ada",
      ],
      [
        "POST /api/v1/message_rule/create",
        { name: "A", on: "expiry", audience: "subscriber", channel_id: 1, template: "hello" },
        () => basic,
        "message_rule.create",
        "ada",
      ],
      ["POST /api/v1/message_rule/update/1", { late_by: 600 }, () => basic, "message_rule.update", "ada"],
      ["POST /api/v1/message/again_many", { rule_id: 1 }, withMessage("failed"), "message.again_many", "ada"],
      [
        "POST /api/v1/message/cancel_many",
        { rule_id: 1 },
        withMessage("waiting"),
        "message.cancel_many",
        "ada",
      ],
      ["DELETE /api/v1/message_rule/delete/1", {}, () => basic, "message_rule.delete", "ada"],
      ["DELETE /api/v1/message_template/delete/1", {}, () => basic, "message_template.delete", "ada"],
      ["POST /api/v1/channel/enable/1", { enabled: 0 }, () => basic, "channel.disable", "ada"],
      ["POST /api/v1/channel/enable/1", { enabled: 1 }, () => basic, "channel.enable", "ada"],
      ["DELETE /api/v1/channel/delete/1", {}, withoutMessages, "channel.delete", "ada"],
      ["POST /api/v1/channel/create", webChannel, () => basic, "channel.create", "ada"],
      [
        "POST /api/v1/message/send",
        { user_id: 1, channel_id: 2, body: "Hello", anyway: 1 },
        () => basic,
        "message.write",
        "ada",
      ],
      [
        "POST /api/v1/payment_source/create",
        { kind: "provider", name: "Xendit", method: "online", preset: "xendit", secret: "token-123" },
        () => basic,
        "payment_source.create",
        "ada",
      ],
      [
        "POST /api/v1/payment_source/update/1",
        { method: "bank" },
        () => basic,
        "payment_source.update",
        "ada",
      ],
      ["POST /api/v1/payment_source/rotate/1", {}, () => basic, "payment_source.rotate", "ada"],
      ["POST /api/v1/payment_source/enable/1", { enabled: 0 }, () => basic, "payment_source.disable", "ada"],
      ["DELETE /api/v1/payment_source/delete/1", {}, () => basic, "payment_source.delete", "ada"],
      [
        "POST /api/v1/incoming_payment/bank_file",
        {
          name: "a.csv",
          content: "Day,Sum,Text\n2030-01-15,5,x\n2030-01-15,6,y\n",
          date_column: "Day",
          amount_column: "Sum",
          text_column: "Text",
        },
        () => basic,
        "bank_file.take",
        "ada",
      ],
      ["POST /api/v1/incoming_payment/raw/1", {}, () => basic, "incoming_payment.raw", "ada"],
      [
        "POST /api/v1/incoming_payment/assign/1",
        { user_id: 1 },
        () => basic,
        "incoming_payment.assign",
        "ada",
      ],
      [
        "POST /api/v1/incoming_payment/dismiss/2",
        { reason: "A" },
        () => basic,
        "incoming_payment.dismiss",
        "ada",
      ],
      [
        "POST /api/v1/payment/receive",
        {
          external_id: "T-1",
          provider: "desk",
          amount: 1,
          currency: "USD",
          username: "user1",
          paid_at: "2030-01-15 12:00:00",
        },
        () => basic,
        "payment.take",
        "ada",
      ],
      ["POST /api/v1/closing/close", { counted: 0 }, () => basic, "closing.close", "ada"],
      ["POST /api/v1/closing/confirm", { id: 1 }, () => basic, "closing.confirm", "ada"],
      ["POST /api/v1/subscriber/login", subscriberLogin, () => "", "subscriber.sign_in", "subscriber user1"],
      ["POST /api/v1/subscriber/logout", {}, bearer, "subscriber.logout", "subscriber user1"],
      ["POST /api/v1/subscriber/login", subscriberLogin, () => "", "subscriber.sign_in", "subscriber user1"],
      ["POST /api/v1/subscriber/logout-all", {}, bearer, "subscriber.logout_all", "subscriber user1"],
    ];
  for (const [operation, fields, authorization, action, actor] of writes) {
    const [method = "", path = ""] = operation.split(" ");
    expect({ operation, status: await call(method, path, fields, authorization()) }).toEqual({
      operation,
      status: 200,
    });
    expect(written()).toEqual({ action, actor, source: "127.0.0.1" });
  }
  await lan.stop();

  const auditLog = JSON.stringify(app.db.$client.query("SELECT * FROM audit_entries").all());
  const answer = await auditText(app);
  for (const secret of [...SECRETS, ...tokens]) {
    expect(auditLog).not.toContain(secret);
    expect(answer).not.toContain(secret);
  }
  for (const [, , , action] of writes)
    for (const part of en.trail.actions[action]?.("\n").split("\n") ?? [action])
      expect(answer).toContain(part.trim());
});

/** All pages of the trail in the console, and its file, as the operator of the box sees them. */
async function auditText(app: Tenants): Promise<string> {
  const cookie = await consoleSessionOf(app, callers.operator);
  let all = "";
  const ask = async (path: string) => {
    const response = await app.app.handle(new Request(`http://localhost${path}`, { headers: { cookie } }));
    expect(response.status).toBe(200);
    return response.text();
  };
  for (let path: string | undefined = "/console/trail"; path !== undefined;) {
    const text = await ask(path);
    all += text.replaceAll(/<select.*?<\/select>|<[^>]*>/gs, "");
    path = /<a (?=[^>]*rel="next")[^>]*href="([^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&");
  }
  return all.replaceAll(/\s+/g, " ") + (await ask("/console/trail.csv"));
}
