import { describe, expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandLine, smallIsp, subscriber } from "./harness.ts";

describe("import", () => {
  test("takes a file or standard input and creates a missing store", async () => {
    using cli = new CommandLine();
    const file = join(cli.folder, "isp.json");
    await writeFile(file, `\uFEFF${JSON.stringify(smallIsp())}`);
    const { code, stdout } = await cli.run(`import ${file}`);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^subscribers +2 +0$/m);
    expect(stdout).toEndWith("imported all of it\n");
    const summary = await cli.json("import -", JSON.stringify(smallIsp()));
    expect(summary).toMatchObject({
      subscribers: { added: 0, changed: 0 },
      packages: { added: 0, changed: 0 },
    });
  });

  test("prints each fault as a line with its pointer, then what became of it", async () => {
    using cli = new CommandLine();
    const subscribers = [subscriber(1, "sam", { email: "nobody" }), subscriber(2, "tom", { package_id: 9 })];
    const outcome = await cli.import({ ...smallIsp(), subscribers });
    expect(outcome).toEqual({
      code: 1,
      stdout: "",
      stderr: [
        "gatehouse: /subscribers/0/email must be an e-mail address",
        "gatehouse: /subscribers/1/package_id does not exist",
        "gatehouse: nothing was imported; correct these 2 places and try again",
        "",
      ].join("\n"),
    });
    expect(await cli.json("staff list")).toEqual([]);
  });

  test.each([
    ["", new Uint8Array()],
    ["{", Buffer.from("{")],
    ["latin-1", Buffer.from('{"isps":"\xe9"}', "latin1")],
  ])("%j is refused in one line", async (_, bytes) => {
    using cli = new CommandLine();
    const file = join(cli.folder, "isp.json");
    await writeFile(file, bytes);
    const { code, stderr } = await cli.run(`import ${file}`);
    expect(code).toBe(1);
    expect(stderr).toStartWith(`gatehouse: ${file} is not JSON in UTF-8 (`);
    expect(stderr.split("\n")).toHaveLength(2);
  });

  test.each(['{"staff":[{"password":hunter2}]}', "hunter2", '{"password":"hunter2}', "{'hunter2':1}"])(
    "what is said about %j repeats nothing of it",
    async (text) => {
      using cli = new CommandLine();
      for (const env of [{}, { GATEHOUSE_LOG_LEVEL: "debug" }]) {
        const { stdout, stderr } = await cli.run("import -", { stdin: text, env });
        expect(stderr).toContain("is not JSON in UTF-8 (JSON Parse error");
        expect(stdout + stderr).not.toContain("hunter2");
      }
    },
  );

  test("names that an object has twice are refused, each with its place", async () => {
    using cli = new CommandLine();
    const stdin = String.raw`{"isps":[{"id":1,"i\u0064":2,"name":"a: \"b\", {"}],"isps":[],"__proto__":1}`;
    const { code, stderr } = await cli.run("import -", { stdin });
    expect(code).toBe(1);
    expect(stderr.split("\n")).toEqual([
      "gatehouse: /isps/0/id is given twice",
      "gatehouse: /isps is given twice",
      "gatehouse: nothing was imported; correct these 2 places and try again",
      "",
    ]);
    expect(existsSync(cli.data)).toBe(false);
  });

  test.each(["[]", "null", '"x"', "7"])("%s at the root is no data set", async (stdin) => {
    using cli = new CommandLine();
    const { code, stderr } = await cli.run("import -", { stdin });
    expect(code).toBe(1);
    expect(stderr).toBe(
      "gatehouse: the file must be a JSON object\ngatehouse: nothing was imported; correct this place and try again\n",
    );
  });

  test("a missing file is one line", async () => {
    using cli = new CommandLine();
    const { code, stderr } = await cli.run("import /nowhere.json");
    expect(code).toBe(1);
    expect(stderr).toContain("/nowhere.json");
    expect(stderr.split("\n")).toHaveLength(2);
    expect(existsSync(cli.data)).toBe(false);
  });

  test("a dry run without a store checks and leaves nothing behind", async () => {
    using cli = new CommandLine();
    const trials = async () =>
      (await readdir(tmpdir())).filter((name) => name.startsWith("gatehouse-trial-"));
    const before = await trials();
    const right = await cli.run("import - --dry-run", { stdin: JSON.stringify(smallIsp()) });
    expect(right).toMatchObject({ code: 0, stderr: "" });
    expect(right.stdout).toEndWith("the file is right; nothing was written\n");
    const wrong = await cli.run("import - --dry-run", { stdin: JSON.stringify({ isps: [{ id: 1 }] }) });
    expect(wrong).toMatchObject({ code: 1, stdout: "" });
    expect(wrong.stderr).toStartWith("gatehouse: /isps/0/name is required\n");
    expect(existsSync(cli.data)).toBe(false);
    expect(await trials()).toEqual(before);
  });
});

describe("export", () => {
  test("writes to standard output, or to a file that its owner alone can read", async () => {
    using cli = new CommandLine();
    await cli.import(smallIsp());
    const file = join(cli.folder, "out.json");
    const printed = (await cli.run("export --secrets")).stdout;
    expect(await cli.run(`export ${file} --secrets`)).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(await Bun.file(file).text()).toBe(printed);
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(JSON.parse(printed)).toMatchObject({
      subscribers: [{ password: "pw-sam" }, { password: "pw-tom" }],
    });
    expect((await readdir(cli.folder)).sort()).toEqual(["data", "out.json"]);
  });

  test("keeps secrets back unless asked for them", async () => {
    using cli = new CommandLine();
    await cli.import(smallIsp());
    expect((await cli.run("export")).stdout).not.toMatch(/pw-sam|testing123|argon2id|"password/);
  });
});
