import { expect, test } from "bun:test";
import { warning } from "../../src/domain/machine/check/finding.ts";
import { timeZone } from "../../src/domain/core/time/time.ts";
import { request, type Sent, temporaryApp } from "../support/http.ts";
import { insertStaff } from "../support/people.ts";

test("health: 200 while the database answers and RADIUS listens", async () => {
  using app = temporaryApp();
  expect(await app.call("GET", "/healthz")).toMatchObject({
    status: 200,
    body: { status: "ok", time_zone: timeZone() },
  });
});

test("every answer of the API names the zone of its times, a refusal and a file too", async () => {
  using app = temporaryApp();
  await insertStaff(app.db, "ada", { isp_id: 0 });
  const basic = "ada:secret-1";
  const zoneOf = async (path: string, sent: Sent = { basic }) =>
    (await app.call("GET", path, sent)).headers.get("x-timezone");
  expect([
    await zoneOf("/api/v1/isp/get/1"),
    await zoneOf("/api/v1/isp/get/1", {}),
    await zoneOf("/api/v1/role/get/99"),
    await zoneOf("/api/v1/none"),
    await zoneOf("/api/v1/subscriber/list", { basic, headers: { accept: "text/csv" } }),
    await zoneOf("/portal/sign-in"),
  ]).toEqual([...Array.from({ length: 5 }, timeZone), null]);
});

test("health: 503 when RADIUS does not listen", async () => {
  using app = temporaryApp({ health: () => ({ radius: false }) });
  const { status, body } = await app.call("GET", "/healthz");
  expect(status).toBe(503);
  expect(body).toEqual({ status: "failing", database: true, radius: false, storage: true });
});

test("health: 503 when the database does not answer", async () => {
  using app = temporaryApp();
  app.db.$client.close();
  const { status, body } = await app.call("GET", "/healthz");
  expect(status).toBe(503);
  expect(body).toEqual({ status: "failing", database: false, radius: true, storage: true });
});

test("metrics: what is handed to it, as Prometheus text", async () => {
  const metricsToken = "kestrel-over-the-harbour-7";
  using app = temporaryApp({ metrics: async () => "gatehouse_sessions_open 1\n", metricsToken });
  const { status, body, headers } = await app.call("GET", "/metrics", { bearer: metricsToken });
  expect({ status, body }).toEqual({ status: 200, body: "gatehouse_sessions_open 1\n" });
  expect(headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
});

test("health detail: the findings", async () => {
  const findings = [warning("backups", "none", "backups_none", {})];
  using app = temporaryApp({ findings: () => findings });
  await insertStaff(app.db, "ada", { isp_id: 0 });
  const answer = await app.call("GET", "/healthz/detail", { basic: "ada:secret-1" });
  expect(answer).toMatchObject({
    status: 200,
    body: { findings: [{ severity: "warning", subject: "backups", message: "none" }] },
  });
  expect(JSON.stringify(answer.body)).not.toContain("about");
});

test("every answer is counted by its route and its real status", async () => {
  const served: string[] = [];
  using app = temporaryApp({
    health: () => ({ radius: false }),
    served: ({ method, route, status, seconds }) => {
      expect(seconds).toBeWithin(0, 5);
      served.push(`${method} ${route} ${status}`);
    },
  });
  for (const [method, path] of [
    ["GET", "/healthz"],
    ["GET", "/openapi.json"],
    ["GET", "/api/v1/role/get/1"],
    ["GET", "/none/of/that"],
    ["DELETE", "/healthz"],
  ] as const)
    await (await app.app.handle(request(method, path))).text();
  for (let waited = 0; served.length < 5 && waited < 100; waited++) await Bun.sleep(10);
  expect(served.toSorted()).toEqual(
    [
      "GET /healthz 503",
      "GET /openapi.json 200",
      "GET /api/v1/role/get/:code 401",
      "GET none 404",
      "DELETE none 405",
    ].toSorted(),
  );
});

test("Strict-Transport-Security: on every answer of a listener that was asked for it, on no other", async () => {
  using app = temporaryApp({ hstsDays: { lan: 0, public: 30 } });
  for (const path of ["/portal", "/none"]) {
    const of = async (side: typeof app.app) =>
      (await side.handle(request("GET", path))).headers.get("strict-transport-security");
    expect([await of(app.app), await of(app.publicApp)]).toEqual([null, "max-age=2592000"]);
  }
});

test("the address alone leads people to the console on the LAN, and to the portal from outside", async () => {
  using app = temporaryApp();
  for (const [side, to] of [
    [app.app, "/console"],
    [app.publicApp, "/portal"],
  ] as const) {
    for (const method of ["GET", "HEAD"]) {
      const { status, headers } = await side.handle(request(method, "/"));
      expect([status, headers.get("location")]).toEqual([302, to]);
    }
    expect((await side.handle(request("GET", "/?from=router"))).headers.get("location")).toBe(to);
    expect((await side.handle(request("POST", "/"))).status).toBe(405);
  }
});
