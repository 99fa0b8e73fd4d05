import { expect, test } from "bun:test";
import { request, undoneApps } from "../support/http.ts";

const temporaryApp = undoneApps();

/** All that the port forwarding reaches. */
const PUBLIC =
  /^\/(pay\/[^/]+(\/check)?|api\/v1\/subscriber\/(login|logout|logout-all|refresh-token|card\/(preview|redeem))|api\/v1\/me(\/.*)?|mobile-auto-login|portal(\/.*)?)?$/;
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

const pathsOf = (app: { routes: readonly { path: string }[] }) => [
  ...new Set(app.routes.map(({ path }) => path)),
];
const filledIn = (path: string) => path.replaceAll(/:\w+\??/g, "1").replaceAll("*", "x");

test("the public listener knows its list and no other path of the appliance, by any method", async () => {
  using app = temporaryApp();
  const paths = pathsOf(app.app);
  expect(paths.length).toBeGreaterThan(30);
  for (const path of paths) {
    if (PUBLIC.test(path)) continue;
    for (const method of METHODS) {
      const response = await app.publicApp.handle(request(method, filledIn(path)));
      expect({ path, method, status: response.status }).toEqual({ path, method, status: 404 });
    }
  }
});

test("everything that is served to the public is on the list", () => {
  using app = temporaryApp();
  expect(pathsOf(app.publicApp).filter((path) => !PUBLIC.test(path))).toEqual([]);
});

test.each(["/healthz", "/metrics", "/openapi.json", "/docs", "/docs/money", "/api/auth-login"])(
  "%s is not found there, however it is written",
  async (path) => {
    using app = temporaryApp();
    const spellings = [path, `/${path}`, `${path}/`, `${path}?x=1`, path.toUpperCase(), `/portal/..${path}`];
    for (const spelling of spellings) {
      const { status } = await app.publicApp.handle(request("GET", spelling));
      expect({ spelling, status }).toEqual({ spelling, status: 404 });
    }
  },
);
