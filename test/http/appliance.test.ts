import { expect, test } from "bun:test";
import { temporaryApp } from "../support/http.ts";

test("health: 200 while the database answers and RADIUS listens", async () => {
  using app = temporaryApp();
  expect(await app.call("GET", "/healthz")).toMatchObject({ status: 200, body: { status: "ok" } });
});

test("health: 503 when RADIUS does not listen", async () => {
  using app = temporaryApp({ health: () => ({ radius: false }) });
  const { status, body } = await app.call("GET", "/healthz");
  expect(status).toBe(503);
  expect(body).toEqual({ status: "failing", database: true, radius: false });
});

test("health: 503 when the database does not answer", async () => {
  using app = temporaryApp();
  app.db.$client.close();
  const { status, body } = await app.call("GET", "/healthz");
  expect(status).toBe(503);
  expect(body).toEqual({ status: "failing", database: false, radius: true });
});
