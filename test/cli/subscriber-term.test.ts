import { Database } from "bun:sqlite";
import { join } from "node:path";
import { describe, expect, test } from "bun:test";
import { CommandLine, smallIsp, subscriber } from "./harness.ts";

const END = "2031-01-31 12:00:00";

/** sam has package 1 until END and 100.00 in the wallet; tom was never activated. */
async function withIsp(): Promise<CommandLine> {
  const cli = new CommandLine();
  const family = { ...smallIsp().packages[0], id: 2, name: "Family", price: "22.00" };
  await cli.import({
    ...smallIsp(),
    packages: [...smallIsp().packages, family],
    subscribers: [
      subscriber(1, "sam", { current_expiration_date: END, balance: "100.00" }),
      subscriber(2, "tom"),
    ],
  });
  return cli;
}

describe("subscriber", () => {
  test("quote: what an activation would do, and why it would be refused", async () => {
    using cli = await withIsp();
    expect(await cli.json("subscriber quote sam --package Family --credit-unused")).toMatchObject({
      user_id: 1,
      package_name: "Family",
      amount_charged: 22,
      credited: 0,
      balance: 100,
      balance_after: 78,
      paid: [],
    });
    expect((await cli.run("subscriber quote sam --package Family")).stdout).toMatch(/^balance_after +78$/m);
    expect(await cli.run("subscriber quote tom")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("insufficient balance: the package costs 15.00"),
    });
  });

  test("activate: with what is in the wallet, and another package for what is unused", async () => {
    using cli = await withIsp();
    expect(await cli.run("subscriber activate tom")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("insufficient balance: the package costs 15.00"),
    });
    expect((await cli.run("subscriber activate sam")).stdout).toMatch(
      /^activated sam until 2031-02-28 12:00:00; 15\.00 were charged\nThe subscriber is offline; .*\n$/,
    );
    expect(await cli.json("invoice list --user sam")).toMatchObject([{ amount: 15, state: "paid" }]);
    await cli.run("payment take tom 25 --activate");
    using store = new Database(join(cli.data, "gatehouse.db"));
    store.run("UPDATE services SET activated_at = activated_at - 121");
    expect(await cli.json("subscriber activate tom --package Family --credit-unused")).toEqual({
      user_id: 2,
      package_id: 2,
      new_expiration: expect.any(String),
      amount_charged: 22,
      credited: expect.closeTo(15, 1),
      session: "The subscriber is offline; the next login gets the current service.",
    });
  });

  test("top-up: bytes or days on top of what runs", async () => {
    using cli = await withIsp();
    const days = "--price 2 --billing-type prepaid --duration 1 --duration-unit day --top-up-days 3";
    await cli.run(`package add Days ${days}`);
    expect((await cli.run("subscriber top-up sam Days")).stdout).toBe(
      "topped up sam until 2031-02-03 12:00:00; 2.00 were charged\nThe subscriber is offline; the next login gets the current service.\n",
    );
    expect(await cli.run("subscriber top-up sam Family")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is a package and no top-up"),
    });
  });

  test("extend by hours and to a time", async () => {
    using cli = await withIsp();
    expect((await cli.run("subscriber extend sam --hours 24 --reason storm")).stdout).toBe(
      "extended sam to 2031-02-01 12:00:00\nThe subscriber is offline; the next login gets the current service.\n",
    );
    expect(
      await cli.json("subscriber extend sam --until 2031-02-05T12:00:00 --reason storm --trust"),
    ).toMatchObject({ new_expiration: "2031-02-05 12:00:00", paid_until: END });
  });

  test.each([
    ["subscriber extend sam --hours 24", 2, "--reason"],
    ["subscriber extend sam --reason storm", 1, "hours or until, one of both"],
    ["subscriber extend sam --hours 0 --reason storm", 1, "--hours is 0; it must be a whole number"],
    ["subscriber extend sam --until soon --reason storm", 1, "--until is soon; it must be a time"],
    ["subscriber extend tom --hours 1 --reason storm", 1, "activate a package first"],
    ["subscriber extend eve --hours 1 --reason storm", 1, "see: gatehouse subscriber list"],
    ["subscriber freeze tom", 1, "activate a package first"],
    ["subscriber thaw sam", 1, "there is nothing to thaw"],
    ["invoice void I-2030-000009 --reason x", 1, "there is no invoice I-2030-000009"],
  ])("%s: %d, and what to do", async (command, code, words) => {
    using cli = await withIsp();
    expect(await cli.run(command)).toMatchObject({ code, stderr: expect.stringContaining(words) });
  });

  test("freeze and thaw", async () => {
    using cli = await withIsp();
    expect((await cli.run("subscriber freeze sam")).stdout).toMatch(
      /^froze sam; it thaws by itself at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\n$/,
    );
    expect(await cli.json("subscriber show sam")).toMatchObject({
      profile_status: "disabled",
      frozen_since: expect.any(String),
    });
    expect((await cli.run("why sam")).stdout).toContain("gatehouse subscriber thaw sam");
    expect(await cli.run("subscriber freeze sam")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("thaw first"),
    });
    expect((await cli.run("subscriber thaw sam")).stdout).toStartWith(
      "thawed sam; it ends 2031-01-31 12:00:0",
    );
    expect(await cli.json("subscriber show sam")).toMatchObject({ profile_status: "active" });
  });
});

test("invoice void, by number and by id", async () => {
  using cli = await withIsp();
  const store = new Database(join(cli.data, "gatehouse.db"));
  for (const id of [1, 2])
    store.run(
      `INSERT INTO invoices (isp_id, subscriber_id, package_id, package_name, amount, currency, period_start, period_end, created_at, number)
       VALUES (1, 1, 1, 'Home 10', 1500, 'USD', 1, 2, 1, 'I-2030-00000${id}')`,
    );
  store.close();
  expect((await cli.run("invoice void I-2030-000002 --reason mistake")).stdout).toBe(
    "I-2030-000002 is void; 15.00 went back to the wallet\n",
  );
  expect(await cli.json("invoice void 1 --reason mistake")).toEqual({
    success: "Invoice void.",
    invoice_id: 1,
    number: "I-2030-000001",
    user_id: 1,
    given_back: 15,
  });
  expect(await cli.run("invoice void 1 --reason mistake")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("is void since"),
  });
});
