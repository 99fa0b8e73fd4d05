import { expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/domain/core/time/time.ts";
import { Appliance } from "../support/appliance.ts";
import { certificate } from "../support/certificate.ts";
import { Clocks } from "../torture/clocks.ts";

const root = join(import.meta.dir, "../..");

/** Walks through an appliance with the demo ISP, of whose server `clocks` are the clocks. */
async function walk(
  appliance: Appliance,
  which: string[],
  { clocks = {}, env = {} }: { clocks?: Record<string, string>; env?: Record<string, string> } = {},
): Promise<string> {
  const demo = await Bun.$`${process.execPath} ${root}/scripts/demo-isp.ts`.json();
  await appliance.load(demo);
  const { http } = await appliance.serve(clocks);
  const walk = Bun.spawn([join(root, "scripts/walk"), ...which, `http://${http}`], {
    env: { PATH: process.env["PATH"], GATEHOUSE_DATA_DIR: join(appliance.folder, "data"), ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([walk.stdout.text(), walk.stderr.text(), walk.exited]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

test("a client with curl alone walks from login to disconnect", async () => {
  await using appliance = new Appliance();
  expect(await walk(appliance, [])).toContain("ok  disconnect\nwalked: subscriber 201");
  for (const secret of ["demo-admin", "second-7", "Bearer"]) expect(appliance.log).not.toContain(secret);
});

test("a day of an ISP, walked with curl alone: the reports say what the ledger says", async () => {
  await using appliance = new Appliance();
  const clocks = await Clocks.open(appliance.folder, systemClock() + 60);
  using waiting = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      clocks.pass(Number(new URL(request.url).searchParams.get("seconds")));
      return new Response();
    },
  });
  const wait = join(appliance.folder, "wait");
  await Bun.write(wait, `#!/bin/sh\nexec curl -sSf "${waiting.url}?seconds=$1"\n`);
  chmodSync(wait, 0o700);
  const text = await walk(appliance, ["office"], { clocks: clocks.env, env: { WALK_WAIT: wait } });
  expect(text).toContain("s to wait\nok  amy changes to Home");
  expect(text).toContain("ok  and all of it is what the wallets hold\nwalked: branch 3");
  expect((await appliance.run(["check"])).stdout).not.toMatch(/^error/m);
  for (const secret of ["demo-admin", "walked-"]) expect(appliance.log).not.toContain(secret);
});

test("the documentation comes out of the executable, and the public listener speaks TLS without it", async () => {
  await using appliance = new Appliance({
    GATEHOUSE_PUBLIC_LISTEN: "127.0.0.1:0",
    GATEHOUSE_TLS_CERT: "cert.pem",
    GATEHOUSE_TLS_KEY: "key.pem",
  });
  const { cert, key } = await certificate();
  await Bun.write(join(appliance.folder, "cert.pem"), cert);
  await Bun.write(join(appliance.folder, "key.pem"), key);
  await appliance.load({});
  const at = await appliance.serve();
  const first = await (await fetch(`http://${at.http}/docs`)).text();
  expect(first).toContain("/docs/money#takePayment");
  expect(await (await fetch(`http://${at.http}/docs/guide-webhooks`)).text()).toContain("webhook-signature");
  const [style = ""] = /\/console\/assets\/docs-[^"]+/.exec(first) ?? [];
  expect((await fetch(`http://${at.http}${style}`)).status).toBe(200);

  const statusOf = async (path: string) =>
    (await fetch(`https://${at.public}${path}`, { tls: { rejectUnauthorized: false } })).status;
  expect(await statusOf("/portal")).toBe(200); // the sign-in page
  for (const path of ["/docs", "/openapi.json", "/healthz", "/metrics", "/api/v1/role/list"])
    expect(await statusOf(path)).toBe(404);
});

test("metrics and findings are the box's own; a refused Prometheus is in check until it has the token, which no log shows", async () => {
  const token = "kestrel-over-the-harbour-7";
  await using appliance = new Appliance({ GATEHOUSE_TRUSTED_PROXIES: "127.0.0.1" });
  await appliance.load({});
  let at = await appliance.serve();
  const ask = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(`http://${at.http}${path}`, { headers })).status;
  const elsewhere = { "x-forwarded-for": "203.0.113.9" };
  for (let i = 0; i < 20; i++) expect(await ask("/metrics", elsewhere)).toBe(403);
  expect(await ask("/healthz/detail", elsewhere)).toBe(401);
  expect([await ask("/metrics"), await ask("/healthz/detail"), await ask("/healthz", elsewhere)]).toEqual([
    200, 200, 200,
  ]);
  expect(appliance.log.match(/"msg":"refused \/metrics/g)).toHaveLength(1); // what is found once it serves may name it too
  expect((await appliance.run(["check"])).stdout).toContain("metrics: 203.0.113.9 was refused /metrics");
  await appliance.stop();

  at = await appliance.serve({ GATEHOUSE_METRICS_TOKEN: token, GATEHOUSE_LOG_LEVEL: "debug" });
  expect(await ask("/metrics", { ...elsewhere, authorization: `Bearer ${token}` })).toBe(200);
  expect(await ask("/metrics", { ...elsewhere, authorization: `Bearer ${token}x` })).toBe(401);
  expect((await appliance.run(["check"])).stdout).not.toContain("refused /metrics");
  await appliance.stop();
  expect(appliance.log).not.toContain(token);
});
