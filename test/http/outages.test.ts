import { expect, test } from "bun:test";
import { formatTime } from "../../src/domain/core/time/time.ts";
import { NOW } from "../support/store.ts";
import { callers, insertOutage, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

const outage = {
  id: 1,
  kind: "box",
  nas_id: null,
  nas: null,
  area_id: null,
  area: null,
  box_number: "B-1",
  began_at: formatTime(NOW),
  found_at: formatTime(NOW + 40),
  ended_at: null,
  lines: 1,
  back: 0,
  sign: "lost",
  within: 9,
  answering: 0,
  most_before: 0,
  ports: ["5"],
  answering_ports: ["1"],
  overdue: null,
  usual_silence: null,
};

test("outages, each with who is to be called", async () => {
  using app = await withTenants();
  insertOutage(app.db, 1, 1, 1);
  insertOutage(app.db, 2, 2, 9);
  const read = async (path: string, basic = callers.admin) =>
    (await app.call("GET", `/api/v1/outage/${path}`, { basic })).body;
  expect(await read("list")).toEqual([outage]);
  expect(await read("list?open=0")).toEqual([]);
  expect(await read("list?kind=area")).toEqual([]);
  expect(await read("list", callers.otherBranch)).toEqual([]);
  expect(await read("get/1")).toEqual({
    ...outage,
    members: [
      {
        user_id: 1,
        name: "User 1",
        username: "user1",
        mobile_number: "M1",
        phone_number: null,
        address: null,
        box_number: null,
        port: null,
        dark_at: formatTime(NOW),
        back_at: null,
      },
    ],
  });
  expect(await read("get/2")).toEqual({ error: "there is no outage 2" });
});

test("the lines of an outage are a file too", async () => {
  using app = await withTenants();
  insertOutage(app.db, 1, 1, 1);
  const { body } = await app.call("GET", "/api/v1/outage/get/1", {
    basic: callers.admin,
    headers: { accept: "text/csv" },
  });
  expect(String(body).split("\r\n").slice(0, 2)).toEqual([
    "user_id,name,username,mobile_number,phone_number,address,box_number,port,dark_at,back_at",
    `1,User 1,user1,M1,,,,,${formatTime(NOW)},`,
  ]);
});
