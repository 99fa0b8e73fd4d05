import { describe, expect, test } from "bun:test";
import { checkStore } from "../../src/domain/machine/check/check.ts";
import { changeSetting } from "../../src/domain/machine/settings/change.ts";
import { cli } from "../support/people.ts";
import { NOW } from "../support/store.ts";
import { callers, sam, type Tenants, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

const basic = callers.admin;
const taken = ["is taken by another subscriber"];
const contacts = { nic_number: "N1", mobile_number: "M1", phone_number: "P1", email: "HOME@x.example" };

const update = (app: Tenants, username: string, json: object, caller = basic) =>
  app.call("POST", "/api/v1/subscriber/update", { basic: caller, json: { username, ...json } });

const create = (app: Tenants, json: object) =>
  app.call("POST", "/api/v1/subscriber/create", {
    basic,
    json: {
      ...sam,
      ...json,
    },
  });

const setUnique = ({ db }: Tenants, value: unknown) =>
  changeSetting(db, cli, { key: "unique_contacts", value }, { now: NOW });

const doubles = ({ db }: Tenants) =>
  checkStore(db, cli, { now: NOW }).filter(({ subject }) => subject === "subscribers");

describe("a static address", () => {
  const addresses = {
    static_ip: "10.0.0.5",
    framed_ipv6_prefix: "2001:db8:1::/64",
    delegated_ipv6_prefix: "2001:db8:100::/56",
  };
  const otherWriting = {
    framed_ipv6_prefix: "2001:DB8:1:0::1/64",
    delegated_ipv6_prefix: "2001:0db8:0100::/56",
  };

  test("of another subscriber of the ISP is refused at once, in whatever writing", async () => {
    using app = await withTenants();
    expect(await update(app, "user1", addresses)).toMatchObject({ status: 200 });
    const refused = {
      status: 400,
      body: { errors: { static_ip: taken, framed_ipv6_prefix: taken, delegated_ipv6_prefix: taken } },
    };
    expect(await create(app, { ...addresses, ...otherWriting })).toMatchObject(refused);
    expect(await update(app, "user2", { ...addresses, ...otherWriting })).toMatchObject(refused);
    expect(await update(app, "user1", addresses)).toMatchObject({ status: 200 });
    expect(await update(app, "user1", { static_ip: "" })).toMatchObject({ status: 200 });
    expect(await update(app, "user2", { static_ip: "10.0.0.5" })).toMatchObject({ status: 200 });
  });

  test("may be one of another ISP's, behind a router of its own", async () => {
    using app = await withTenants();
    await update(app, "user1", addresses);
    expect(await update(app, "user9", addresses, callers.otherTenant)).toMatchObject({ status: 200 });
    expect(doubles(app)).toEqual([]);
  });

  test("that two have from before is found by check", async () => {
    using app = await withTenants();
    app.db.$client.run("UPDATE subscribers SET static_ip = '10.0.0.5' WHERE isp_id = 1");
    expect(doubles(app)).toMatchObject([
      {
        severity: "warning",
        message: expect.stringContaining("static_ip 10.0.0.5 is that of user1 and user2"),
      },
    ]);
    // whoever sends the whole record can change the rest of it
    expect(await update(app, "user1", { name: "One", static_ip: "10.0.0.5" })).toMatchObject({ status: 200 });
    expect(await create(app, { static_ip: "10.0.0.5" })).toMatchObject({ status: 400 });
  });
});

describe("a household with two lines", () => {
  test("shares nic, mobile, phone and e-mail where unique_contacts is 0, and filters find both", async () => {
    using app = await withTenants();
    await update(app, "user1", contacts);
    expect(await create(app, contacts)).toMatchObject({
      status: 400,
      body: { errors: { nic_number: taken, mobile_number: taken, phone_number: taken, email: taken } },
    });
    setUnique(app, "0");
    expect(await create(app, contacts)).toMatchObject({ status: 200 });
    expect(await update(app, "user2", { nic_number: "N1" })).toMatchObject({ status: 200 });
    expect(await create(app, { ...contacts, username: "USER1" })).toMatchObject({
      status: 400,
      body: { errors: { username: taken } },
    });
    for (const filter of ["mobile=M1", "phone=P1", "email=home@X.example"]) {
      const { body } = await app.call("GET", `/api/v1/subscriber/list?${filter}`, { basic });
      expect(body).toMatchObject([{ username: "user1" }, { username: "sam" }]);
    }
    expect(doubles(app)).toEqual([]);
  });

  test("set back to 1, check names who shares what; it passes as it stands and is refused to others", async () => {
    using app = await withTenants();
    setUnique(app, 0);
    await update(app, "user1", contacts);
    await create(app, contacts);
    setUnique(app, 1);
    expect(doubles(app).map(({ message }) => message)).toEqual([
      expect.stringContaining("nic_number N1 is that of user1 and sam"),
      expect.stringContaining("mobile_number M1"),
      expect.stringContaining("phone_number P1"),
      expect.stringContaining("email home@x.example"),
    ]);
    expect(await update(app, "sam", { name: "Sammy" })).toMatchObject({ status: 200 });
    expect(await update(app, "sam", { ...contacts, name: "Sam" })).toMatchObject({ status: 200 });
    expect(await update(app, "user2", { nic_number: "N1" })).toMatchObject({
      status: 400,
      body: { errors: { nic_number: taken } },
    });
    await update(app, "sam", { nic_number: "N7" });
    expect(await update(app, "sam", { nic_number: "N1" })).toMatchObject({ status: 400 });
  });
});
