import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Db } from "../../../db/open.ts";
import { openPortalSession } from "../../domain/goods/subscribers/portal-session.ts";
import type { Clock } from "../../domain/core/time/time.ts";
import { isSecure, type TrustedProxies } from "../client-address.ts";
import { describe } from "../describe.ts";
import { subscriberTokenGuard } from "../guards.ts";
import { sessionCookie } from "../portal/session-cookie.ts";

interface Needs {
  db: Db;
  clock: Clock;
  trusted: TrustedProxies;
}

export function mobileLoginRoutes({ db, clock, trusted }: Needs) {
  return new Elysia().use(subscriberTokenGuard({ db, clock, trusted })).get(
    "/mobile-auto-login",
    ({ presented, request, server }) => {
      const id = openPortalSession(db, { ...presented, now: clock() });
      const cookie = sessionCookie.write(id, isSecure(request, server, trusted));
      return new Response(null, { status: 302, headers: { location: "/portal", "set-cookie": cookie } });
    },
    describeMobileLogin,
  );
}

const describeMobileLogin = describe({
  operationId: "mobileAutoLogin",
  tags: ["Subscriber portal"],
  summary: "Open the portal, signed in as the subscriber of the token",
  access: "subscriber",
  success: {
    status: 302,
    description: "To the portal, with a cookie session of twelve hours.",
    headers: {
      Location: { description: "The portal.", schema: Type.String() },
      "Set-Cookie": {
        description: "HttpOnly, SameSite=Lax; under TLS Secure, with the prefix `__Host-`.",
        schema: Type.String(),
      },
    },
  },
});
