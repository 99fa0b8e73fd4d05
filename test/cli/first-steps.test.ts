import { expect, test } from "bun:test";
import { join } from "node:path";
import { CommandLine } from "./harness.ts";

const checkout = join(import.meta.dir, "../..");

test("what README has a new box do with the example works", async () => {
  const text = await Bun.file(join(checkout, "README.md")).text();
  const commands = [...text.matchAll(/^ {4}sudo gatehouse (nas .+?)(?: +#.*)?$/gm)].map(
    ([, argv = ""]) => argv,
  );
  expect(commands).not.toEqual([]);
  using cli = new CommandLine();
  await cli.init();
  const example = (await cli.run("import --example")).stdout;
  expect((await cli.run("import -", { stdin: example })).code).toBe(0);
  for (const command of commands) {
    const argv = command.startsWith("nas script") ? `${command} --server 192.0.2.254` : command;
    const { code, stderr } = await cli.run(argv);
    expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: "" });
  }
});
