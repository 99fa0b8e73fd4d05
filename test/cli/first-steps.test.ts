import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { CommandLine } from "./harness.ts";

const checkout = join(import.meta.dir, "../..");

test.each(["README.md", "systemd/README.md"])(
  "what %s has a new box do with the example works",
  async (file) => {
    const text = await Bun.file(join(checkout, file)).text();
    const commands = [...text.matchAll(/^ {4}sudo gatehouse (nas .+?)(?: +#.*)?$/gm)].map(
      ([, argv = ""]) => argv,
    );
    expect(commands.length).toBeGreaterThan(1);
    using cli = new CommandLine();
    await cli.init();
    const example = (await cli.run("import --example")).stdout;
    expect((await cli.run("import -", { stdin: example })).code).toBe(0);
    for (const command of commands) {
      const argv = command.startsWith("nas script") ? `${command} --server 192.0.2.254` : command;
      const { code, stderr } = await cli.run(argv);
      expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: "" });
    }
  },
);

test("what the handbook has the office do works with the demo", async () => {
  const text = await Bun.file(join(checkout, "systemd/README.md")).text();
  const chapter = text.slice(text.indexOf("\n## The office\n"), text.indexOf("\n## Point a router here\n"));
  const commands = [...chapter.matchAll(/^ {4}gatehouse (.+?)(?: +#.*| +>.*)?$/gm)].map(
    ([, argv = ""]) => argv,
  );
  expect(commands.length).toBeGreaterThan(20);
  using cli = new CommandLine();
  const demo = await Bun.$`${process.execPath} ${checkout}/scripts/demo-isp.ts`.text();
  expect(await cli.run("import -", { stdin: demo })).toMatchObject({ code: 0 });
  using store = new Database(join(cli.data, "gatehouse.db"));
  store.run(
    "INSERT INTO closings (id, isp_id, staff_id, created_at, taken, returned, expected, counted) VALUES (31, 1, 6, 1, 0, 0, 0, 0)",
  );
  const year = new Date().getFullYear();
  for (const command of commands) {
    const today = command
      .replace(/([RI])-2030-\d+/, `$1-${year}-000001`)
      .replace(/^card (.*)\b117\b/, "card $1 1")
      .replace("C-051234", "C-000001")
      .replace("codes.csv", join(cli.data, "codes.csv"))
      .replace(/^card find$/, "card find C-000001");
    const argv = today.match(/"[^"]*"|\S+/g)?.map((word) => word.replaceAll('"', "")) ?? [];
    const input = command.startsWith("staff add") ? ["--password-stdin"] : [];
    if (command.startsWith("card unlock"))
      store.run("UPDATE cards SET locked_mac = 'AA:BB:CC:00:00:01' WHERE id = 1");
    const { code, stderr } = await cli.run([...argv, ...input], { stdin: "correct-horse\n" });
    expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: "" });
  }
});
