import { expect, test } from "bun:test";
import { formatTime } from "../../../../../src/domain/core/time/time.ts";
import { NOW, Store } from "./store.ts";

const base = {
  isps: [{ id: 1, name: "North" }],
  packages: [
    {
      id: 1,
      isp_id: 1,
      name: "Home",
      price: "1.00",
      billing_type: "prepaid",
      duration: 1,
      duration_unit: "month",
      data_quota_bytes: 1e9,
    },
  ],
};
const sam = {
  id: 1,
  isp_id: 1,
  name: "Sam",
  username: "sam",
  password: "pw",
  package_id: 1,
  connection_type_id: 1,
  nic_number: null,
  mobile_number: null,
  current_expiration_date: formatTime(NOW + 86_400),
};
const session = {
  username: "sam",
  nas_address: "10.0.0.1",
  acct_session_id: "81",
  session_time: 60,
  started_at: formatTime(NOW - 60),
  updated_at: formatTime(NOW),
  input_octets: 1,
  output_octets: 2,
};

test("what a system before knew comes with a subscriber, once", async () => {
  using store = new Store();
  const file = {
    ...base,
    subscribers: [
      {
        ...sam,
        created_at: "2020-01-01 00:00:00",
        quota_used: 500,
        any_connection: 1,
        balance: "5.00",
        usage: [{ month: formatTime(NOW).slice(0, 7), up: 3, down: 4 }],
        history: [{ at: "2021-01-01 00:00:00", text: "paid 1.00" }],
      },
    ],
    sessions: [session],
  };
  await store.import(file);
  const seen = () => [
    store.rows("SELECT created_at, nic_number, mobile_number, any_connection FROM subscribers"),
    store.rows("SELECT quota_used FROM services"),
    store.rows("SELECT input_octets, output_octets FROM usage_days"),
    store.rows("SELECT kind, amount, balance_after, reason FROM ledger_entries ORDER BY id"),
    store.rows("SELECT username, subscriber_id, moved_in FROM sessions"),
  ];
  const first = seen();
  expect(first).toEqual([
    [
      {
        created_at: Date.parse("2020-01-01T00:00:00") / 1000,
        nic_number: null,
        mobile_number: null,
        any_connection: 1,
      },
    ],
    [{ quota_used: 500 }],
    [{ input_octets: 3, output_octets: 4 }],
    [
      { kind: "history", amount: 0, balance_after: 0, reason: "paid 1.00" },
      { kind: "opening", amount: 500, balance_after: 500, reason: null },
    ],
    [{ username: "sam", subscriber_id: 1, moved_in: 1 }],
  ]);
  await store.import(file);
  expect(seen()).toEqual(first);
});

test("identity and mobile may be unknown, and are said to be", async () => {
  using store = new Store();
  await store.import({ ...base, subscribers: [sam] });
  expect(store.export().subscribers[0]).toMatchObject({ nic_number: null, mobile_number: null });
  const { nic_number: _, ...silent } = { ...sam, id: 2, username: "tom" };
  expect(await store.faults({ subscribers: [{ ...silent, mobile_number: "" }] })).toEqual({
    "/subscribers/0/nic_number": ["is required"],
    "/subscribers/0/mobile_number": ["is required"],
  });
  expect(await store.faults({ subscribers: [{ id: 1, nic_number: "" }] })).toEqual({
    "/subscribers/0/nic_number": ["must not be empty"],
  });
});

test("each fault of it has its place", async () => {
  using store = new Store();
  const { username: _, ...nameless } = session;
  const faults = await store.faults({
    ...base,
    subscribers: [
      {
        ...sam,
        usage: [{ month: "2030-13", up: -1, down: 0 }],
        history: [{ at: "yesterday", text: "" }, "x"],
      },
    ],
    sessions: [{ ...nameless, port: 7 }, 5],
  });
  expect(Object.keys(faults).sort()).toEqual([
    "/sessions/0/port",
    "/sessions/0/username",
    "/sessions/1",
    "/subscribers/0/history/0/at",
    "/subscribers/0/history/0/text",
    "/subscribers/0/history/1",
    "/subscribers/0/usage/0/month",
    "/subscribers/0/usage/0/up",
  ]);
});
