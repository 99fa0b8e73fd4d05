import { expect, test } from "bun:test";
import { listen } from "../../src/http/server.ts";
import { fillMoney } from "../support/money.ts";
import { callers, openSession, sam, withTenants } from "../support/tenants.ts";

const SECRETS = ["secret-1", "pw-1", "pw-new", "pw-sam"];

test("every write leaves an entry: who, what, and from which address", async () => {
  using app = await withTenants();
  openSession(app, 1);
  fillMoney(app.db, app.clock.now);
  const lan = listen(app.app, { hostname: "127.0.0.1", port: 0 });
  let tokens: string[] = [];

  const call = async (method: string, path: string, fields: object, authorization: string) => {
    const response = await fetch(`http://${lan.address}${path}`, {
      method,
      headers: { authorization, ...(method === "POST" && { "content-type": "application/json" }) },
      ...(method === "POST" && { body: JSON.stringify(fields) }),
    });
    const text = await response.text();
    tokens = [...tokens, ...(text.match(/(?<="token":")[^"]+/g) ?? [])];
    return response.status;
  };
  const written = () =>
    app.db.$client
      .query<{ action: string; actor: string; source: string }, []>(
        "SELECT action, actor, source FROM audit_entries ORDER BY id DESC LIMIT 1",
      )
      .get();

  const basic = `Basic ${btoa(callers.admin)}`;
  const bearer = () => `Bearer ${tokens.at(-1)}`;
  const staffLogin = { email: "ada", password: "secret-1" };
  const subscriberLogin = { username: "user1", password: "pw-new" };
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

  const trail = JSON.stringify(app.db.$client.query("SELECT * FROM audit_entries").all());
  for (const secret of [...SECRETS, ...tokens]) expect(trail).not.toContain(secret);
});
