import { expect, test } from "bun:test";
import { CommandLine } from "./harness.ts";

async function withAuditLog(): Promise<CommandLine> {
  const cli = new CommandLine();
  await cli.init(" --username admin");
  await cli.import({ isps: [{ id: 1, name: "Northlink" }] });
  await cli.run("settings set portal_name North --isp 1");
  await cli.run("settings set auth_log_days 30");
  return cli;
}

test("prints who changed what, the newest first", async () => {
  using cli = await withAuditLog();
  const { code, stdout } = await cli.run("audit --entity setting");
  expect(code).toBe(0);
  expect(
    stdout
      .trim()
      .split("\n")
      .map((line) => line.replace(/^.* cli +/, "")),
  ).toEqual([
    expect.stringMatching(/^ID  AT  +BY  +FROM  ACTION  +OF  +WHAT/),
    'setting.change  auth_log_days  {"auth_log_days":30}',
    'setting.change  portal_name    {"portal_name":"North"}',
  ]);
});

test("as JSON with what it was before; filters and a limit narrow it", async () => {
  using cli = await withAuditLog();
  expect(await cli.json("audit --entity setting --id portal_name")).toMatchObject([
    { isp_id: 1, source: "cli", before: { portal_name: "" }, after: { portal_name: "North" } },
  ]);
  expect(await cli.json("audit --limit 1")).toMatchObject([{ entity_id: "auth_log_days" }]);
  expect(await cli.json("audit --by nobody")).toEqual([]);
  expect(await cli.json("audit --to 2001-01-31")).toEqual([]);
});

test.each(["--from yesterday", "--limit 0", "--before x"])("audit %s is wrong usage", async (option) => {
  using cli = await withAuditLog();
  expect((await cli.run(`audit ${option}`)).code).toBe(2);
});

test("settings list --isp has what is set for that ISP, and what it can set alone", async () => {
  using cli = await withAuditLog();
  const own = await cli.json("settings list --isp 1");
  expect(own).toMatchObject({ portal_name: "North" });
  expect(own).not.toHaveProperty("auth_log_days");
  expect(await cli.json("settings list")).toMatchObject({ portal_name: "North", auth_log_days: 30 });
  expect(await cli.run("settings list --isp 9")).toMatchObject({
    code: 1,
    stderr: "gatehouse: there is no ISP 9; name one that there is\n",
  });
});
