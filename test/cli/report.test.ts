import { expect, test } from "bun:test";
import { CommandLine, smallIsp } from "./harness.ts";

async function withSales(): Promise<CommandLine> {
  const cli = new CommandLine();
  await cli.import(smallIsp());
  await cli.run("subscriber credit sam 12.50");
  return cli;
}

test("a report is a table, JSON or a file, and its help says what it takes", async () => {
  using cli = await withSales();
  const rows = await cli.json("report concessions --by branch");
  expect(rows).toMatchObject([{ what: "adjustment_up", times: 1, amount: 12.5 }]);
  const table = await cli.run("report concessions");
  expect(table.stdout).toMatch(
    /^ISP ID +ISP +CURRENCY .*WHAT +TIMES +HOURS +AMOUNT\n.*adjustment_up +1 +0 +12\.50\n$/,
  );
  const csv = await cli.run("report concessions --csv");
  expect(csv.stdout).toMatch(
    /^\uFEFFisp_id,isp,currency,id,name,what,times,hours,amount\r\n.*,adjustment_up,1,0,12\.5\r\n$/,
  );
  expect((await cli.run("report sales --help")).stdout).toContain("--package-id");
  expect(await cli.json("report top-users --per day")).toEqual([]);
});

test("what a report does not take is said", async () => {
  using cli = await withSales();
  expect(await cli.run("report sales --by colour")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("by must be some of day, month"),
  });
  expect(await cli.run("report sales --json --csv")).toMatchObject({ code: 1 });
  expect(await cli.run("report nothing")).toMatchObject({ code: 2 });
});
