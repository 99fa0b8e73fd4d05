import { expect, test } from "bun:test";
import { heldApps } from "../../src/http/held.ts";

const why = "these books are over; run: gatehouse box promote";
const call = (
  app: { handle(request: Request): Response | Promise<Response> },
  path: string,
  accept: string,
) => app.handle(new Request(`http://localhost${path}`, { headers: { accept } }));

test("held books say why to staff alone; others are told to come again", async () => {
  const apps = heldApps(why);
  for (const accept of ["text/html", "application/json"])
    for (const path of ["/", "/portal", "/healthz", "/api/v1/payment/take", "/console"]) {
      for (const name of ["lan", "public", "walled"] as const) {
        const answer = await call(apps[name], path, accept);
        const text = await answer.text();
        expect([name, path, answer.status]).toEqual([name, path, 503]);
        expect([name, path, text.includes("box promote")]).toEqual([name, path, name === "lan"]);
        if (name !== "lan") expect(text).toMatch(/not available at the moment/i);
      }
    }
});
