import { afterAll, expect, test } from "bun:test";
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { documentRoutes } from "../../src/http/app.ts";
import { generateTypes } from "../../scripts/lab.d/clients/types.ts";
import { withTenants } from "../support/tenants.ts";

const checkout = join(import.meta.dir, "../..");
const folder = mkdtempSync(join(tmpdir(), "gatehouse-client-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("openapi-typescript makes types of the document with which the walk compiles", async () => {
  const types = await generateTypes(documentRoutes());
  expect(types.split("\n").length).toBeLessThan(40_000);
  writeFileSync(join(folder, "gatehouse.d.ts"), types);
  copyFileSync(join(checkout, "scripts/lab.d/clients/typescript/walk.ts"), join(folder, "walk.ts"));
  copyFileSync(join(checkout, "tsconfig.json"), join(folder, "base.json"));
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ extends: "./base.json", include: ["walk.ts"], exclude: [] }),
  );
  symlinkSync(join(checkout, "node_modules"), join(folder, "node_modules"));
  const check = Bun.spawn([process.execPath, "check", "--no-script"], {
    cwd: folder,
    stdout: "pipe",
    stderr: "pipe",
  });
  const said = await new Response(check.stdout).text();
  expect({ code: await check.exited, said }).toEqual({ code: 0, said: expect.any(String) });
});

test("the walk by openapi-fetch comes to its end, to the cent", async () => {
  using app = await withTenants();
  const [username, password] = ["ada", "secret-1"];
  const fetch = (request: Request) => app.app.handle(request);
  const { walk } = await import(join(checkout, "scripts/lab.d/clients/typescript/walk.ts")); // compiled above
  expect(await walk({ baseUrl: "http://localhost", username, password, fetch })).toStartWith("walk-");
});
