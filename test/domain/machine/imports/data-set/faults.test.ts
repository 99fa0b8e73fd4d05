import { describe, expect, test } from "bun:test";
import { smallIsp, subscriber } from "../../../../cli/harness.ts";
import { importDataSet } from "../../../../../src/domain/machine/imports/data-set/import.ts";
import { by, NOW, Store } from "./store.ts";

const isp = smallIsp();
const [ada, sol] = isp.staff;
const [core] = isp.nas;
const [home] = isp.packages;

/** The small ISP with some sections replaced. */
const having = (sections: object) => ({ ...smallIsp(), ...sections });
const withSubscriber = (more: object) => having({ subscribers: [subscriber(1, "sam", more)] });

test("a password of more than 128 bytes is refused, at 128 it is taken", async () => {
  using store = new Store();
  const faults = (password: string) => store.faults(withSubscriber({ password }));
  expect(await faults("€".repeat(42) + "ab")).toEqual({});
  expect(await faults("€".repeat(42) + "abc")).toEqual({
    "/subscribers/0/password": [expect.stringContaining("at most 128 bytes in UTF-8")],
  });
});

describe("every fault stands under its JSON pointer, and nothing is written", () => {
  test.each<[string, unknown, string[]]>([
    ["not an object", [], [""]],
    ["unknown section", { customers: [], "a/b~c": 1 }, ["/customers", "/a~1b~0c"]],
    ["section that is no array", { subscribers: {} }, ["/subscribers"]],
    ["row that is no object", { isps: [7, null] }, ["/isps/0", "/isps/1"]],
    ["row without an id", { isps: [{ name: "x" }, { id: "1", name: "x" }] }, ["/isps/0/id", "/isps/1/id"]],
    ["null at the root", null, [""]],
    ["text at the root", "x", [""]],
    [
      "what else is wrong in a row without a right id",
      {
        isps: [{ id: 0, name: "", branches: [{}] }],
        cities: [{ id: -1, isp_id: 9 }],
        staff: [{ id: 1.5, isp_id: 9, name: "x", username: "x", password: "p", profile_type: 1 }],
      },
      [
        "/isps/0/id",
        "/isps/0/name",
        "/isps/0/branches/0/id",
        "/isps/0/branches/0/name",
        "/cities/0/id",
        "/cities/0/isp_id",
        "/cities/0/name",
        "/staff/0/id",
        "/staff/0/isp_id",
      ],
    ],
    [
      "an id twice",
      {
        isps: [
          { id: 1, name: "x" },
          { id: 1, name: "y" },
        ],
      },
      ["/isps/1/id"],
    ],
    [
      "a branch id twice, in two ISPs",
      {
        isps: [
          { id: 1, name: "x", branches: [{ id: 1, name: "a" }] },
          { id: 2, name: "y", branches: [{ id: 1, name: "b" }] },
        ],
      },
      ["/isps/1/branches/0/id"],
    ],
    ["misspelt field", withSubscriber({ static_Ip: "10.0.0.1" }), ["/subscribers/0/static_Ip"]],
    ["settings", { settings: { currency: "euro", colour: 1 } }, ["/settings/currency", "/settings/colour"]],
    [
      "flags",
      { permission_flags: ["ok", "No", 7, "role_code"] },
      ["/permission_flags/1", "/permission_flags/2", "/permission_flags/3"],
    ],
    [
      "permissions",
      having({ roles: [{ code: 1, isp_id: 1, name: "r", permissions: { fly: 1, api_access: true } }] }),
      ["/roles/0/permissions/fly", "/roles/0/permissions/api_access"],
    ],
    [
      "places of another ISP",
      {
        isps: [
          { id: 1, name: "x" },
          { id: 2, name: "y" },
        ],
        cities: [{ id: 1, isp_id: 1, name: "c" }],
        areas: [
          { id: 1, isp_id: 2, city_id: 1, name: "a" },
          { id: 2, isp_id: 3, city_id: 9, name: "a" },
        ],
      },
      ["/areas/1/isp_id", "/areas/0/city_id", "/areas/1/city_id"],
    ],
    [
      "staff",
      having({
        staff: [
          { id: 1, isp_id: 1, name: "Ada", username: "ada", profile_type: 4 },
          { id: 2, isp_id: 0, name: "Sol", username: "ADA", password: "", profile_type: 2 },
          {
            id: 3,
            isp_id: 1,
            name: "Tia",
            username: "t",
            email: "Ada",
            password: "p",
            profile_type: 3,
            role_code: 5,
            branch_id: 6,
          },
        ],
        subscribers: [],
      }),
      [
        "/staff/0/profile_type",
        "/staff/0/password",
        "/staff/1/password",
        "/staff/2/email",
        "/staff/1/isp_id",
        "/staff/2/branch_id",
        "/staff/2/role_code",
        "/staff/1/username",
      ],
    ],
    [
      "a username that is somebody's e-mail address",
      having({
        staff: [
          { ...ada, email: "x@isp.example" },
          { ...sol, username: "X@isp.example" },
        ],
      }),
      ["/staff/1/username"],
    ],
    [
      "nas",
      having({
        nas: [
          { ...core, address: "10.0.0.0/33", coa_port: 0, routeros: { host: "h", sport: 1 } },
          { ...core, id: 2, address: "10.9.0.0/16", routeros: 7 },
          { ...core, id: 3, address: "10.9.1.1/16", name: "edge", require_message_authenticator: "maybe" },
        ],
      }),
      [
        "/nas/0/address",
        "/nas/0/coa_port",
        "/nas/0/routeros/sport",
        "/nas/0/routeros/username",
        "/nas/0/routeros/password",
        "/nas/1/routeros",
        "/nas/2/require_message_authenticator",
        "/nas/2/address",
        "/nas/1/name",
      ],
    ],
    [
      "packages",
      having({
        packages: [
          { ...home, price: -1, duration: 0, rate_limit: "10G", quota_exceeded: "stop", simultaneous_use: 0 },
          { id: 2, isp_id: 1 },
        ],
      }),
      [
        "/packages/0/price",
        "/packages/0/duration",
        "/packages/0/rate_limit",
        "/packages/0/quota_exceeded",
        "/packages/0/simultaneous_use",
        "/packages/1/name",
        "/packages/1/price",
        "/packages/1/billing_type",
        "/packages/1/duration",
        "/packages/1/duration_unit",
      ],
    ],
    [
      "a service that stands still without an end",
      withSubscriber({ frozen_at: "2029-01-01 00:00:00", renews_from: null }),
      ["/subscribers/0/frozen_at"],
    ],
    [
      "a service that stands still after its end",
      withSubscriber({
        current_expiration_date: "2029-01-01 00:00:00",
        paid_until: "2028-12-31 23:59:59",
        frozen_at: "2029-01-01 00:00:00",
        renews_from: "2029-01-02 00:00:00",
      }),
      ["/subscribers/0/frozen_at", "/subscribers/0/renews_from"],
    ],
    [
      "a subscriber's values",
      withSubscriber({
        password: "",
        email: "nobody",
        mac_address: "02:00",
        mac_lock: 1,
        connection_type_id: 6,
        latitude: 91,
        static_ip: "10.0.0.256",
        balance: "1.234",
        current_expiration_date: "2030-02-30 00:00:00",
        delegated_ipv6_prefix: "2001:db8::",
        portal_pass: "clear",
      }),
      [
        "/subscribers/0/password",
        "/subscribers/0/connection_type_id",
        "/subscribers/0/email",
        "/subscribers/0/latitude",
        "/subscribers/0/static_ip",
        "/subscribers/0/delegated_ipv6_prefix",
        "/subscribers/0/portal_pass",
        "/subscribers/0/mac_address",
        "/subscribers/0/balance",
        "/subscribers/0/current_expiration_date",
      ],
    ],
    [
      "a new subscriber without anything",
      { subscribers: [{ id: 9 }] },
      [
        "isp_id",
        "name",
        "username",
        "password",
        "package_id",
        "connection_type_id",
        "nic_number",
        "mobile_number",
      ].map((name) => `/subscribers/0/${name}`),
    ],
    [
      "what a subscriber refers to",
      withSubscriber({
        package_id: 9,
        nas_id: 9,
        branch_id: 9,
        city_id: 9,
        area_id: 9,
        subarea_id: 9,
        salesperson_id: 2,
      }),
      ["branch_id", "package_id", "nas_id", "city_id", "area_id", "subarea_id", "salesperson_id"].map(
        (name) => `/subscribers/0/${name}`,
      ),
    ],
    [
      "notes",
      withSubscriber({
        staff_notes: [
          { note: "", added_by: 1 },
          { note: "x", added_by: 9 },
          3,
          { note: "x", added_by: 1, at: 0 },
        ],
      }),
      [
        "/subscribers/0/staff_notes/0/note",
        "/subscribers/0/staff_notes/2",
        "/subscribers/0/staff_notes/3/at",
        "/subscribers/0/staff_notes/1/added_by",
      ],
    ],
    [
      "values that must be unique, within the file",
      having({
        subscribers: [
          subscriber(1, "sam", { phone_number: "P", email: "a@b" }),
          subscriber(2, "SAM", { nic_number: "N1", mobile_number: "M1", phone_number: "P", email: "A@B" }),
        ],
      }),
      ["username", "nic_number", "mobile_number", "phone_number", "email"].map(
        (name) => `/subscribers/1/${name}`,
      ),
    ],
  ])("%s", async (_, data, pointers) => {
    using store = new Store();
    expect(Object.keys(await store.faults(data)).sort()).toEqual(pointers.toSorted());
  });
});

test("references stay within the ISP", async () => {
  using store = new Store();
  await store.import(smallIsp());
  const data = {
    isps: [{ id: 2, name: "Southlink" }],
    subscribers: [subscriber(9, "zoe", { isp_id: 2 })],
  };
  expect(await store.faults(data)).toEqual({
    "/subscribers/0/package_id": ["is not a package of this ISP; there is none"],
    "/subscribers/0/nas_id": ["is not a NAS of this ISP; there is none"],
    "/subscribers/0/salesperson_id": ["is not an Admin or Reseller of this ISP; there is none"],
  });
});

test("values that the store has already are taken", async () => {
  using store = new Store();
  await store.import(smallIsp());
  const faults = await store.faults({
    staff: [{ id: 9, isp_id: 1, name: "x", username: "Ada", password: "p", profile_type: 1 }],
    nas: [{ id: 9, isp_id: 1, name: "core", address: "10.0.0.1", secret: "s" }],
    subscribers: [subscriber(9, "Sam", { nic_number: "N2" })],
  });
  expect(faults).toEqual({
    "/staff/0/username": ["is taken by account 1"],
    "/nas/0/address": ["is taken by NAS 1"],
    "/nas/0/name": ["is taken by NAS 1"],
    "/subscribers/0/username": ["is taken by subscriber 1"],
    "/subscribers/0/nic_number": ["is taken by subscriber 2"],
  });
});

test("a known row stays in its ISP", async () => {
  using store = new Store();
  await store.import(smallIsp());
  const faults = await store.faults({
    isps: [{ id: 2, name: "Southlink", branches: [{ id: 1, name: "moved" }] }],
    packages: [{ id: 1, isp_id: 2 }],
    staff: [{ id: 1, isp_id: 0 }],
  });
  expect(Object.keys(faults).sort()).toEqual([
    "/isps/0/branches/0/isp_id",
    "/packages/0/isp_id",
    "/staff/0/isp_id",
  ]);
});

test("a dry run checks everything and writes nothing", async () => {
  using store = new Store();
  const before = store.dump();
  const { summary } = await store.import(smallIsp(), { dryRun: true });
  expect(summary).toMatchObject({ subscribers: { added: 2, changed: 0 } });
  expect(store.dump()).toEqual(before);
  expect(store.import(withSubscriber({ email: "x" }), { dryRun: true })).rejects.toThrow(
    "nothing was imported",
  );
});

test("a staff username with a colon is refused, unless the account has it from before", async () => {
  using store = new Store();
  await store.import(isp);
  const colon = [
    "must not have a colon, at which HTTP Basic ends a name: this account could not use the API",
  ];
  const row = { ...ada, username: "a:da" };
  expect(await store.faults(having({ staff: [row] }))).toEqual({ "/staff/0/username": colon });
  store.db.$client.run("UPDATE staff SET username = 'a:da', username_key = 'a:da' WHERE id = 1");
  expect(await store.faults({ staff: [row] })).toEqual({});
  expect(await store.faults({ staff: [{ ...row, username: "a:d" }] })).toEqual({
    "/staff/0/username": colon,
  });
});

test("a reseller's price above the price is refused, also where one of them stays as it is stored", async () => {
  using store = new Store();
  await store.import(having({ packages: [{ ...home, price: "15.00", reseller_price: "15.00" }] }));
  const id = home?.id;
  const change = (values: object) => store.faults({ packages: [{ id, ...values }] });
  const above = { "/packages/0/reseller_price": ["must not be above the price, which is 15.00"] };
  expect(
    await store.faults(having({ packages: [{ ...home, id: 99, price: "15.00", reseller_price: "15.01" }] })),
  ).toEqual(above);
  expect(await change({ reseller_price: "15.01" })).toEqual(above);
  expect(await change({ price: "14.99" })).toEqual({
    "/packages/0/reseller_price": ["must not be above the price, which is 14.99"],
  });
  expect(await change({ price: "14.99", reseller_price: null })).toEqual({});
});

test("a price of before that is wrong does not keep the rest of its package from being imported", async () => {
  using store = new Store();
  await store.import(isp);
  store.db.$client.run("UPDATE packages SET price = 1500, reseller_price = 1600 WHERE id = 1");
  const row = { id: 1, price: "15.00", reseller_price: "16.00" };
  expect(await store.faults({ packages: [{ ...row, name: "Another" }] })).toEqual({});
  expect(Object.keys(await store.faults({ packages: [{ ...row, price: "15.50" }] }))).toEqual([
    "/packages/0/reseller_price",
  ]);
});

describe("what subscribers may not share", () => {
  const shared = { nic_number: "N1", mobile_number: "M1", phone_number: "P", email: "A@x" };
  const two = having({ subscribers: [subscriber(1, "sam", shared), subscriber(2, "tom", shared)] });

  test("is contacts, unless unique_contacts of the file, else of the store, is 0", async () => {
    using store = new Store();
    expect(Object.keys(await store.faults(two)).sort()).toEqual(
      ["email", "mobile_number", "nic_number", "phone_number"].map((field) => `/subscribers/1/${field}`),
    );
    expect(await store.faults({ ...two, settings: { unique_contacts: 0 } })).toEqual({});
    expect(await store.faults({ subscribers: [subscriber(3, "eve", shared)] })).toEqual({});
    const back = { settings: { unique_contacts: 1 } };
    expect(await store.faults({ ...back, subscribers: [subscriber(4, "max", shared)] })).toMatchObject({
      "/subscribers/0/nic_number": [expect.any(String)],
    });
    expect(await store.faults({ ...two, ...back })).toEqual({}); // as they stand
  });

  test("is a static address of the ISP", async () => {
    using store = new Store();
    await store.import(having({ isps: [...isp.isps, { id: 2, name: "South" }] }));
    const address = { static_ip: "10.0.0.5" };
    const subscribers = [subscriber(1, "sam", address), subscriber(2, "tom", address)];
    expect(await store.faults({ subscribers })).toEqual({
      "/subscribers/1/static_ip": ["is taken by subscriber 1"],
    });
    await store.import({ subscribers: [subscriber(1, "sam", address)] });
    expect(Object.keys(await store.faults({ subscribers: [{ id: 2, ...address }] }))).toEqual([
      "/subscribers/0/static_ip",
    ]);
    expect(
      await store.faults({
        packages: [{ ...home, id: 2, isp_id: 2 }],
        subscribers: [
          { ...subscriber(3, "sue", address), isp_id: 2, package_id: 2, salesperson_id: null, nas_id: null },
        ],
      }),
    ).toEqual({});
  });

  test("and where three do from before, one of them can give it up or get another name", async () => {
    using store = new Store();
    const three = ["sam", "tom", "eve"].map((name, index) => subscriber(index + 1, name));
    await store.import(having({ subscribers: three }));
    store.db.$client.run("UPDATE subscribers SET static_ip = '10.0.0.5'");
    await store.import({ subscribers: [{ id: 1, username: "samuel" }] });
    await store.import({ subscribers: [{ id: 2, static_ip: null }] });
    expect(store.rows("SELECT username, static_ip FROM subscribers ORDER BY id")).toEqual([
      { username: "samuel", static_ip: "10.0.0.5" },
      { username: "tom", static_ip: null },
      { username: "eve", static_ip: "10.0.0.5" },
    ]);
  });

  test("and what another program wrote while the file was checked makes the import try again", async () => {
    using store = new Store();
    await store.import(isp);
    const progress = (step: string) => {
      if (step === "writing") store.db.$client.run("UPDATE subscribers SET nic_number = 'N7' WHERE id = 2");
    };
    const data = { subscribers: [{ id: 1, nic_number: "N7" }] };
    await expect(importDataSet(store.db, by, data, { now: NOW, progress })).rejects.toThrow("try again");
    expect(store.rows("SELECT nic_number FROM subscribers ORDER BY id")).toEqual([
      { nic_number: "N1" },
      { nic_number: "N7" },
    ]);
  });
});
