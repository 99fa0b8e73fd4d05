import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Db } from "../../../db/open.ts";
import {
  openPortalSession,
  PORTAL_SESSION_LIFE,
  portalSubscriber,
} from "../../domain/subscribers/portal-session.ts";
import { loginProfile } from "../../domain/subscribers/sign-in.ts";
import type { Clock } from "../../domain/time.ts";
import { isSecure, type TrustedProxies } from "../client-address.ts";
import { describe } from "../describe.ts";
import { subscriberTokenGuard } from "../guards.ts";
import { html } from "../html.ts";
import { page } from "../page.ts";

interface Needs {
  db: Db;
  clock: Clock;
  trusted: TrustedProxies;
}

const COOKIE = "gatehouse_portal";

/** From the app into the portal without another login (interface.md B, Mobile auto login). */
export function mobileLoginRoutes({ db, clock, trusted }: Needs) {
  return new Elysia().use(subscriberTokenGuard({ db, clock, trusted })).get(
    "/mobile-auto-login",
    ({ presented, request, server }) => {
      const id = openPortalSession(db, { ...presented, now: clock() });
      const cookie = sessionCookie(id, isSecure(request, server, trusted));
      return new Response(null, { status: 302, headers: { location: "/portal", "set-cookie": cookie } });
    },
    describeMobileLogin,
  );
}

/** The subscriber's pages, for the holder of the cookie. */
export function portalRoutes({ db, clock }: Needs) {
  return new Elysia().get(
    "/portal",
    ({ request }) => {
      const now = clock();
      const id = new Bun.CookieMap(request.headers.get("cookie") ?? "").get(COOKIE);
      const subscriber = id ? portalSubscriber(db, id, now) : undefined;
      return subscriber ? overview(loginProfile(db, subscriber, now)) : signedOut();
    },
    describePortal,
  );
}

function sessionCookie(id: string, secure: boolean): string {
  const maxAge = PORTAL_SESSION_LIFE;
  return new Bun.Cookie(COOKIE, id, {
    httpOnly: true,
    sameSite: "lax",
    path: "/",
    maxAge,
    secure,
  }).toString();
}

function overview({
  username,
  fullname,
  package_name,
  status,
  expiration_date,
}: ReturnType<typeof loginProfile>) {
  return page({
    title: "Your connection",
    body: html`<main>
      <h1>${fullname}</h1>
      <dl>
        <dt>Username</dt>
        <dd>${username}</dd>
        <dt>Package</dt>
        <dd>${package_name}</dd>
        <dt>Status</dt>
        <dd>${status}</dd>
        <dt>Valid until</dt>
        <dd>${expiration_date || "not activated yet"}</dd>
      </dl>
    </main>`,
  });
}

function signedOut() {
  return page(
    {
      title: "Not signed in",
      body: html`<main>
        <h1>Not signed in</h1>
        <p>Open this page from the app of your provider.</p>
      </main>`,
    },
    { status: 401 },
  );
}

const tags: [string] = ["Subscriber portal"];

const describeMobileLogin = describe({
  operationId: "mobileAutoLogin",
  tags,
  summary: "Open the portal, signed in as the subscriber of the token",
  access: "subscriber",
  success: {
    status: 302,
    description: "To the portal, with a cookie session of twelve hours.",
    headers: {
      Location: { description: "The portal.", schema: Type.String() },
      "Set-Cookie": {
        description: "HttpOnly, SameSite=Lax, and Secure under TLS.",
        schema: Type.String(),
      },
    },
  },
});

const describePortal = describe({
  operationId: "portal",
  tags,
  summary: "The subscriber's page",
  access: "portal",
  success: { description: "The page.", type: "text/html", schema: Type.String() },
  otherwise: { 401: { description: "Not signed in; a page.", type: "text/html", schema: Type.String() } },
});
