import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Addresses, Appliance } from "../support/appliance.ts";
import { ada, aPackage, aSubscriber, NAS_SECRET } from "../support/isp.ts";

// The time zone is a setting of the box: it counts without a restart, and for what is brought in.

const appliance = new Appliance();
let at: Addresses;
beforeAll(async () => {
  await appliance.load(dataSet());
  at = await appliance.serve();
});
afterAll(() => appliance[Symbol.asyncDispose]());

function dataSet() {
  return {
    isps: [{ id: 1, name: "Northlink" }],
    staff: [ada],
    nas: [{ id: 1, isp_id: 1, name: "core", address: "127.0.2.9", secret: NAS_SECRET }],
    packages: [aPackage(1)],
    subscribers: [aSubscriber(1, { current_expiration_date: "2031-01-15 12:00:00" })],
  };
}

/** When the first subscriber ends, as the API says it. */
async function endOf(): Promise<string> {
  const response = await fetch(`http://${at.http}/api/v1/subscriber/list?user_id=1`, {
    headers: { authorization: `Basic ${Buffer.from("ada:secret-1").toString("base64")}` },
  });
  const [record] = (await response.json()) as { current_expiration_date: string }[];
  return record?.current_expiration_date ?? "";
}

test("another zone counts in the server that runs, and in commands; the moment stays", async () => {
  // a zone that another test has taken back counts for a moment still
  while ((await endOf()) !== "2031-01-15 12:00:00") await Bun.sleep(100);
  expect(await appliance.run(["settings", "set", "time_zone", "Asia/Karachi"])).toMatchObject({ code: 0 });
  while ((await endOf()) === "2031-01-15 12:00:00") await Bun.sleep(100);
  expect(await endOf()).toBe("2031-01-15 17:00:00");
  const exported = await appliance.run(["export", "-"]);
  expect(exported.stdout).toContain("2031-01-15 17:00:00");
  expect(await appliance.run(["settings", "set", "time_zone", "Mars/Olympus"])).toMatchObject({ code: 1 });
  expect(await appliance.run(["settings", "set", "time_zone", ""])).toMatchObject({ code: 0 });
  while ((await endOf()) !== "2031-01-15 12:00:00") await Bun.sleep(100);
});

test("ends of a table that is brought in stand in it", async () => {
  expect(await appliance.run(["settings", "set", "time_zone", "Asia/Karachi"])).toMatchObject({ code: 0 });
  const table =
    "username,password,name,mobile,package,expires\nsana,line-7,Sana,0300 77,Package 1,2031-02-01 10:00:00\n";
  await Bun.write(`${appliance.folder}/people.csv`, table);
  const moved = await appliance.run(["migrate", "csv", "people.csv"]);
  expect(moved.stderr).toBe("");
  const exported = await appliance.run(["export", "-"]);
  expect(exported.stdout).toContain("2031-02-01 10:00:00");
  expect(await appliance.run(["settings", "set", "time_zone", ""])).toMatchObject({ code: 0 });
  expect((await appliance.run(["export", "-"])).stdout).toContain("2031-02-01 05:00:00");
});
