import { expect, test } from "bun:test";
import { AttemptLimit } from "../../src/http/attempt-limit.ts";
import { listen } from "../../src/http/server.ts";
import { callers, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

test("fifty creates of one username at the same moment: one 200, forty-nine 400 that name it", async () => {
  using app = await withTenants();
  const lan = listen(app.app, { hostname: "127.0.0.1", port: 0 });
  const create = async (index: number, shared: object) => {
    const response = await fetch(`http://${lan.address}/api/v1/subscriber/create`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(callers.admin)}`, "content-type": "application/json" },
      body: JSON.stringify({
        isp_id: 1,
        name: "Sam",
        username: `sam${index}`,
        password: "pw-sam",
        package_id: 1,
        connection_type_id: 1,
        salesperson_id: 1,
        nas_id: 1,
        nic_number: `NIC${index}`,
        mobile_number: `MOB${index}`,
        ...shared,
      }),
    });
    return { status: response.status, body: await response.json() };
  };
  const shared: Record<string, string>[] = [
    { username: "the-one" },
    { nic_number: "the-one" },
    { mobile_number: "the-one" },
    { phone_number: "the-one" },
    { email: "the@one.example" },
  ];
  for (const [round, field] of shared.entries()) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => create(round * 100 + index, field)),
    );
    const refused = answers.filter(({ status }) => status === 400);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(refused).toHaveLength(49);
    const [name = ""] = Object.keys(field);
    for (const { body } of refused)
      expect(body).toEqual({
        error: `check ${name}`,
        code: "taken",
        param: name,
        errors: { [name]: ["is taken by another subscriber"] },
      });
  }
  await lan.stop();
});

test("the limiter of logins holds a bounded number of a hundred thousand usernames, in little memory", () => {
  const limit = new AttemptLimit(5);
  Bun.gc(true);
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < 100_000; i++) limit.take(`${"name".repeat(30)}${i}`, `203.0.113.${i % 200}`);
  Bun.gc(true);
  expect(limit.keys).toBe(20_000);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(40 * 1024 * 1024);
});
