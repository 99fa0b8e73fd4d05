import { expect, test } from "bun:test";
import { Appliance } from "../support/appliance.ts";

test("serve --init begins with the first Admin, and with what is there the next time", async () => {
  await using appliance = new Appliance();
  const serving = async (): Promise<string> => {
    const server = appliance.spawn(["serve", "--init"], "");
    let said = "";
    let isEnding = false;
    for await (const chunk of server.stdout) {
      said += Buffer.from(chunk).toString();
      if (isEnding || !said.includes('"event":"ready"')) continue;
      isEnding = true;
      server.kill();
    }
    expect(await server.exited).toBe(0);
    return said;
  };
  expect(await serving()).toMatch(/^username: operator\npassword: \S+$/m);
  expect(await serving()).not.toContain("password: ");
});

test("an access box begins with no Admin of its own", async () => {
  await using box = new Appliance({ GATEHOUSE_NATS_URL: "nats://127.0.0.1:1" });
  const { code, stdout, stderr } = await box.run(["serve", "--init", "--access"]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("there is no database");
});
