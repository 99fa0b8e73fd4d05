import { Elysia } from "elysia";
import { adapter } from "./adapter.ts";
import type { Apps } from "./app.ts";
import { findFamily } from "./families.ts";
import { targetPath } from "./target.ts";

/** The reason is only for staff. */
const AWAY = "this service is not available at the moment; try again in a few minutes";

/** Apps of a held primary: 503 for every request, in the form of its path. */
export function heldApps(words: string): Apps {
  const app = (text: string) =>
    new Elysia({ adapter, systemRouter: false }).onRequest(({ request }) => answer(request, text));
  return { lan: app(words), public: app(AWAY), walled: app(AWAY) };
}

function answer(request: Request, words: string): Response {
  const headers = { "cache-control": "no-store", "retry-after": "60" };
  const path = targetPath(request);
  if (path === "/healthz") return Response.json({ status: "failing", says: words }, { status: 503, headers });
  const isRead = /\btext\/html\b/.test(request.headers.get("accept") ?? "");
  if (!isRead)
    return Response.json(findFamily(path).body(503, { message: words, code: "held" }), {
      status: 503,
      headers,
    });
  return new Response(`${words[0]?.toUpperCase()}${words.slice(1)}.\n`, {
    status: 503,
    headers: { ...headers, "content-type": "text/plain; charset=utf-8" },
  });
}
