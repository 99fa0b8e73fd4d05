import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { migrate } from "../../db/migrate.ts";
import { migrations } from "../../db/migrations.ts";
import { starters } from "../../src/http/console/pages/team/starters.ts";

const MORE = migrations.findIndex(({ tag }) => tag.endsWith("_tax_and_roles"));
/** What Clerk and Reseller began with before. */
const clerk = [
  ...["subscriber_view", "subscriber_add", "subscriber_note", "subscriber_activate", "payment_view"],
  ...["payment_take", "closing_own", "package_view", "message_send"],
];
const reseller = [
  ...["subscriber_view", "subscriber_add", "subscriber_edit", "subscriber_note", "subscriber_activate"],
  ...["subscriber_disconnect", "session_view", "package_view", "payment_view", "payment_take", "wallet_view"],
];

test("roles as the console made them get what they begin with now, and what somebody changed stays", () => {
  const client = new Database(":memory:", { strict: true });
  migrate(client, { now: 1, list: migrations.slice(0, MORE) });
  client.run("INSERT INTO isps (id, name) VALUES (1, 'Northlink')");
  const roles: [name: string, flags: string[]][] = [
    ["clerk", clerk],
    ["reseller", reseller],
    ["a clerk who refunds", [...clerk, "payment_refund"]],
    ["a clerk who takes nothing", clerk.filter((flag) => flag !== "payment_take")],
  ];
  for (const [index, [name, flags]] of roles.entries()) {
    const code = index + 1;
    client.run("INSERT INTO roles (isp_id, code, name, permissions_set, created_at) VALUES (1, ?, ?, 1, 1)", [
      code,
      name,
    ]);
    for (const flag of flags)
      client.run("INSERT INTO role_permissions (role_code, flag, value) VALUES (?, ?, 1)", [code, flag]);
    // what was ticked off again is there with 0
    client.run("INSERT INTO role_permissions (role_code, flag, value) VALUES (?, 'card_view', 0)", [code]);
  }
  migrate(client, { now: 2 });
  const flagsOf = (code: number) =>
    client
      .query<{ flag: string }, [number]>(
        "SELECT flag FROM role_permissions WHERE role_code = ? AND value = 1 ORDER BY flag",
      )
      .all(code)
      .map(({ flag }) => flag);
  const begins = (key: string) => [...(starters.find((one) => one.key === key)?.flags ?? [])].toSorted();
  expect([flagsOf(1), flagsOf(2)]).toEqual([begins("clerk"), begins("reseller")]);
  expect([flagsOf(3), flagsOf(4)]).toEqual([
    [...clerk, "payment_refund"].toSorted(),
    clerk.filter((flag) => flag !== "payment_take").toSorted(),
  ]);
  const outcome = client
    .query("SELECT entity_id AS role, action, actor, after FROM audit_entries ORDER BY id")
    .all();
  expect(outcome).toEqual([
    {
      role: "1",
      action: "role.permissions",
      actor: "gatehouse",
      after: expect.stringContaining('"subscriber_password":1'),
    },
    {
      role: "2",
      action: "role.permissions",
      actor: "gatehouse",
      after: '{"card_sell":1,"card_view":1}',
    },
  ]);
});
