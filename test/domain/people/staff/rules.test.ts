import { describe, expect, test } from "bun:test";
import { DomainError, type FieldErrors } from "../../../../src/domain/core/errors/errors.ts";
import { addNas, updateNas } from "../../../../src/domain/goods/nas/nas.ts";
import { addStaff } from "../../../../src/domain/people/staff/accounts.ts";
import { createSubscriber } from "../../../../src/domain/goods/subscribers/create.ts";
import { smallIsp, subscriber } from "../../../cli/harness.ts";
import { by, NOW, Store } from "../../machine/imports/data-set/store.ts";

const at = { now: NOW };
const account = { isp_id: 1, name: "Eve", username: "eve", password: "secret-9", profile_type: 2 };

/** Two ISPs; in the first one a subscriber with everything that is not to be shared. */
async function withTwoIsps(): Promise<Store> {
  const store = new Store();
  const one = smallIsp();
  await store.import({
    ...one,
    isps: [...one.isps, { id: 2, name: "Southlink", branches: [{ id: 2, name: "South" }] }],
    cities: [{ id: 2, isp_id: 2, name: "Southtown" }],
    roles: [{ code: 2, isp_id: 2, name: "Southern" }],
    staff: [
      ...one.staff,
      { id: 3, isp_id: 2, name: "Sue", username: "sue", password: "secret-3", profile_type: 3 },
      { id: 4, isp_id: 0, name: "Box", username: "box", password: "secret-4", profile_type: 1 },
    ],
    nas: [...one.nas, { id: 2, isp_id: 2, name: "south", address: "10.0.0.2", secret: "testing123" }],
    packages: one.packages.flatMap((row) => [row, { ...row, id: 2, isp_id: 2 }]),
    subscribers: [
      subscriber(1, "sam", {
        phone_number: "P1",
        email: "sam@isp.example",
        static_ip: "10.9.0.1",
        framed_ipv6_prefix: "2001:db8:1::/64",
        delegated_ipv6_prefix: "2001:db8:2::/56",
      }),
    ],
  });
  return store;
}

async function faultsOf(work: () => unknown): Promise<FieldErrors> {
  try {
    await work();
  } catch (error) {
    if (error instanceof DomainError && error.fields) return error.fields;
    throw error;
  }
  return {};
}

function inFile(store: Store, data: object): Promise<FieldErrors> {
  return faultsOf(() => store.import(data, { dryRun: true }));
}

/** Faults without what only one of the two says: where a row stands, who the other one is, what there is instead. */
function rulesOf(faults: FieldErrors): [field: string, rules: string[]][] {
  return Object.entries(faults)
    .map(([name, messages]): [string, string[]] => [
      name.replace(/^\/[a-z]+\/\d+\//, ""),
      messages.map((message) => message.replace(/^(is taken by) .*|; there (?:is|are) .*/, "$1")),
    ])
    .sort();
}

type Case = readonly [name: string, values: object, rules: [field: string, rules: string[]][]];
const one = (field: string, what: string): [string, string[]] => [field, [`is not ${what} of this ISP`]];
const taken = (field: string): [string, string[]] => [field, ["is taken by"]];

const subscribers: Case[] = [
  ["nothing wrong", {}, []],
  ["the box's Admin as salesperson", { salesperson_id: 4 }, []],
  [
    "an account that is no salesperson",
    { salesperson_id: 2 },
    [one("salesperson_id", "an Admin or Reseller")],
  ],
  [
    "what is another ISP's",
    { branch_id: 2, package_id: 2, nas_id: 2, city_id: 2, salesperson_id: 3 },
    [
      one("branch_id", "a branch"),
      one("city_id", "a city"),
      one("nas_id", "a NAS"),
      one("package_id", "a package"),
      one("salesperson_id", "an Admin or Reseller"),
    ],
  ],
  [
    "what is nowhere",
    { area_id: 9, subarea_id: 9, package_id: 9 },
    [one("area_id", "an area"), one("package_id", "a package"), one("subarea_id", "a subarea")],
  ],
  ["no such ISP", { isp_id: 9, package_id: 1 }, [["isp_id", ["is not an ISP of this appliance"]]]],
  [
    "what another one has",
    {
      username: "SAM",
      nic_number: "N1",
      mobile_number: "M1",
      phone_number: "P1",
      email: "SAM@isp.example",
      static_ip: "10.9.0.1",
      framed_ipv6_prefix: "2001:db8:1::/64",
      delegated_ipv6_prefix: "2001:db8:2::/56",
    },
    [
      "delegated_ipv6_prefix",
      "email",
      "framed_ipv6_prefix",
      "mobile_number",
      "nic_number",
      "phone_number",
      "static_ip",
      "username",
    ].map(taken),
  ],
  [
    "an address that another ISP has",
    { isp_id: 2, package_id: 2, salesperson_id: 3, nas_id: 2, static_ip: "10.9.0.1" },
    [],
  ],
];

const accounts: Case[] = [
  ["nothing wrong", {}, []],
  [
    "what is another ISP's",
    { branch_id: 2, role_code: 2 },
    [one("branch_id", "a branch"), one("role_code", "a role")],
  ],
  [
    "a Reseller of the box",
    { isp_id: 0, profile_type: 3 },
    [["isp_id", ["must be an ISP; only an Admin can be the operator of the box"]]],
  ],
  ["no such ISP", { isp_id: 9 }, [["isp_id", ["is not an ISP of this appliance"]]]],
  [
    "a name that somebody signs in with",
    { username: "ADA", email: "mail@x" },
    [taken("email"), taken("username")],
  ],
  ["a username that is somebody's e-mail address", { username: "mail@x" }, [taken("username")]],
  [
    "a colon",
    { username: "a:b" },
    [
      [
        "username",
        ["must not have a colon, at which HTTP Basic ends a name: this account could not use the API"],
      ],
    ],
  ],
];

const routers: Case[] = [
  ["nothing wrong", {}, []],
  ["no such ISP", { isp_id: 9, name: "core" }, [["isp_id", ["is not an ISP of this appliance"]]]],
  ["an address that another ISP has", { address: "10.0.0.2" }, [taken("address")]],
  ["a name of the ISP", { name: "core" }, [taken("name")]],
  ["a name that another ISP has", { name: "south" }, []],
];

describe("the rules are the same for one row and for an import", () => {
  test.each(subscribers)("subscriber: %s", async (_, values, rules) => {
    using store = await withTwoIsps();
    const { id, ...row } = subscriber(9, "new", values);
    expect(rulesOf(await inFile(store, { subscribers: [{ id, ...row }] }))).toEqual(rules);
    expect(rulesOf(await faultsOf(() => createSubscriber(store.db, by, row, at)))).toEqual(rules);
  });

  test.each(accounts)("account: %s", async (_, values, rules) => {
    using store = await withTwoIsps();
    await addStaff(store.db, by, { ...account, username: "mail", email: "MAIL@x" }, at);
    const row = { ...account, ...values };
    expect(rulesOf(await inFile(store, { staff: [{ id: 9, ...row }] }))).toEqual(rules);
    expect(rulesOf(await faultsOf(() => addStaff(store.db, by, row, at)))).toEqual(rules);
  });

  test.each(routers)("router: %s", async (_, values, rules) => {
    using store = await withTwoIsps();
    const row = { isp_id: 1, name: "edge", address: "10.0.0.9", secret: "testing123", ...values };
    expect(rulesOf(await inFile(store, { nas: [{ id: 9, ...row }] }))).toEqual(rules);
    expect(rulesOf(await faultsOf(() => addNas(store.db, by, row, at)))).toEqual(rules);
  });
});

test("who is a salesperson is as the file says it", async () => {
  using store = await withTwoIsps();
  const seller = (id: number, type: number) => ({
    staff: [{ id, profile_type: type }],
    subscribers: [{ id: 1, salesperson_id: id }],
  });
  expect(await store.faults(seller(1, 2))).toEqual({
    "/subscribers/0/salesperson_id": ["is not an Admin or Reseller of this ISP; there is only 4"],
  });
  expect(await store.faults({ ...seller(2, 3) })).toEqual({});
});

test("a router of another ISP is not named to who does not see it", async () => {
  using store = await withTwoIsps();
  const router = { isp_id: 1, name: "edge", address: "10.0.0.2", secret: "testing123" };
  const scope = { ispId: 1, branchId: null, salespersonId: null };
  const result = (who: typeof by) => faultsOf(() => addNas(store.db, who, router, at));
  expect(await result({ ...by, scope })).toEqual({ address: ["is taken by another NAS"] });
  expect(await result(by)).toEqual({
    address: [
      "is taken by the NAS south; to give that one another: gatehouse nas set south --address ADDRESS",
    ],
  });
});

describe("a router's API is asked at the usual port as long as no other one is named", () => {
  const api = { host: "10.0.0.9", username: "api", password: "secret-9" };
  test.each([
    [{}, { tls: true }, 8729],
    [{ tls: true }, { tls: false }, 8728],
    [{ tls: true }, { host: "10.0.0.8" }, 8729],
    [{ port: 9000 }, { tls: true }, 9000],
    [{}, { tls: true, port: 8728 }, 8728],
  ])("%j, then %j: %i", async (before, change, port) => {
    for (const way of ["one row", "import"]) {
      using store = await withTwoIsps();
      const router = { isp_id: 1, name: "edge", address: "10.0.0.9", secret: "testing123" };
      const { id } = addNas(store.db, by, { ...router, routeros: { ...api, ...before } }, at);
      if (way === "import") await store.import({ nas: [{ id, routeros: change }] });
      else updateNas(store.db, by, { nasId: id, input: { routeros: change } }, at);
      const [row] = store.rows(`SELECT routeros_port AS port FROM nas WHERE id = ${id}`);
      expect([way, row?.["port"]]).toEqual([way, port]);
    }
  });
});
