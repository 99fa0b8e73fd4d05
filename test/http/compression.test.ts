import { expect, test } from "bun:test";
import pino from "pino";
import { foundation } from "../../src/http/foundation.ts";

const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id, name: `Subscriber ${id}` }));
const lines = rows(100).map(({ id, name }) => `${id},${name}\n`);

function app() {
  const log = pino({ level: "silent" });
  const pages = { isPage: () => false, respond: () => new Response() };
  const csv = { "content-type": "text/csv; charset=utf-8", "x-total-count": "100" };
  return foundation({ log, pages, served: () => {}, hstsDays: 0 })
    .get("/few", () => rows(3))
    .get("/some", ({ set }) => {
      set.headers["x-total-count"] = 100;
      return rows(100);
    })
    .get("/many", () => rows(5000))
    .get(
      "/page",
      () => new Response(lines.join(""), { headers: { "content-type": "text/html", "content-length": "1" } }),
    )
    .get(
      "/file",
      () =>
        new Response(
          new ReadableStream({
            pull(controller) {
              for (const line of lines) controller.enqueue(new TextEncoder().encode(line));
              controller.close();
            },
          }),
          { headers: csv },
        ),
    );
}

async function read(path: string, headers: Record<string, string>) {
  const response = await app().handle(new Request(`http://localhost${path}`, { headers }));
  const bytes = new Uint8Array(await response.arrayBuffer());
  const isPacked = response.headers.get("content-encoding") === "gzip";
  return {
    isPacked,
    text: new TextDecoder().decode(isPacked ? Bun.gunzipSync(bytes) : bytes),
    type: response.headers.get("content-type")?.split(";")[0],
    total: response.headers.get("x-total-count"),
    status: response.status,
  };
}

const gzip = { "accept-encoding": "gzip, deflate" };
const elsewhere = { ...gzip, "sec-fetch-site": "cross-site" };

test.each<[title: string, path: string, headers: Record<string, string>, isPacked: boolean]>([
  ["JSON of more than a kilobyte", "/some", gzip, true],
  ["JSON of less", "/few", gzip, false],
  ["JSON for whom does not take it", "/some", { "accept-encoding": "gzip;q=0, br" }, false],
  ["JSON that is made off the loop", "/many", gzip, true],
  ["a file as it streams", "/file", gzip, true],
  ["a short page", "/page", gzip, false],
  ["what a page of another site had the browser ask for", "/some", elsewhere, false],
  [
    "what an app of another site asks with its token",
    "/some",
    { ...elsewhere, authorization: "Bearer t" },
    true,
  ],
])("%s", async (_, path, headers, isPacked) => {
  const plain = await read(path, {});
  expect(plain).toMatchObject({ isPacked: false, status: 200 });
  expect(await read(path, headers)).toEqual({ ...plain, isPacked });
});
