import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CommandLine, smallIsp } from "./harness.ts";

let shell: CommandLine;

beforeEach(async () => {
  shell = new CommandLine();
  expect((await shell.import(smallIsp())).code).toBe(0);
});
afterEach(() => shell[Symbol.dispose]());

type Step = readonly [command: string, stdout: string];
type Refusal = readonly [command: string, code: number, stderr: string];

async function follow(steps: readonly Step[]): Promise<void> {
  for (const [command, stdout] of steps)
    expect({ command, ...(await shell.run(command)) }).toEqual({ command, code: 0, stdout, stderr: "" });
}

async function refuse(refusals: readonly Refusal[]): Promise<void> {
  for (const [command, code, stderr] of refusals)
    expect({ command, ...(await shell.run(command)) }).toEqual({ command, code, stdout: "", stderr });
}

describe("places", () => {
  test("are added, changed, listed and removed", async () => {
    await follow([
      ["place add city Riverton", "added the city Riverton with the id 1\n"],
      ["place add city Bay --isp 1", "added the city Bay with the id 2\n"],
      ["place add area East --in Riverton", "added the area East with the id 1\n"],
      ["place add subarea Block-4 --in 1", "added the subarea Block-4 with the id 1\n"],
      ["place list city", "ID  ISP        NAME\n 2  Northlink  Bay\n 1  Northlink  Riverton\n"],
      ["place set area East --name Old-East", "changed the area Old-East\n"],
      ["place list area", "ID  ISP        NAME      CITY\n 1  Northlink  Old-East  Riverton\n"],
      ["place set area 1 --in Bay", "changed the area Old-East\n"],
      ["place remove city Riverton", "removed the city Riverton\n"],
      ["place set area Old-East --no-in", "changed the area Old-East\n"],
      ["place list area", "ID  ISP        NAME      CITY\n 1  Northlink  Old-East  -\n"],
      ["place list isp", "ID  NAME\n 1  Northlink\n"],
      ["place add isp Southlink", "added the ISP Southlink with the id 2\n"],
      ["place remove isp Southlink", "removed the ISP Southlink\n"],
    ]);
    expect(await shell.json("place list area")).toEqual([
      { id: 1, isp_id: 1, name: "Old-East", city_id: null },
    ]);
    expect(await shell.json("place list branch")).toEqual([{ id: 1, isp_id: 1, name: "Centre" }]);
    expect(await shell.json("place add area West --in Bay")).toEqual({
      id: 2,
      isp_id: 1,
      name: "West",
      city_id: 2,
    });
    expect(await shell.json("place set area West --name Quay")).toMatchObject({ id: 2, name: "Quay" });
  });

  test("that are not there, are used or make no sense are refused in words", async () => {
    await shell.run("place add city Riverton");
    await shell.run("place add area East --in Riverton");
    await refuse([
      ["place remove city Hilton", 1, "gatehouse: there is no city Hilton; there are: 1 Riverton\n"],
      [
        "place remove city Riverton",
        1,
        "gatehouse: the city Riverton is used by areas (1); give them another one first\n",
      ],
      [
        "place add city Bay --in Riverton",
        1,
        "gatehouse: a place of the kind city lies in no other; leave --in out\n",
      ],
      ["place set area East", 1, "gatehouse: say what to change; see: gatehouse place set --help\n"],
      [
        "place list town",
        2,
        "gatehouse: command-argument value 'town' is invalid for argument 'kind'. Allowed choices are isp, branch, city, area, subarea; see --help\n",
      ],
    ]);
    await shell.run("place add area East");
    await refuse([
      [
        "place remove area East",
        1,
        "gatehouse: several areas are called East; name one by its id: 1 (ISP 1), 2 (ISP 1)\n",
      ],
    ]);
    await shell.run("place add isp Southlink");
    await refuse([
      ["place add city Bay", 1, "gatehouse: there are several ISPs; say whose place it is: --isp ID\n"],
    ]);
  });
});

describe("packages", () => {
  test("are added, changed, listed, switched off and removed", async () => {
    await shell.run("settings set tax_percent 18");
    await follow([
      [
        "package add Fibre --net-price 18.64 --rate-limit 50M/50M",
        "added Fibre with the id 2, which costs 22.00, 3.36 of it tax\n",
      ],
      [
        "package set Fibre --price 23.60 --reseller-price 18",
        "changed Fibre, which costs 23.60, 3.60 of it tax\n",
      ],
      ["package disable Fibre", "disabled Fibre\n"],
      [
        "package list",
        [
          "ID  ISP        NAME     PRICE  TAX IN IT  RESELLER PAYS  TYPE     PERIOD   RATE     VOLUME  STATUS",
          " 2  Northlink  Fibre    23.60       3.60          18.00  prepaid  1 month  50M/50M  -       disabled",
          " 1  Northlink  Home 10  15.00       2.29              -  prepaid  1 month  10M/10M  -       enabled\n",
        ].join("\n"),
      ],
      ["package enable 2", "enabled Fibre\n"],
      [
        "package set 2 --rate-limit ",
        [
          "changed Fibre, which costs 23.60, 3.60 of it tax",
          "it has no rate: guests of a hotspot who have it share the one queue of the router's user profile; give it one with --rate-limit\n",
        ].join("\n"),
      ],
    ]);
    expect(await shell.json("package show Fibre")).toMatchObject({
      id: 2,
      price: 23.6,
      net: 20,
      tax: 3.6,
      reseller_price: 18,
      rate_limit: null,
      status: 1,
    });
    expect((await shell.run("package show Fibre")).stdout).toContain("price                 23.60\n");
    await follow([["package remove Fibre", "removed Fibre\n"]]);
    expect(await shell.json("package list")).toMatchObject([{ id: 1, name: "Home 10", price: 15 }]);
    expect(await shell.json("package add Day --price 1 --duration 1 --duration-unit day")).toMatchObject({
      name: "Day",
      price: 1,
      billing_type: "prepaid",
      duration: 1,
      duration_unit: "day",
    });
  });

  test("say who stays on old terms after a change", async () => {
    await shell.import({ subscribers: [{ id: 1, current_expiration_date: "2099-01-01 00:00:00" }] });
    await follow([
      [
        "package set 1 --rate-limit 20M/20M",
        "changed Home 10, which costs 15.00\n1 with Home 10 stay on its old terms until their next activation; give them the new ones with: gatehouse package apply 1\n",
      ],
    ]);
    expect(await shell.json("package set 1 --price 16")).toMatchObject({
      price: 16,
      holders_on_old_terms: 1,
    });
  });

  test("are refused in words", async () => {
    await refuse([
      [
        "package remove 1",
        1,
        "gatehouse: the package Home 10 is in the profile of subscribers (2); give them another one first, or disable it\n",
      ],
      ["package set 1", 1, "gatehouse: say what to change; see: gatehouse package set --help\n"],
      ["package show Fibre", 1, "gatehouse: there is no package Fibre; there are: 1 Home 10\n"],
    ]);
    const { code, stderr } = await shell.run("package add Fibre --billing-type often");
    expect([code, stderr]).toEqual([1, expect.stringContaining("must be one of prepaid, postpaid")]);
    expect(stderr).toContain("is required, or net_price in its place");
  });
});

describe("roles", () => {
  test("are added with permissions, given others, shown and removed", async () => {
    await follow([
      ["role add Clerk payment_take subscriber_view", "added the role Clerk with the code 1\n"],
      ["role permit Clerk api_access --revoke payment_take", "changed what the role Clerk may do\n"],
      ["role set Clerk --name Till", "changed the role Till\n"],
      ["role list", "CODE  ISP        NAME\n   1  Northlink  Till\n"],
    ]);
    const commands = async () => {
      const record = Object(await shell.json("role show Till"));
      return Object.entries(record.permissions).flatMap(([flag, value]) => (value === 1 ? [flag] : []));
    };
    expect(await commands()).toEqual(["api_access", "subscriber_view"]);
    expect((await shell.run("role show 1")).stdout).toMatch(/^1 Till\nPERMISSION +GIVEN\napi_access +yes\n/);
    expect(await shell.json("role list")).toEqual([{ id: 1, code: 1, name: "Till", needs_second_factor: 0 }]);
    await follow([["role remove Till", "removed the role Till\n"]]);
    await follow([["role add Empty", "added the role Empty with the code 2\n"]]);
    await follow([["role show Empty", "2 Empty: no permission was ever set\n"]]);
  });

  test("with permissions that are none, or of accounts, are refused", async () => {
    await refuse([
      ["role permit Clerk api_access", 1, "gatehouse: there is no role Clerk; there are: none\n"],
      ["role permit Clerk", 1, "gatehouse: say which permissions; they are in: gatehouse role show ROLE\n"],
    ]);
    const misspelt = await shell.run("role add Clerk payment_tak");
    expect([misspelt.code, misspelt.stderr]).toEqual([
      1,
      expect.stringContaining("there is no permission payment_tak; there are: api_access, "),
    ]);
    expect(await shell.json("role list")).toEqual([]);
    await shell.run("role add Clerk");
    await shell.import({ staff: [{ id: 2, role_code: 1 }] });
    await refuse([
      ["role remove Clerk", 1, "gatehouse: the role is assigned to 1 staff; give them another role first\n"],
      [
        "role permit Clerk api_access --revoke api_access",
        1,
        "gatehouse: api_access cannot be both given and taken away\n",
      ],
    ]);
  });
});
