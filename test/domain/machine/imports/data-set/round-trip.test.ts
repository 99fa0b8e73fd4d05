import { expect, test } from "bun:test";
import { join } from "node:path";
import { write } from "../../../../../db/open.ts";
import { extend } from "../../../../../src/domain/service/activation/extend.ts";
import { fieldNames } from "../../../../../src/domain/core/fields/fields.ts";
import {
  cardBatchFields,
  cardFields,
  cardTemplateFields,
} from "../../../../../src/domain/machine/imports/data-set/card-fields.ts";
import { packageFields } from "../../../../../src/domain/goods/packages/fields.ts";
import { columnFields } from "../../../../../src/domain/goods/subscribers/fields.ts";
import { freezeService, thawOverdue } from "../../../../../src/domain/desk/subscriber-page/freeze-service.ts";
import { formatTime } from "../../../../../src/domain/core/time/time.ts";
import { verifyPassword } from "../../../../../src/domain/people/staff/passwords.ts";
import { smallIsp } from "../../../../cli/harness.ts";
import { SECRET_1_HASH } from "../../../../support/people.ts";
import { by, NOW, Store } from "./store.ts";

const DAY = 86_400;
const root = join(import.meta.dir, "../../../../..");

/** The example of the import format (README), every field given. */
const example = {
  settings: { disconnect_enabled: false, currency: "EUR" },
  isps: [{ id: 1, name: "Northlink", branches: [{ id: 1, name: "Centre" }] }],
  cities: [{ id: 1, isp_id: 1, name: "Riverton" }],
  areas: [{ id: 1, isp_id: 1, city_id: 1, name: "East" }],
  subareas: [{ id: 1, isp_id: 1, area_id: 1, name: "Block 4" }],
  permission_flags: ["ticket_view"],
  roles: [
    {
      code: 3,
      isp_id: 1,
      name: "Support",
      needs_second_factor: 1,
      permissions: { api_access: 1, ticket_view: 1 },
    },
  ],
  staff: [
    {
      id: 1,
      isp_id: 1,
      branch_id: 1,
      name: "Ada",
      username: "ada",
      email: "Ada@isp.example",
      phone: "100",
      password: "secret-1",
      profile_type: 3,
      role_code: 3,
      status: 1,
      credit_limit: "5.00",
      balance: "12.30",
    },
    {
      id: 2,
      isp_id: 0,
      branch_id: 0,
      name: "Op",
      username: "op",
      password: "secret-2",
      profile_type: 1,
      status: 2,
    },
  ],
  nas: [
    {
      id: 1,
      isp_id: 1,
      name: "core",
      address: "10.0.0.0/24",
      secret: "testing123",
      require_message_authenticator: "yes",
      swap_octets: true,
      coa_event_timestamp: true,
      coa_port: 1700,
      disconnect_method: "coa",
      mppe: "allowed",
      kind: "accel-ppp",
      routeros: {
        host: "10.0.0.1",
        port: 8729,
        username: "api",
        password: "x",
        tls: true,
        tls_fingerprint: "AB:".repeat(31) + "CD",
      },
    },
    { id: 2, isp_id: 1, name: "edge", address: "2001:db8::1", secret: "s", routeros: null },
  ],
  packages: [
    {
      id: 1,
      isp_id: 1,
      name: "Home 10",
      price: "15.00",
      billing_type: "postpaid",
      duration: 30,
      duration_unit: "day",
      rate_limit: "10M/10M 20M/20M 5M/5M 16/12 8",
      data_quota_bytes: 50_000_000_000,
      quota_exceeded: "1M/1M",
      framed_pool: "pool",
      framed_ipv6_pool: "pool6",
      delegated_ipv6_pool: "pd6",
      address_list: "list",
      expired_pool: "expired",
      expired_address_list: "expired-list",
      simultaneous_use: 2,
      idle_timeout: 600,
      reply_attributes: "Framed-Route=10.9.0.0/24\nCisco-AVPair=ip:vrf-id=GOLD",
      tiers: "20GB 2M/2M; 40GB 512k/512k",
      fair_window: "week",
      hours: "mon-fri 22:00-06:00 free 20M/20M",
      top_up_bytes: 0,
      top_up_days: 0,
      top_up_rolls: 0,
      address_pool: null,
      delegated_ipv6_from: null,
      reseller_price: "12.00",
      status: 0,
    },
  ],
  subscribers: [
    {
      id: 1,
      isp_id: 1,
      branch_id: 1,
      name: "Sam",
      username: "Sam",
      password: "pw-sam",
      portal_pass: SECRET_1_HASH,
      package_id: 1,
      connection_type_id: 2,
      salesperson_id: 1,
      nas_id: 1,
      nic_number: "N1",
      mobile_number: "M1",
      phone_number: "P1",
      circuit_id: "port 1",
      remote_id: "0x00ff",
      pool_ip: null,
      pool_prefix: null,
      email: "Sam@x.example",
      address: "Line 1\nLine 2",
      city_id: 1,
      area_id: 1,
      subarea_id: 1,
      latitude: 51.5,
      longitude: -0.12,
      box_number: "b",
      box_address: "ba",
      uplink_port: "u",
      fiber_code: "fc",
      fiber_color: "red",
      switch_board: "sb",
      switch_port: "sp",
      backup_connection: "bc",
      electricity_socket: "es",
      cable_type: "ct",
      static_ip: "10.0.0.7",
      framed_ipv6_prefix: "2001:db8:1::/64",
      delegated_ipv6_prefix: "2001:db8:100::/56",
      mac_address: "02-00-00-00-00-0a",
      mac_lock: 1,
      mac_login: 1,
      sms_status: 1,
      auto_renew: 1,
      credit_limit: "50.00",
      archived_at: null,
      any_connection: 1,
      language: "sw",
      messages_off: 1,
      reply_attributes: "Filter-Id=office",
      status: 1,
      global_note: "hello",
      balance: "100.00",
      current_expiration_date: "2030-01-01 00:00:00",
      staff_notes: [{ note: "called", added_by: 1 }],
    },
    {
      id: 2,
      isp_id: 1,
      name: "Tom",
      username: "tom",
      password: "pw-tom",
      package_id: 1,
      connection_type_id: 5,
      salesperson_id: null,
      nas_id: null,
      nic_number: "N2",
      mobile_number: "M2",
      current_expiration_date: null,
    },
  ],
  card_templates: [
    {
      id: 1,
      isp_id: 1,
      name: "Kiosk",
      sheet: "roll-80",
      heading: "Northlink",
      line_1: "one",
      line_2: "",
      logo: 0,
      validity: 1,
      price: 0,
      serial: 1,
      wifi: 0,
      login_qr: 1,
      wifi_qr: 1,
    },
  ],
  card_batches: [
    {
      id: 3,
      isp_id: 1,
      branch_id: 1,
      kind: "package",
      package_id: 1,
      quantity: 2,
      prefix: "N",
      length: 8,
      alphabet: "0123456789",
      price: "3.00",
      reseller_id: 1,
      reseller_price: "2.00",
      charge_on: "use",
      needs_sale: 1,
      sell_by: "2030-01-01 00:00:00",
      use_by: "2031-01-01 00:00:00",
      duration: 3,
      duration_unit: "day",
      uptime_seconds: 3600,
      rate_limit: "5M/5M",
      data_quota_bytes: 7,
      quota_exceeded: "1M/1M",
      framed_pool: "pool",
      framed_ipv6_pool: "pool6",
      delegated_ipv6_pool: "pd6",
      address_list: "list",
      expired_pool: "expired",
      expired_address_list: "expired-list",
      simultaneous_use: 2,
      idle_timeout: 600,
      reply_attributes: "Tunnel-Type:1=VLAN",
      lock_first_device: 1,
      offline: 0,
      note: "kiosk\nat the pier",
      origin: "phpnuxbill",
      created_at: "2029-01-01 00:00:00",
      created_by: 1,
      actor: null,
      voided_at: "2029-06-01 00:00:00",
    },
  ],
  cards: [
    {
      id: 20,
      batch_id: 3,
      serial: 1,
      code: "N12345678",
      state: "void",
      sold_at: "2029-02-01 00:00:00",
      sold_by: 1,
      first_used_at: "2029-02-02 00:00:00",
      ends_at: "2029-02-05 00:00:00",
      used_seconds: 3600,
      used_octets: 9,
      used_up_at: "2029-02-03 00:00:00",
      locked_mac: "02:00:00:00:00:0A",
      redeemed_by: 1,
      charged_at: "2029-02-02 00:00:05",
      voided_at: "2029-02-04 00:00:00",
      voided_by: 1,
      void_reason: "stolen",
    },
    { id: 21, batch_id: 3, serial: 2, code: "N87654321" },
  ],
};

test("the example has every field of a package, of a subscriber and of cards", () => {
  const options = (rows: readonly object[]) => new Set(rows.flatMap((row) => Object.keys(row)));
  const ofSubscribers = new Set(fieldNames(columnFields));
  expect(new Set(fieldNames(packageFields)).difference(options(example.packages))).toEqual(new Set());
  expect(ofSubscribers.difference(options(example.subscribers))).toEqual(new Set());
  const ofCards = [
    [cardTemplateFields, example.card_templates],
    [cardBatchFields, example.card_batches],
    [cardFields, example.cards],
  ] as const;
  for (const [fields, rows] of ofCards)
    expect(new Set(Object.keys(fields)).difference(options(rows))).toEqual(new Set());
});

test("everything that a file gives comes out again", async () => {
  using store = new Store();
  await store.import(example);
  const { roles, staff, subscribers, permission_flags, ...others } = store.export();
  expect(others).toMatchObject({
    settings: example.settings,
    isps: example.isps,
    cities: example.cities,
    areas: example.areas,
    subareas: example.subareas,
    nas: example.nas,
    packages: example.packages,
    card_templates: example.card_templates,
    card_batches: example.card_batches,
    cards: example.cards,
  });
  expect(permission_flags).toContain("ticket_view");
  expect(roles).toMatchObject([{ code: 3, permissions: { api_access: 1, ticket_view: 1, role_view: 0 } }]);
  const [ada, op] = example.staff.map(({ password: _password, ...account }) => account);
  expect(staff).toMatchObject([{ ...ada }, { ...op }]);
  expect(await verifyPassword("secret-1", staff[0]?.password_hash)).toBe(true);
  const [sam, tom] = example.subscribers;
  expect(subscribers).toMatchObject([
    { ...sam, mac_address: "02:00:00:00:00:0A" },
    { ...tom, balance: "0.00" },
  ]);
});

test("an export with secrets makes an equal store of an empty one", async () => {
  using first = new Store();
  using second = new Store();
  // not in the order of their ids
  await first.import({
    ...example,
    subscribers: [{ ...example.subscribers[1], balance: "3.00" }, example.subscribers[0]],
  });
  await second.import(first.export());
  expect(second.content()).toBe(first.content());
});

test("who stands still and who was extended on trust comes out again, and goes on as before", async () => {
  using first = new Store();
  using second = new Store();
  const [sam, tom] = example.subscribers;
  const end = formatTime(NOW + 10 * DAY);
  const line = { current_expiration_date: end, connection_type_id: 1, staff_notes: [] };
  await first.import({ ...example, subscribers: [{ ...sam, ...line }, Object.assign({ ...tom }, line)] });
  const frozen = write(first.db, (tx) => freezeService(tx, by, 1, NOW + DAY));
  extend(first.db, by, { subscriberId: 2, hours: 48, reason: "storm", trust: true }, { now: NOW });
  const exported = first.export();
  expect(exported.subscribers).toMatchObject([
    { current_expiration_date: end, frozen_at: formatTime(NOW + DAY), paid_until: null, renews_from: null },
    { frozen_at: null, paid_until: end, renews_from: end },
  ]);
  await second.import(exported, { now: NOW + 2 * DAY });
  expect(second.content()).toBe(first.content());
  expect(thawOverdue(second.db, by, { now: frozen.until - 1 })).toBe(0);
  for (const store of [first, second]) {
    expect(thawOverdue(store.db, by, { now: frozen.until })).toBe(1);
    expect(store.export().subscribers).toMatchObject([
      { current_expiration_date: formatTime(NOW + 100 * DAY), frozen_at: null },
      { renews_from: end },
    ]);
  }
});

test("an export without secrets says none, and its own store takes it back unchanged", async () => {
  using store = new Store();
  await store.import(example);
  const before = store.export();
  const exported = store.export(false);
  expect(JSON.stringify(exported)).not.toMatch(/pw-sam|secret-1|testing123|argon2|"x"|N12345678/);
  const { summary } = await store.import(exported);
  expect(Object.values(summary)).toEqual(Object.values(summary).map(() => ({ added: 0, changed: 0 })));
  expect(store.export()).toEqual(before);
  expect(store.rows("SELECT count(*) AS entries FROM ledger_entries")).toEqual([{ entries: 2 }]);
});

test("the same file again changes nothing, whatever happened to its services meanwhile", async () => {
  using store = new Store();
  await store.import(example);
  store.db.$client.run("UPDATE services SET quota_used = 5, activated_at = 1, quota_crossed_at = 2");
  const rows = () =>
    ["isps", "staff", "nas", "packages", "subscribers", "services", "staff_notes", "ledger_entries"].map(
      (table) => store.rows(`SELECT * FROM ${table}`),
    );
  const before = rows();
  const generation = store.rows("SELECT * FROM generations");
  const { summary } = await store.import(example, { now: NOW + 60 });
  expect(Object.values(summary)).toEqual(Object.values(summary).map(() => ({ added: 0, changed: 0 })));
  expect(rows()).toEqual(before);
  expect(store.rows("SELECT * FROM generations")).toEqual(generation); // the routers' configuration is not read again
});

test("only what differs is written and counted", async () => {
  using store = new Store();
  await store.import(example);
  const [sam, tom] = example.subscribers;
  const [ada, op] = example.staff;
  const { summary } = await store.import({
    settings: { ...example.settings, disconnect_enabled: true },
    isps: [{ id: 1, name: "Northlink", branches: [{ id: 1, name: "Middle" }] }],
    roles: [{ code: 3, permissions: { ticket_view: 0 } }],
    staff: [
      { ...ada, balance: "1.00" },
      { ...op, password: "another" },
    ],
    nas: [{ ...example.nas[0], secret: "another" }],
    subscribers: [
      { ...sam, staff_notes: [] },
      { ...tom, balance: "5.00" },
    ],
  });
  const one = { added: 0, changed: 1 };
  expect(summary).toMatchObject({
    settings: one,
    isps: { added: 0, changed: 0 },
    branches: one,
    roles: one,
    staff: { added: 0, changed: 2 },
    nas: one,
    subscribers: { added: 0, changed: 2 },
  });
  const { roles, staff, nas, subscribers } = store.export();
  expect(roles[0]?.permissions).toMatchObject({ api_access: 1, ticket_view: 0 });
  expect(staff.map(({ balance }) => balance)).toEqual(["1.00", "0.00"]);
  expect(nas[0]?.secret).toBe("another");
  expect(subscribers.map(({ staff_notes }) => staff_notes)).toEqual([[], []]);
  expect(subscribers[1]?.balance).toBe("5.00");
});

test("the demo ISP imports, twice too", async () => {
  using store = new Store();
  const printed = Bun.spawnSync([process.execPath, join(root, "scripts/demo-isp.ts")]).stdout.toString();
  const demo: unknown = JSON.parse(printed);
  expect((await store.import(demo)).summary).toMatchObject({ subscribers: { added: 200, changed: 0 } });
  expect((await store.import(demo)).summary).toMatchObject({ subscribers: { added: 0, changed: 0 } });
  const types = store.rows("SELECT DISTINCT connection_type_id AS type FROM subscribers ORDER BY type");
  expect(types.map(({ type }) => type)).toEqual([1, 2, 3, 4, 5]);
});

test("an import of 3,000 subscribers keeps others from writing for a small part of its time", async () => {
  using store = new Store();
  const subscribers = Array.from({ length: 3000 }, (_, index) => ({
    ...example.subscribers[0],
    id: index + 1,
    username: `user${index}`,
    nic_number: `N${index}`,
    mobile_number: `M${index}`,
    phone_number: `P${index}`,
    email: `user${index}@x.example`,
    static_ip: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
    framed_ipv6_prefix: `2001:db8:1:${index.toString(16)}::/64`,
    delegated_ipv6_prefix: `2001:db8:2:${index.toString(16)}::/64`,
    circuit_id: `port ${index}`,
  }));
  const started = performance.now();
  const watch = watchLock(join(store.folder, "gatehouse.db"));
  await store.import({ ...example, subscribers });
  const took = performance.now() - started;
  // preparing needs no lock; a share, because the machine may be busy with something else
  const locked = await watch.longest();
  expect(locked).toBeGreaterThan(0);
  expect(locked).toBeLessThan(took * 0.5);
  expect(store.rows("SELECT count(*) AS count FROM services")).toEqual([{ count: 3000 }]);
});

test("an import is one entry of the audit trail, without secrets", async () => {
  using store = new Store();
  await store.import(smallIsp());
  const entries = store.rows("SELECT action, actor, source, after FROM audit_entries");
  expect(entries).toMatchObject([{ action: "data.import", actor: "test", source: "cli" }]);
  expect(JSON.parse(String(entries[0]?.["after"]))).toMatchObject({ subscribers: { added: 2, changed: 0 } });
});

/** How long somebody else had to wait for the write lock, at the longest, in milliseconds. */
function watchLock(file: string) {
  const program = `
    const db = new (await import("bun:sqlite")).Database(${JSON.stringify(file)});
    let longest = 0, since = performance.now();
    process.on("SIGTERM", () => { console.log(longest); process.exit(); });
    for (;;) {
      try { db.run("BEGIN IMMEDIATE"); db.run("ROLLBACK"); since = performance.now(); }
      catch { longest = Math.max(longest, performance.now() - since); }
      await Bun.sleep(2);
    }`;
  const watcher = Bun.spawn([process.execPath, "-e", program], { stdout: "pipe" });
  return {
    async longest() {
      watcher.kill();
      return Number(await watcher.stdout.text());
    },
  };
}
