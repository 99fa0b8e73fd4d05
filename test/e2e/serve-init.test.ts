import { expect, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Appliance } from "../support/appliance.ts";

test("serve --init begins with the first Admin, whose password is in a file and in no log, and with what is there the next time", async () => {
  await using appliance = new Appliance();
  const serving = async (): Promise<string> => {
    const server = appliance.spawn(["serve", "--init"], "");
    let text = "";
    let isEnding = false;
    for await (const chunk of server.stdout) {
      text += Buffer.from(chunk).toString();
      if (isEnding || !text.includes('"event":"ready"')) continue;
      isEnding = true;
      server.kill();
    }
    expect(await server.exited).toBe(0);
    return text;
  };
  const output = await serving();
  const file = join(appliance.folder, "data", "first-password.txt");
  const [username, password = ""] = readFileSync(file, "utf8").split("\n");
  expect({ username, mode: statSync(file).mode & 0o777 }).toEqual({ username: "operator", mode: 0o600 });
  expect(output).toContain(`sign in as operator with the password in ${file}`);
  expect(output).not.toContain(password);
  expect(await serving()).not.toContain("sign in as operator");
  expect((await appliance.run(["check"])).stdout).toContain(file);

  const changed = await appliance.run(["staff", "passwd", "operator", "--password-stdin"], "another-One-7\n");
  expect(changed).toMatchObject({ code: 0 });
  expect(existsSync(file)).toBe(false);
});

test("an access box begins with no Admin of its own", async () => {
  await using box = new Appliance({ GATEHOUSE_NATS_URL: "nats://127.0.0.1:1" });
  const { code, stdout, stderr } = await box.run(["serve", "--init", "--access"]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("there is no database");
});
