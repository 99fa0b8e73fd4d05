import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Child } from "hono/jsx";
import { consoleSession } from "../../domain/people/staff/console-sessions.ts";
import { string } from "../../domain/core/fields/fields.ts";
import { HttpRefusal } from "../errors.ts";
import type { Db } from "../../../db/open.ts";
import type { Clock } from "../../domain/core/time/time.ts";
import { clientAddress, isSecure, type Server, type TrustedProxies } from "../client-address.ts";
import { consoleCookie } from "../console/session-cookie.ts";
import { describe } from "../describe.ts";
import { type ApiDocument, buildContents, type Contents } from "../docs/contents.ts";
import { docsPage, SearchPage } from "../docs/pages.tsx";
import { encoded } from "../pages/assets.ts";
import { pageHeaders } from "../pages/respond.tsx";
import { targetQuery } from "../target.ts";

interface DocsNeeds {
  readonly db: Db;
  readonly clock: Clock;
  readonly trusted: TrustedProxies;
  /** Makes the document that is shown. */
  readonly document: () => ApiDocument;
}

/** Stand in a page that is kept for what differs with who asks. */
const ORIGIN = "http://ORIGIN.invalid";
const ACCOUNT = "ACCOUNT.invalid";

/** The documentation of the API, from the executable alone: a page a chapter, made by the first who asks for it. */
export function docsRoutes({ db, clock, trusted, document }: DocsNeeds) {
  let contents: Contents | undefined;
  const kept = new Map<string, string>();
  const pageText = (slug: string): string => {
    const known = kept.get(slug);
    if (known !== undefined) return known;
    const page = docsPage((contents ??= buildContents(document())), slug, {
      origin: ORIGIN,
      account: ACCOUNT,
    });
    if (page === undefined) throw new HttpRefusal(404, "there is no such page");
    const text = toDocument(page);
    kept.set(slug, text);
    return text;
  };
  const answer = (slug: string, request: Request, server: Server | null) => {
    const { origin, account } = readCaller({ db, clock, trusted }, request, server);
    const text = pageText(slug).replaceAll(ORIGIN, origin).replaceAll(ACCOUNT, account);
    return toResponse(text, request);
  };
  const search = (request: Request) => {
    const words = (new URLSearchParams(targetQuery(request)).get("q") ?? "").slice(0, MAX_WORDS);
    return toResponse(
      toDocument(SearchPage({ contents: (contents ??= buildContents(document())), words })),
      request,
    );
  };
  return new Elysia()
    .get("/docs", ({ request, server }) => answer("", request, server), describeDocs)
    .get(
      "/docs/:page",
      ({ request, server, params: { page } }) =>
        page === "search" ? search(request) : answer(page, request, server),
      describePage,
    );
}

const MAX_WORDS = 100;

const toDocument = (page: Child) => `<!doctype html>${String(page)}`;

function toResponse(text: string, request: Request): Response {
  const { body, headers } = encoded(text, request);
  return new Response(body, { headers: { ...pageHeaders, ...headers } });
}

/** The box as the reader reached it, and who is signed in at the console; a name that a shell would read otherwise is left out. */
function readCaller(
  { db, clock, trusted }: Omit<DocsNeeds, "document">,
  request: Request,
  server: Server | null,
) {
  const secure = isSecure(request, server, trusted);
  const origin = `${secure ? "https" : "http"}://${request.headers.get("host") ?? "BOX"}`;
  const id = consoleCookie.read(request, secure);
  const source = clientAddress(request, server, trusted);
  const session = id === "" ? undefined : consoleSession(db, id, { now: clock(), source, quiet: true });
  const username = session?.account.username ?? "";
  return { origin, account: /^[\w.@-]+$/.test(username) ? username : "ACCOUNT" };
}

const describeDocs = describe({
  operationId: "docs",
  tags: ["Appliance"],
  summary: "This document as pages, without internet access",
  access: "everybody",
  success: { description: "A page.", type: "text/html", schema: Type.String() },
});

const describePage = describe({
  operationId: "docsPage",
  tags: ["Appliance"],
  summary: "A page of it: a chapter, a guide, the events, or what a search finds",
  access: "everybody",
  path: { page: string(100) },
  success: { description: "The page.", type: "text/html", schema: Type.String() },
  refusals: { 404: "There is no such page." },
});
