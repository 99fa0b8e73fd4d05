import { describe, expect, test } from "bun:test";
import { importDataSet } from "../../src/domain/machine/imports/data-set/import.ts";
import { formatTime } from "../../src/domain/core/time/time.ts";
import { aSubscriber } from "../support/isp.ts";
import { cli } from "../support/people.ts";
import { NOW } from "../support/store.ts";
import { callers, emptyWallet, openSession, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

const SEARCH = "/api/v1/subscriber/search";

/** Subscribers 1 and 2 of ISP 1, 9 of ISP 2, and these. */
async function withPeople() {
  const app = await withTenants();
  await importDataSet(
    app.db,
    cli,
    {
      subscribers: [
        aSubscriber(3, {
          name: "José García",
          username: "jose",
          mobile_number: "+961 3 123-456",
          nic_number: "AB-778",
          email: "Jose@Customers.Example",
        }),
        aSubscriber(4, {
          name: "Ann Joseph",
          username: "ann",
          mobile_number: "070 55 66 77",
          address: "12 Harbour Road",
        }),
        aSubscriber(5, {
          name: "Bo",
          username: "xjose",
          box_number: "BX-12",
          box_address: "Pole 7",
          static_ip: "10.9.8.7",
        }),
        aSubscriber(6, {
          name: "Mac",
          username: "mac",
          mac_address: "02:AB:CD:EF:01:23",
          phone_number: "01/333 444",
        }),
      ],
    },
    { now: NOW },
  );
  return app;
}

type People = Awaited<ReturnType<typeof withPeople>>;

async function found(app: People, query: Record<string, string>, basic = callers.operator): Promise<unknown> {
  const { status, body } = await app.call("GET", `${SEARCH}?${new URLSearchParams(query)}`, { basic });
  expect(status).toBe(200);
  return Array.isArray(body) ? body.map(({ id, matched }) => [id, matched.join()]) : body;
}

const cases: [what: string, q: string, expected: [id: number, matched: string][]][] = [
  [
    "a username as a whole before what begins with it and what has it",
    "jose",
    [
      [3, "username,name,email"],
      [4, "name"],
      [5, "username"],
    ],
  ],
  ["without accents and case", "GARCÍA", [[3, "name"]]],
  ["two characters, of names and of words in them", "ga", [[3, "name"]]],
  ["one character", "b", [[5, "name,box_number"]]],
  ["a telephone number, otherwise spaced", "96131 23456", [[3, "mobile_number"]]],
  ["the end of a telephone number", "3456", [[3, "mobile_number"]]],
  ["another telephone number, without its separators", "01333", [[6, "phone_number"]]],
  ["a nic", "ab-7", [[3, "nic_number"]]],
  ["a word of an address", "harbour", [[4, "address"]]],
  ["a box", "bx-12", [[5, "box_number"]]],
  ["where a box is", "pole", [[5, "box_address"]]],
  ["a MAC address with other separators", "02-ab-cd", [[6, "mac_address"]]],
  ["the middle of a MAC address without any", "CDEF01", [[6, "mac_address"]]],
  ["a static IP", "10.9.8.7", [[5, "static_ip"]]],
  ["an e-mail address", "jose@customers.example", [[3, "email"]]],
  ["what the search index would read as its own language", '"jose" OR *', []],
  ["nothing that anybody has", "zzz", []],
];

describe("what is looked for", () => {
  // everybody's are found by indexes, those of a small scope one by one
  test.each(cases)("%s: %s", async (_what, q, expected) => {
    using app = await withPeople();
    const ids = expected.map(([id]) => id);
    const answer = await found(app, { q });
    expect(answer).toEqual(expected);
    expect(await found(app, { q }, callers.admin)).toEqual(expected);
    expect(ids.length).toBeLessThanOrEqual(20);
  });

  test("an address now, and who had it at a time", async () => {
    using app = await withPeople();
    openSession(app, 1);
    app.db.$client.run(`UPDATE sessions SET started_at = ${NOW - 500}, stopped_at = ${NOW - 400}`);
    openSession(app, 4, "S2");
    expect(await found(app, { q: "10.0.0.7" })).toEqual([[4, "ip"]]);
    expect(await found(app, { q: "10.0.0.7", at: formatTime(NOW - 450) })).toEqual([[1, "ip"]]);
    expect(await found(app, { q: "10.0.0.7", at: formatTime(NOW - 350) })).toEqual([]);
    const { status, body } = await app.call("GET", `${SEARCH}?q=jose&at=2030-01-01%2000:00:00`, {
      basic: callers.admin,
    });
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        error: "who had what at a time is told of IP addresses alone",
        errors: { q: ["must be an IP address where `at` is given"] },
      },
    });
  });

  test("a change is found at once, and what was there before is not", async () => {
    using app = await withPeople();
    const form = { username: "ann", name: "Zenobia", mobile_number: "999888777" };
    await app.call("POST", "/api/v1/subscriber/update", { basic: callers.admin, form });
    expect(await found(app, { q: "zenob" })).toEqual([[4, "name"]]);
    expect(await found(app, { q: "joseph" })).toEqual([]);
    expect(await found(app, { q: "98887" })).toEqual([[4, "mobile_number"]]);
  });
});

test("the answer in short", async () => {
  using app = await withPeople();
  openSession(app, 3);
  const { body } = await app.call("GET", `${SEARCH}?q=garc`, { basic: callers.admin });
  expect(body).toEqual([
    {
      id: 3,
      name: "José García",
      username: "jose",
      mobile_number: "+961 3 123-456",
      package_name: "Home 1",
      profile_status: "active",
      online: true,
      archived: false,
      matched: ["name"],
    },
  ]);
});

test("who left stands behind everybody else", async () => {
  using app = await withPeople();
  emptyWallet(app.db, 3);
  await app.call("POST", "/api/v1/subscriber/archive", { basic: callers.admin, form: { user_id: 3 } });
  const expected = [
    [4, "name"],
    [5, "username"],
    [3, "username,name,email"],
  ];
  expect(await found(app, { q: "jose" })).toEqual(expected);
  expect(await found(app, { q: "jose" }, callers.admin)).toEqual(expected);
});

test("twenty of many, the same for a scope of any size", async () => {
  using app = await withTenants();
  const subscribers = Array.from({ length: 1200 }, (_, index) => aSubscriber(index + 100, { branch_id: 11 }));
  await importDataSet(app.db, cli, { subscribers }, { now: NOW });
  for (const basic of [callers.operator, callers.admin, callers.branch])
    for (const q of ["us", "user1", "ser1"]) {
      const { body } = await app.call("GET", `${SEARCH}?q=${q}`, { basic });
      expect(body).toHaveLength(20);
    }
  const { body } = await app.call("GET", `${SEARCH}?q=user1`, { basic: callers.branch });
  expect(body).toMatchObject([
    { id: 1, matched: ["username"] },
    {},
    {},
    {},
    {},
    {},
    {},
    {},
    {},
    {},
    {},
    {},
    {},
    {},
    {},
    {},
    {},
    {},
    {},
    {},
  ]);
});

test.each([
  ["no q", "", { q: ["is required"] }],
  [
    "more than 100 characters",
    `q=${"a".repeat(101)}`,
    { q: ["must be text of 1 to 100 characters on one line, without control characters"] },
  ],
])("%s is refused", async (_what, query, errors) => {
  using app = await withTenants();
  const { status, body } = await app.call("GET", `${SEARCH}?${query}`, { basic: callers.admin });
  expect({ status, body }).toEqual({ status: 400, body: { error: "check q", errors } });
});
