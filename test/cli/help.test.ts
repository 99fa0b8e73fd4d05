import { expect, test } from "bun:test";
import { pages } from "../../src/handbook/pages.ts";
import { CommandLine } from "./harness.ts";

test("help prints a page, what a command takes, or the page that is meant", async () => {
  using cli = new CommandLine();
  const said = async (argv: string) => (await cli.run(argv)).stdout;
  for (const { slug, title } of pages())
    expect(await said("help")).toContain(`${slug.padEnd(28)} ${title}\n`);
  expect(await said("help restore")).toContain("sudo systemctl stop gatehouse");
  expect(await said("help upgrade-and")).toStartWith("Upgrade, and go back\n");
  expect(await said("help forgoten pasword")).toMatch(
    /^Who gets into the console[^]*a key \(gatehouse help programs\)/,
  );
  const steps = await said("help first-subscriber");
  expect(steps).toMatch(/^For a new owner\./m);
  expect(steps.replaceAll(/\s+/g, " ")).toContain(
    "The _Folder_ for backups, on another disk. Empty is this box's own disk, which is lost with it. **Try it and save**.",
  );
  expect(await said("help nas add")).toStartWith("Usage: gatehouse nas add ");
  expect(await said("help help")).toStartWith("Usage: gatehouse help ");
  expect(await cli.run("help nas nothing")).toMatchObject({ code: 1 });
  expect(await cli.run("help xyzzyx")).toMatchObject({
    code: 1,
    stderr: "gatehouse: no page of the handbook has xyzzyx; see: gatehouse help\n",
  });
});

test("help speaks the language of the terminal where a page is written in it", async () => {
  using cli = new CommandLine();
  const first = async (env: Record<string, string>, topic = "permissions") =>
    (await cli.run(`help ${topic}`, { env })).stdout.split("\n")[0];
  expect(await first({ LANG: "es_ES.UTF-8" })).toBe("Permisos");
  expect(await first({ LANG: "es_ES.UTF-8", LC_MESSAGES: "ar" })).toBe("الصلاحيات");
  expect(await first({ LANG: "es_ES.UTF-8", LC_MESSAGES: "ar", LC_ALL: "C.UTF-8" })).toBe("Permissions");
  expect(await first({ LANG: "fr_FR.UTF-8" })).toBe("Permissions");
  expect(await first({ LANG: "es" }, "metrics")).toBe("Metrics");
  expect(await first({ LANG: "es" }, "funciones permisos")).toBe("Permisos");
});
