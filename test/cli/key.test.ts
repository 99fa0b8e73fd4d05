import { afterEach, beforeEach, expect, test } from "bun:test";
import { CommandLine, smallIsp } from "./harness.ts";

/* Keys are made, changed, listed and revoked by the command; an export takes along what they did, and no secret. */

let cli: CommandLine;
beforeEach(async () => {
  cli = new CommandLine();
  const permissions = { api_access: 1, payment_view: 1, subscriber_view: 1 };
  await cli.import({ ...smallIsp(), roles: [{ code: 5, isp_id: 1, name: "Programs", permissions }] });
});
afterEach(() => cli[Symbol.dispose]());

test("a key is made with its secret, changed, listed, given another secret and revoked", async () => {
  const made = await cli.run("key add books --role Programs --flags payment_view --addresses 192.0.2.0/24");
  expect(made.stdout).toMatch(
    /^the secret of books, which is not shown again:\nkey_[0-9a-f]{16}:[\w-]{43}\n$/,
  );
  expect((await cli.run(["key", "set", "books", "--flags", "", "--ends", "2099-01-31"])).stdout).toBe(
    "changed books\n",
  );
  const { stdout } = await cli.run("key list");
  expect(stdout).toMatch(
    /books +key_\w+ +Programs +all +192\.0\.2\.0\/24 +valid until 2099-01-31 23:59:59 +never/,
  );
  expect((await cli.run("key rotate books")).stdout).toMatch(
    /^a new secret of books, which is not shown again:\nkey_/,
  );
  expect((await cli.run("key calls books")).stdout).toContain("no calls");
  expect((await cli.run("key revoke books")).stdout).toBe("revoked books\n");
  expect((await cli.run("key list")).stdout).toMatch(/revoked 20/);
  expect((await cli.run("key revoke books")).stderr).toContain(
    "there is no key books; see: gatehouse key list",
  );
  expect((await cli.run("key add books")).stderr).toContain("--role <role>");
  expect((await cli.run("key set books")).stderr).toContain("say what to change");
});

test("an export has what it was called, and where that is brought in it signs in nowhere", async () => {
  await cli.run("key add books --role Programs");
  const [{ id, key }] = (await cli.json("key list")) as [{ id: number; key: string }];
  const exported = JSON.parse((await cli.run("export --secrets")).stdout) as { staff: { id: number }[] };
  const row = exported.staff.find((one) => one.id === id);
  expect(row).toMatchObject({ username: key, is_key: 1, role_code: 5 });
  expect(row).not.toContainKey("password_hash");
  using other = new CommandLine();
  expect((await other.import(exported)).stderr).toBe("");
  expect(await other.json("key list")).toEqual([]);
  expect(JSON.stringify(await other.json("staff list"))).not.toContain("books");
  expect((await other.import(exported)).code).toBe(0);
  expect((await cli.import(exported)).stdout).toContain("imported all of it");
  expect(await cli.json("key list")).toMatchObject([{ id, key, role_code: 5 }]);
});
