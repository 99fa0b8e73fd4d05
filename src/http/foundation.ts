import { type AnyElysia, Elysia, NotFoundError } from "elysia";
import type { Logger } from "pino";
import type { Db } from "../../db/open.ts";
import { timeZone } from "../domain/core/time/time.ts";
import { adapter } from "./adapter.ts";
import { compressed } from "./compression.ts";
import { openToApps } from "./cors.ts";
import { type ErrorPages, errorResponse, HttpRefusal, lastResort } from "./errors.ts";
import { LogThrottle } from "./log-throttle.ts";
import { Meter, type Served } from "./meter.ts";
import { inForm } from "../wire/form.ts";
import { preferredForm } from "./preferences.ts";
import { isUnderstood, targetPath } from "./target.ts";

export interface Foundation {
  log: Logger;
  pages: ErrorPages;
  served: (served: Served, request: Request) => void;
  hstsDays: number;
  /** Whose subscribers pages of other origins may ask for; undefined: nobody's. */
  db?: Db;
}

/** One router for all listeners: ALL routes of Bun.serve bypass hooks. */
export function foundation({ log, pages, served, hstsDays, db }: Foundation) {
  const meter = new Meter(served);
  const throttle = new LogThrottle(log);
  const serve = { error: lastResort(throttle) };
  const app: AnyElysia = new Elysia({ adapter, systemRouter: false, strictPath: true, serve })
    .wrap((answer) => (request: Request) => {
      const preferred = preferredForm(request);
      return preferred ? inForm(preferred.form, () => answer(request)) : answer(request);
    })
    .headers({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      ...(hstsDays > 0 && { "strict-transport-security": `max-age=${hstsDays * 86_400}` }),
    })
    .onRequest(({ request, set }) => {
      meter.begin(request);
      if (targetPath(request).startsWith("/api/")) {
        set.headers["x-timezone"] = timeZone();
        const preferred = preferredForm(request);
        if (preferred) set.headers["preference-applied"] = preferred.applied;
      }
      refuseUnclear(request);
      return db && openToApps(db, request, set.headers);
    })
    .wrap((answer, request) =>
      request.method === "HEAD"
        ? async (...asked: unknown[]) => withoutLength(await answer(...asked))
        : answer,
    )
    .onError({ as: "global" }, ({ error, request }) => {
      const failure = error instanceof NotFoundError ? (otherMethod(app, request) ?? error) : error;
      return meter.failed(request, errorResponse(failure, request, { pages, throttle }));
    })
    .mapResponse({ as: "global" }, ({ request, responseValue, set }) => {
      const vary = set.headers["vary"];
      if (vary !== undefined && responseValue instanceof Response) responseValue.headers.append("vary", vary);
      if (request.method === "HEAD" && isFile(responseValue)) return withoutBody(responseValue);
      return compressed(responseValue, request, vary);
    })
    .onAfterResponse({ as: "global" }, ({ request, route, responseValue, set }) =>
      meter.end(request, route, responseValue, set.status),
    );
  return app;
}

/** Written as it is read. */
const isFile = (value: unknown): value is Response =>
  value instanceof Response && value.headers.has("content-disposition");

/** Elysia reads a body to its end for its length: of a file only the first rows are made. */
function withoutBody({ body, status, headers }: Response): Response {
  void body?.cancel();
  return new Response(null, { status, headers });
}

/** The answer to HEAD of a file, whose length nobody knows (RFC 9110, 8.6); Bun says none of a body that it could stream, and reads nothing of it. */
function withoutLength(response: unknown): unknown {
  if (!isFile(response)) return response;
  response.headers.delete("content-length");
  return new Response(new ReadableStream(), response);
}

/** Encoded control characters, at which system calls stop. */
const CONTROL = /%(?:[01][0-9a-f]|7f)/i;

/** Refuses before any URL is parsed. Throws HttpRefusal 400, and 404 for impossible addresses. */
function refuseUnclear(request: Request): void {
  const path = targetPath(request);
  if (CONTROL.test(path)) throw new HttpRefusal(404, `there is no ${path}`);
  if (!isUnderstood(request))
    throw new HttpRefusal(400, "the Host header is not a host name or an address, with or without a port");
}

const METHODS = ["DELETE", "GET", "PATCH", "POST", "PUT"];

/** 405 with Allow, where Elysia answers 404; undefined otherwise. */
function otherMethod({ router }: AnyElysia, request: Request): HttpRefusal | undefined {
  const path = targetPath(request);
  const known = METHODS.filter(
    (method) => router.static[path]?.[method] !== undefined || router.http.find(method, path) !== null,
  );
  if (known.includes("GET")) known.push("HEAD");
  if (known.length === 0 || known.includes(request.method)) return undefined;
  const allow = known.sort().join(", ");
  return new HttpRefusal(405, `the method is not one of ${allow}`, { headers: { allow } });
}
