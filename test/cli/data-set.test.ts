import { describe, expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeStore } from "../support/store.ts";
import { CommandLine, smallIsp, subscriber } from "./harness.ts";

/** Without the blanks that make columns. */
const linesOf = (text: string) => text.split("\n").map((line) => line.replace(/ +/g, " ").trim());

describe("import", () => {
  test("takes a file or standard input and creates a missing store", async () => {
    using cli = new CommandLine();
    const file = join(cli.folder, "isp.json");
    await writeFile(file, `\uFEFF${JSON.stringify(smallIsp())}`);
    const { code, stdout } = await cli.run(`import ${file}`);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^subscribers +2 +0 *$/m);
    expect(stdout).toEndWith("imported all of it\n");
    const summary = await cli.json("import -", JSON.stringify(smallIsp()));
    expect(summary).toMatchObject({
      subscribers: { added: 0, changed: 0 },
      packages: { added: 0, changed: 0 },
    });
  });

  test("says each fault with its row, counted from 1, and what would be right, then what became of it", async () => {
    using cli = new CommandLine();
    const subscribers = [subscriber(1, "sam", { email: "nobody" }), subscriber(2, "tom", { package_id: 9 })];
    const outcome = await cli.import({ ...smallIsp(), subscribers });
    expect(outcome).toEqual({
      code: 1,
      stdout: "",
      stderr: [
        "gatehouse: subscribers: row 1 (username sam): email must be an e-mail address",
        "gatehouse: subscribers: row 2 (username tom): package_id 9 is not a package of this ISP; there is only 1",
        "gatehouse: nothing was imported; correct these 2 places and try again",
        "",
      ].join("\n"),
    });
    expect(await cli.json("staff list")).toEqual([]);
  });

  test("says the same fault of many rows once, and --json names each", async () => {
    using cli = new CommandLine();
    const data = {
      ...smallIsp(),
      subscribers: Array.from({ length: 1700 }, (_, index) =>
        subscriber(index + 1, `user${index}`, { nic_number: "", package_id: 7 + (index % 2) }),
      ),
      cities: [{ id: 1, isp_id: 1 }],
    };
    const { stdout, stderr } = await cli.import(data);
    expect(stdout).toBe("");
    expect(stderr.split("\n")).toEqual([
      "gatehouse: cities: row 1: name is required",
      "gatehouse: subscribers: 1,700 rows: nic_number is required, the first is row 1 (username user0)",
      "gatehouse: subscribers: 1,700 rows: package_id 7, 8 is not a package of this ISP; there is only 1, the first is row 1 (username user0)",
      "gatehouse: nothing was imported; correct these 3,401 places and try again; --json names each of them",
      "",
    ]);
    const outcome = await cli.run("import - --json", { stdin: JSON.stringify(data) });
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toBe(
      "gatehouse: nothing was imported; correct these 3,401 places and try again\n",
    );
    const { faults }: { faults: Record<string, string[]> } = JSON.parse(outcome.stdout);
    expect(Object.keys(faults)).toHaveLength(3401);
    expect(faults["/subscribers/1699/nic_number"]).toEqual(["is required"]);
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
      "gatehouse: isps: row 1: id is given twice",
      "gatehouse: isps is given twice",
      "gatehouse: nothing was imported; correct these 2 places and try again",
      "",
    ]);
    expect(existsSync(cli.data)).toBe(false);
  });

  test.each(["[]", "null", '"x"', "7"])("%s at the root is no data set", async (stdin) => {
    using cli = new CommandLine();
    makeStore(cli.data);
    const { code, stderr } = await cli.run("import -", { stdin });
    expect(code).toBe(1);
    expect(stderr).toBe(
      "gatehouse: the file must be a JSON object\ngatehouse: nothing was imported; correct this place and try again\n",
    );
  });

  test("--example prints a data set that has every section and can be imported as it stands", async () => {
    using cli = new CommandLine();
    const { code, stdout, stderr } = await cli.run("import --example");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(existsSync(cli.data)).toBe(false);
    makeStore(cli.data);
    const { changes, kept, branches, settings, ...sections }: Record<string, { added: number }> = JSON.parse(
      (await cli.run("import - --json", { stdin: stdout })).stdout,
    );
    expect(Object.values(sections).map(({ added }) => added > 0)).not.toContain(false);
    expect([branches?.added, settings]).toMatchObject([1, { changed: 1 }]);
    expect([changes, kept]).toMatchObject([[{ section: "settings" }], []]);
    expect(JSON.parse(stdout)).toContainKeys(["permission_flags", ...Object.keys(sections)]);
    const anyPort = "127.0.0.1:0";
    const env = { GATEHOUSE_RADIUS_AUTH_LISTEN: anyPort, GATEHOUSE_RADIUS_ACCT_LISTEN: anyPort };
    const check = cli.run("check", { env: { ...env, GATEHOUSE_HTTP_LISTEN: anyPort } });
    expect(await check).toMatchObject({ code: 0 });
  });

  test("without a file is wrong usage", async () => {
    using cli = new CommandLine();
    expect(await cli.run("import")).toEqual({
      code: 2,
      stdout: "",
      stderr: "gatehouse: missing required argument 'file', or --example; see --help\n",
    });
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
    expect(wrong.stderr).toStartWith("gatehouse: isps: row 1: name is required\n");
    expect(existsSync(cli.data)).toBe(false);
    expect(await trials()).toEqual(before);
  });
});

describe("import of an export that was edited after money moved", () => {
  async function movedAndEdited(cli: CommandLine): Promise<string> {
    await cli.import(smallIsp());
    const exported = await cli.run("export");
    const data: { subscribers: object[] } = JSON.parse(exported.stdout);
    Object.assign(data.subscribers[0] ?? {}, { name: "Samuel", balance: "2.00" });
    await cli.run("subscriber credit sam 5");
    return JSON.stringify(data);
  }

  test("imports the rest and names the rows that stay", async () => {
    using cli = new CommandLine();
    const stdin = await movedAndEdited(cli);
    const dry = await cli.run("import - --dry-run", { stdin });
    expect(linesOf(dry.stdout)).toEqual([
      "SECTION ADDED CHANGED",
      "subscribers 0 1",
      "ROW FIELD IS WILL BE",
      "subscribers 1 (sam) name sam Samuel",
      "ROW FIELD STAYS THE FILE HAS",
      "subscribers 1 (sam) balance 5.00 2.00",
      "money or time of this row moved since the file was exported; to take the file's: --overwrite-money",
      "the file is right; nothing was written",
      "",
    ]);
    const real = await cli.run("import -", { stdin });
    expect(linesOf(real.stdout)).toContain("subscribers 1 (sam) balance 5.00 2.00");
    expect(real.stdout).not.toContain("WILL BE");
    expect(real.stdout).toEndWith("\nimported all of it but for the money, time and use of 1 row\n");
    expect(await cli.json("subscriber show sam")).toMatchObject({ name: "Samuel", balance: 5 });
  });

  test("shows a hundred rows that change, long text cut, and how many there are besides", async () => {
    using cli = new CommandLine();
    const subscribers = Array.from({ length: 150 }, (_, index) => subscriber(index + 1, `user${index}`));
    await cli.import({ ...smallIsp(), subscribers });
    const address = "x".repeat(120);
    const stdin = JSON.stringify({ subscribers: subscribers.map(({ id }) => ({ id, address })) });
    const lines = linesOf((await cli.run("import - --dry-run", { stdin })).stdout);
    expect(lines.slice(3, -2)).toEqual(
      subscribers
        .slice(0, 100)
        .map(({ id, username }) => `subscribers ${id} (${username}) address - ${"x".repeat(45)}...`)
        .concat("and 50 more changed rows; --json has every one"),
    );
  });

  test("--overwrite-money takes the file's", async () => {
    using cli = new CommandLine();
    const stdin = await movedAndEdited(cli);
    const outcome = await cli.json("import - --overwrite-money", stdin);
    expect(outcome).toMatchObject({
      subscribers: { added: 0, changed: 1 },
      changes: [{ id: 1, fields: { balance: { before: "5.00", after: "2.00" } } }],
      kept: [],
    });
    expect(await cli.json("subscriber show sam")).toMatchObject({ name: "Samuel", balance: 2 });
  });
});

describe("export", () => {
  test("writes to standard output, or to a file that its owner alone can read", async () => {
    using cli = new CommandLine();
    await cli.import(smallIsp());
    const file = join(cli.folder, "out.json");
    const printed = (await cli.run("export --secrets")).stdout;
    expect(await cli.run(`export ${file} --secrets`)).toMatchObject({ code: 0, stderr: "" });
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
