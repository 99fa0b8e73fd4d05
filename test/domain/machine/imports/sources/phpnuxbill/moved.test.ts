import { describe, expect, test } from "bun:test";
import type { DumpRow } from "../../../../../../src/domain/machine/imports/dump/row.ts";
import { toMoved } from "../../../../../../src/domain/machine/imports/sources/phpnuxbill/moved.ts";
import { Tables } from "../../../../../../src/domain/machine/imports/sources/phpnuxbill/tables.ts";
import { inMemory, NOW, options, rowsOf, noticesOf } from "../rows.ts";

type Cells = Readonly<Record<string, string | null>>;

/** Rows of a table, each with the columns that it names. */
const rows = (table: string, ...cells: Cells[]): DumpRow[] =>
  cells.flatMap((row) => rowsOf(table, Object.keys(row).join(" "), Object.values(row)));

const customer = (more: Cells = {}) =>
  rows("tbl_customers", {
    id: "1",
    username: "sam",
    password: "pw sam",
    pppoe_username: "",
    pppoe_password: "",
    pppoe_ip: "",
    fullname: "Sam Ode",
    phonenumber: "0",
    email: "1",
    balance: "12.50",
    service_type: "Others",
    auto_renewal: "1",
    status: "Active",
    created_at: "2025-01-02 03:04:05",
    ...more,
  });
const plan = (more: Cells = {}) =>
  rows("tbl_plans", {
    id: "3",
    name_plan: "Home 10",
    id_bw: "2",
    price: "150000",
    type: "PPPOE",
    validity: "1",
    validity_unit: "Months",
    pool: "dsl",
    enabled: "1",
    prepaid: "yes",
    ...more,
  });
const bandwidth = (more: Cells = {}) =>
  rows("tbl_bandwidth", {
    id: "2",
    rate_down: "10",
    rate_down_unit: "Mbps",
    rate_up: "512",
    rate_up_unit: "Kbps",
    burst: "",
    ...more,
  });
const recharge = (more: Cells = {}) =>
  rows("tbl_user_recharges", {
    id: "9",
    customer_id: "1",
    username: "sam",
    plan_id: "3",
    namebp: "Home 10",
    recharged_on: "2026-11-01",
    recharged_time: "10:00:00",
    expiration: "2026-12-01",
    time: "10:00:00",
    status: "on",
    routers: "Tower",
    type: "PPPOE",
    ...more,
  });

function moved(rows: readonly DumpRow[], zone?: string) {
  const settings = options(zone);
  const tables = new Tables(settings.notices.scratch);
  for (const row of rows) tables.add(row, "nux.sql");
  const found = inMemory(toMoved(tables, settings));
  return {
    ...found,
    subscriber: found.subscribers[0],
    sold: found.packages[0],
    notices: settings.notices.rows,
  };
}
const whole = (...more: DumpRow[][]) => [
  ...customer(),
  ...plan(),
  ...bandwidth(),
  ...recharge(),
  ...more.flat(),
];
const at = (text: string) => Date.parse(`${text}Z`) / 1000;

test("a customer comes with line, end, money and what is known of it", () => {
  const { subscriber, sold } = moved(whole());
  expect(subscriber).toEqual({
    at: { file: "nux.sql", line: 1 },
    username: "sam",
    password: "pw sam",
    connection: "ppp",
    name: "Sam Ode",
    address: "",
    city: "",
    area: "",
    mobile_number: "0",
    email: "1",
    nic_number: null,
    latitude: null,
    longitude: null,
    global_note: null,
    salesperson: null,
    createdAt: at("2025-01-02T03:04:05"),
    enabled: true,
    package: "Home 10",
    router: null,
    service: { expiresAt: at("2026-12-01T10:00:00") },
    static_ip: null,
    autoRenew: true,
    balance: "12.50",
    history: [],
  });
  expect(sold).toEqual({
    at: { file: "nux.sql", line: 1 },
    key: "Home 10",
    name: "Home 10",
    price: "150000.00",
    billing_type: "prepaid",
    duration: { count: 1, unit: "month" },
    rate_limit: "512k/10M",
    simultaneous_use: 1,
    framed_pool: "dsl",
    enabled: true,
  });
});

describe("the login of the line", () => {
  const ppp = { pppoe_username: "line7", pppoe_password: "pw7" };
  const cases: [name: string, customer: Cells, more: DumpRow[], expected: object][] = [
    ["of PPPoE", ppp, [...plan(), ...recharge()], { username: "line7", password: "pw7" }],
    [
      "of PPPoE, without a password of its own",
      { pppoe_username: "line7" },
      [...plan(), ...recharge()],
      { username: "line7", password: "pw sam" },
    ],
    [
      "of PPPoE, with a password alone",
      { pppoe_password: "pw7" },
      [...plan(), ...recharge()],
      { username: "sam", password: "pw7" },
    ],
    [
      "of a hotspot",
      ppp,
      [...plan({ type: "Hotspot" }), ...recharge({ type: "Hotspot" })],
      { username: "sam", password: "pw sam", connection: "hotspot" },
    ],
    [
      "of a VPN",
      ppp,
      [...plan({ type: "VPN" }), ...recharge({ type: "VPN" })],
      { username: "line7", connection: "ppp" },
    ],
    [
      "at FreeRADIUS",
      ppp,
      [...plan({ device: "Radius" }), ...recharge()],
      { username: "sam", password: "pw7", connection: "ppp" },
    ],
    [
      "nothing bought, PPPoE",
      { ...ppp, service_type: "PPPoE" },
      [],
      { username: "line7", service: null, package: null },
    ],
    [
      "nothing bought, hotspot",
      { ...ppp, service_type: "Hotspot" },
      [],
      { username: "sam", connection: "hotspot" },
    ],
    ["nothing bought, others", {}, [], { username: "sam", connection: null }],
    ["no password", { password: "" }, [], { password: { lost: "none" } }],
    ["a hash", { password: "$2y$10$abc" }, [], { password: { lost: "hashed" } }],
  ];
  test.each(cases)("%s", (_, options, more, expected) => {
    expect(moved([...customer(options), ...more]).subscriber).toMatchObject(expected);
  });

  test("another one than the portal's is told", () => {
    const { notices } = moved([...customer(ppp), ...plan(), ...recharge()]);
    expect(noticesOf(notices, "note")).toContain(
      "line7: its line logs in as line7 (pppoe_username); to the portal it was sam there",
    );
  });
});

describe("the end", () => {
  test("is in the zone that phpnuxbill is set to, and else in the server's", () => {
    expect(moved(whole(), "Asia/Baghdad").subscriber?.service).toEqual({
      expiresAt: at("2026-12-01T07:00:00"),
    });
    const zone = rows("tbl_appconfig", { id: "6", setting: "timezone", value: "Asia/Jakarta" });
    expect(moved(whole(zone), "Asia/Baghdad").subscriber?.service).toEqual({
      expiresAt: at("2026-12-01T03:00:00"),
    });
    const none = rows("tbl_appconfig", { id: "6", setting: "timezone", value: "Nowhere" });
    expect(moved(whole(none), "Asia/Baghdad").subscriber?.service).toEqual({
      expiresAt: at("2026-12-01T07:00:00"),
    });
  });

  const cases: [name: string, DumpRow[], string][] = [
    [
      "the one that runs, before one that ended later",
      [...recharge({ status: "off", expiration: "2026-11-21" }), ...recharge({ id: "10" })],
      "2026-12-01T10:00:00",
    ],
    [
      "the later of two that run",
      [...recharge({ expiration: "2026-12-05" }), ...recharge({ id: "10", type: "Hotspot" })],
      "2026-12-05T10:00:00",
    ],
    [
      "the last of those that are over",
      [...recharge({ expiration: "2026-10-05" }), ...recharge({ id: "10", expiration: "2026-11-05" })],
      "2026-11-05T10:00:00",
    ],
    ["now, where it was switched off before", recharge({ status: "off" }), "2026-11-22T12:00:00"],
    [
      "of a row that has the name alone",
      recharge({ customer_id: "0", username: "SAM" }),
      "2026-12-01T10:00:00",
    ],
  ];
  test.each(cases)("is %s", (_, recharges, expected) => {
    expect(moved([...customer(), ...plan(), ...recharges]).subscriber?.service).toEqual({
      expiresAt: at(expected),
    });
  });

  test("several packages at once are told", () => {
    const { notices } = moved(
      whole(recharge({ id: "10", type: "Hotspot", namebp: "Cafe", expiration: "2026-11-30" })),
    );
    expect(noticesOf(notices, "term_left")).toEqual([
      "sam: also has Cafe (Hotspot, until 2026-11-30 10:00:00); here a subscriber has one package, Home 10",
    ]);
  });
});

describe("plans", () => {
  const cases: [name: string, plan: Cells, bandwidth: Cells, expected: object][] = [
    ["minutes", { validity: "90", validity_unit: "Mins" }, {}, { duration: { count: 2, unit: "hour" } }],
    ["hours", { validity: "5", validity_unit: "Hrs" }, {}, { duration: { count: 5, unit: "hour" } }],
    ["days", { validity: "30", validity_unit: "Days" }, {}, { duration: { count: 30, unit: "day" } }],
    [
      "period",
      { validity: "1", validity_unit: "Period", prepaid: "no", expired_date: "20" },
      {},
      { duration: { count: 1, unit: "month" }, billing_type: "postpaid" },
    ],
    [
      "burst",
      {},
      { rate_up: "2", rate_up_unit: "Mbps", burst: "4M/20M 1M/5M 16s/12s 8" },
      { rate_limit: "2M/10M 4M/20M 1M/5M 16/12 8" },
    ],
    ["a burst that is none", {}, { burst: "much" }, { rate_limit: "512k/10M" }],
    [
      "bytes",
      {
        type: "Hotspot",
        typebp: "Limited",
        limit_type: "Data_Limit",
        data_limit: "5",
        data_unit: "GB",
        shared_users: "3",
      },
      {},
      { data_quota_bytes: 5_000_000_000, simultaneous_use: 3 },
    ],
    [
      "both",
      {
        type: "Hotspot",
        typebp: "Limited",
        limit_type: "Both_Limit",
        data_limit: "700",
        data_unit: "MB",
        time_limit: "3",
        time_unit: "Hrs",
      },
      {},
      { data_quota_bytes: 700_000_000 },
    ],
    ["off", { enabled: "0" }, {}, { enabled: false }],
    [
      "pools of an older version",
      { pool_expired: "garden", list_expired: "late" },
      {},
      { expired_pool: "garden", expired_address_list: "late" },
    ],
  ];
  test.each(cases)("%s", (_, options, rate, expected) => {
    expect(moved([...customer(), ...plan(options), ...bandwidth(rate)]).sold).toMatchObject(expected);
  });

  test.each([
    ["unlimited", { typebp: "Unlimited", limit_type: "Data_Limit", data_limit: "5" }, {}, "data_quota_bytes"],
    ["time alone", { typebp: "Limited", limit_type: "Time_Limit", data_limit: "5" }, {}, "data_quota_bytes"],
    ["no rate", {}, { rate_up: "0" }, "rate_limit"],
  ])("%s has none", (_, options: Cells, rate: Cells, name) => {
    expect(moved([...customer(), ...plan(options), ...bandwidth(rate)]).sold).not.toHaveProperty(name);
  });

  test("those of one name are told apart by their router, and who expires gets another's pool", () => {
    const { packages, notices } = moved([
      ...customer(),
      ...plan({ routers: "A", plan_expired: "5" }),
      ...plan({ id: "4", routers: "B" }),
      ...plan({ id: "5", name_plan: "Expired", pool: "garden" }),
      ...plan({ id: "6", name_plan: "Top up", type: "Balance" }),
    ]);
    expect(packages.map(({ key }) => key)).toEqual(["Home 10", "Home 10 (B)", "Expired"]);
    expect(packages[0]?.expired_pool).toBe("garden");
    expect(noticesOf(notices, "left_out").join()).toContain("Top up: sells balance");
  });

  test("one that was deleted is known by its name", () => {
    const { subscriber, packages, notices } = moved([
      ...customer(),
      ...recharge({ plan_id: "77", namebp: "Old" }),
    ]);
    expect(subscriber?.package).toBe("Old");
    expect(packages).toMatchObject([{ key: "Old", price: null }]);
    expect(noticesOf(notices, "package_made")).toHaveLength(1);
  });
});

test("who is not active is disabled, and told", () => {
  for (const status of ["Banned", "Disabled", "Inactive", "Limited", "Suspended"]) {
    const { subscriber, notices } = moved(customer({ status }));
    expect(subscriber?.enabled).toBe(false);
    expect(noticesOf(notices, "note")).toContain(`sam: is ${status} there, and disabled here`);
  }
});

test("automatic renewal counts where balances are in use", () => {
  const settings = (value: string) => rows("tbl_appconfig", { id: "6", setting: "enable_balance", value });
  expect(moved(whole(settings("yes"))).subscriber?.autoRenew).toBe(true);
  expect(moved(whole(settings("no"))).subscriber?.autoRenew).toBeUndefined();
  expect(moved([...customer({ auto_renewal: "0" }), ...settings("yes")]).subscriber?.autoRenew).toBe(false);
});

test("places, fields of its own and who sold it come too", () => {
  const options = customer({
    coordinates: "30.5,47.8",
    city: "Basra",
    district: "East",
    address: "Street 4",
    zip: "61001",
    created_by: "2",
    pppoe_ip: "10.0.0.9",
  });
  const { subscriber, notices } = moved([
    ...options,
    ...rows(
      "tbl_customers_fields",
      { customer_id: "1", field_name: "KTP", field_value: "3201" },
      { customer_id: "1", field_name: "Roof", field_value: "left" },
      { customer_id: "1", field_name: "Invoice", field_value: "150000" },
      { customer_id: "1", field_name: "TV Bill", field_value: "5000" },
    ),
    ...rows(
      "tbl_users",
      { id: "1", username: "admin", user_type: "SuperAdmin" },
      { id: "2", username: "rita", user_type: "Agent" },
    ),
  ]);
  expect(subscriber).toMatchObject({
    latitude: "30.5",
    longitude: "47.8",
    city: "Basra",
    area: "East",
    address: "Street 4, 61001",
    nic_number: "3201",
    global_note: "Roof: left; TV Bill: 5000",
    salesperson: "rita",
    static_ip: "10.0.0.9",
  });
  expect(noticesOf(notices, "term_left")[0]).toContain("TV Bill 5000");
});

test("routers come without the port of the API, and have the secret of nas where there is one", () => {
  const { routers, subscriber, notices } = moved(
    whole(
      rows(
        "tbl_routers",
        { name: "Tower", ip_address: "10.0.0.1:8728", username: "api", password: "hush" },
        { name: "Roof", ip_address: "roof.example.net", username: "api", password: "hush" },
        { name: "Six", ip_address: "[2001:db8::1]:8728", username: "api", password: "hush" },
      ),
      rows(
        "nas",
        { nasname: "10.0.0.1", shortname: "t", secret: "s3cret" },
        { nasname: "10.9.9.9", shortname: "far", secret: "other" },
      ),
    ),
  );
  expect(routers).toMatchObject([
    { key: "Tower", address: "10.0.0.1", secret: "s3cret" },
    { key: "Roof", address: "roof.example.net", secret: null },
    { key: "Six", address: "2001:db8::1", secret: null },
    { key: "10.9.9.9", name: "far", address: "10.9.9.9", secret: "other" },
  ]);
  expect(subscriber?.router).toBe("Tower");
  expect(noticesOf(notices, "left_out")).toEqual([
    "tbl_routers: logins to the API of routers: 3; enter one here where it is wanted",
  ]);
  expect(JSON.stringify(notices)).not.toContain("hush");
});

test("vouchers that nobody used come, and one that is in use as who logs in with it", () => {
  const { vouchers, subscribers, notices } = moved(
    whole(
      rows(
        "tbl_voucher",
        { id: "1", code: "AAA", id_plan: "3", status: "0", created_at: "2026-11-01 00:00:00" },
        { id: "2", code: "BBB", id_plan: "99", status: "0" },
        { id: "3", code: "CCC", id_plan: "3", status: "1" },
      ),
      recharge({ id: "11", customer_id: "0", username: "CCC", type: "Hotspot" }),
      recharge({
        id: "12",
        customer_id: "0",
        username: "DDD",
        type: "Hotspot",
        status: "off",
        expiration: "2026-10-01",
      }),
    ),
  );
  expect(vouchers).toMatchObject([
    { code: "AAA", package: "Home 10", price: "150000.00", batch: "phpnuxbill 2026-11-01" },
    { code: "BBB", package: null, price: null, batch: null },
  ]);
  expect(subscribers.slice(1)).toMatchObject([
    {
      username: "CCC",
      password: "CCC",
      connection: "hotspot",
      package: "Home 10",
      service: { expiresAt: at("2026-12-01T10:00:00") },
    },
  ]);
  expect(noticesOf(notices, "left_out")).toEqual(["tbl_voucher: vouchers that were used: 1"]);
  expect(noticesOf(notices, "note")).toContain(
    "tbl_user_recharges: vouchers that somebody logs in with now: 1; they come as subscribers whose name and password are the code",
  );
});

test("a voucher is what phpnuxbill does with it: a package or money for a customer, a login where codes log in", () => {
  const options = (...more: DumpRow[][]) =>
    moved(
      whole(
        plan({ id: "4", name_plan: "Credit", type: "Balance", price: "50000" }),
        plan({
          id: "5",
          name_plan: "Hours",
          type: "Hotspot",
          typebp: "Limited",
          limit_type: "Time_Limit",
          time_limit: "90",
          time_unit: "Mins",
        }),
        rows(
          "tbl_voucher",
          { id: "1", type: "PPPOE", code: "P", id_plan: "3", status: "0" },
          { id: "2", type: "Hotspot", code: "H", id_plan: "5", status: "0" },
          { id: "3", type: "Hotspot", code: "B", id_plan: "4", status: "0" },
          { id: "4", type: "Hotspot", code: "USED", id_plan: "5", status: "1" },
        ),
        ...more,
      ),
    );
  const entered = options();
  expect(entered.vouchers.map(({ code, kind, package: key, price }) => [code, kind, key, price])).toEqual([
    ["P", "package", "Home 10", "150000.00"],
    ["H", "package", "Hours", "150000.00"],
    ["B", "refill", null, "50000.00"],
  ]);
  expect(entered.spentCodes).toMatchObject([{ code: "USED" }]);
  expect(noticesOf(entered.notices, "note")).toContainEqual(
    expect.stringMatching(/^tbl_voucher: vouchers of hotspots: 2; customers entered them/),
  );
  const loggedIn = options(recharge({ id: "11", customer_id: "0", username: "used", type: "Hotspot" }));
  expect(loggedIn.vouchers.map(({ kind, uptimeSeconds }) => [kind, uptimeSeconds])).toEqual([
    ["package", undefined],
    ["access", 5400],
    ["refill", undefined],
  ]);
});

test("transactions are lines of history, of older versions by name", () => {
  const entry = {
    invoice: "INV-1",
    plan_name: "Home 10",
    price: "150000",
    recharged_on: "2026-11-01",
    recharged_time: "10:00:00",
    expiration: "2026-12-01",
    time: "10:00:00",
    method: "Cash - Rita",
    type: "PPPOE",
  };
  const { subscriber } = moved(
    whole(
      rows(
        "tbl_transactions",
        { id: "1", username: "sam", user_id: "1", ...entry, note: "paid\nlate" },
        { id: "2", username: "Sam", ...entry, recharged_on: "0000-00-00" },
        { id: "3", username: "Sam", ...entry, invoice: "INV-0" },
      ),
    ),
  );
  expect(subscriber?.history).toEqual([
    {
      at: at("2026-11-01T10:00:00"),
      text: "INV-1, Home 10, 150000, until 2026-12-01 10:00:00, Cash - Rita, paid late",
    },
    { at: at("2026-11-01T10:00:00"), text: "INV-0, Home 10, 150000, until 2026-12-01 10:00:00, Cash - Rita" },
  ]);
});

test("a copy of the first version, with few columns, is read", () => {
  const { subscriber, notices } = moved([
    ...rows("tbl_customers", {
      id: "1",
      username: "sam",
      password: "x",
      fullname: "Sam",
      address: "",
      phonenumber: "07",
      email: "a@isp.example",
    }),
    ...rows("tbl_plans", {
      id: "3",
      name_plan: "P",
      id_bw: "2",
      price: "5",
      type: "Hotspot",
      validity: "30",
      validity_unit: "Days",
      shared_users: "1",
      routers: "r",
    }),
    ...rows("tbl_user_recharges", {
      id: "1",
      customer_id: "1",
      username: "sam",
      plan_id: "3",
      namebp: "P",
      expiration: "2026-12-01",
      time: "10:00:00",
      status: "on",
      routers: "r",
      type: "Hotspot",
    }),
  ]);
  expect(subscriber).toMatchObject({
    enabled: true,
    balance: null,
    createdAt: null,
    package: "P",
    service: { expiresAt: NOW + 8 * 86_400 + 22 * 3600 },
  });
  expect(noticesOf(notices, "term_left")).toEqual([]);
});

test("what was used is told not to come", () => {
  expect(noticesOf(moved(whole()).notices, "note")).toEqual([
    "rad_acct: phpnuxbill adds each update of a session to those before, so that its counters say too much: what was used does not come, and quotas begin full",
  ]);
});

test("a copy without customers is refused", () => {
  expect(() => moved(plan())).toThrow("no tbl_customers in this copy");
});
