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
  expect(await said("help nas add")).toStartWith("Usage: gatehouse nas add ");
  expect(await said("help help")).toStartWith("Usage: gatehouse help ");
  expect(await cli.run("help nas nothing")).toMatchObject({ code: 1 });
  expect(await cli.run("help xyzzyx")).toMatchObject({
    code: 1,
    stderr: "gatehouse: no page of the handbook has xyzzyx; see: gatehouse help\n",
  });
});
