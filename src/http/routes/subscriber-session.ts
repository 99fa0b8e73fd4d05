import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Db } from "../../../db/open.ts";
import { string } from "../../domain/core/fields/fields.ts";
import {
  loginProfile,
  signInSubscriber,
  type SubscriberSignedIn,
} from "../../domain/goods/subscribers/sign-in.ts";
import {
  refreshSubscriberToken,
  revokeAllSubscriberTokens,
  revokeSubscriberToken,
  type SignedToken,
} from "../../domain/goods/subscribers/tokens.ts";
import type { Clock, Seconds } from "../../domain/core/time/time.ts";
import type { AttemptLimit } from "../attempt-limit.ts";
import { readInput } from "../body.ts";
import { clientAddress, type TrustedProxies } from "../client-address.ts";
import { closeToOthers } from "../cors.ts";
import { type AnswerOf, describe } from "../describe.ts";
import { read } from "../form.ts";
import { profileStatus } from "../../wire/kinds.ts";
import { subscriberTokenGuard } from "../guards.ts";
import { writeTime } from "../../wire/time.ts";

interface Needs {
  db: Db;
  clock: Clock;
  subscriberTokenDays: number;
  subscriberLogins: AttemptLimit;
  trusted: TrustedProxies;
}

export function subscriberLoginRoutes({
  db,
  clock,
  subscriberTokenDays: days,
  subscriberLogins,
  trusted,
}: Needs) {
  return new Elysia().post(
    "/api/v1/subscriber/login",
    async ({ request, server, set }) => {
      const { username, password } = read(loginForm, await readInput(request));
      const source = clientAddress(request, server, trusted);
      subscriberLogins.take(username, source);
      const now = clock();
      const signedIn = await signInSubscriber(db, { username, password, source, now, days });
      closeToOthers(db, signedIn.subscriber.id, set.headers);
      return loggedIn(db, signedIn, now);
    },
    describeLogin,
  );
}

export function subscriberTokenRoutes({ db, clock, subscriberTokenDays: days, trusted }: Needs) {
  return new Elysia({ prefix: "/api/v1/subscriber" })
    .use(subscriberTokenGuard({ db, clock, trusted }))
    .post(
      "/logout",
      ({ presented, source }) => {
        revokeSubscriberToken(db, { ...presented, source, now: clock() });
        return loggedOut("Logged out.");
      },
      describeLogout("subscriberLogout", "Log out: revoke the presented token"),
    )
    .post(
      "/logout-all",
      ({ presented, source }) => {
        revokeAllSubscriberTokens(db, { ...presented, source, now: clock() });
        return loggedOut("Logged out on all devices.");
      },
      describeLogout(
        "subscriberLogoutAll",
        "Log out everywhere: revoke every token and portal session of the subscriber",
      ),
    )
    .post(
      "/refresh-token",
      async ({ presented }) =>
        refreshed(await refreshSubscriberToken(db, { ...presented, now: clock(), days })),
      describeRefresh,
    );
}

const loginForm = {
  fields: { username: string(128), password: string(1000) },
  required: ["username", "password"] as const,
  example: { username: "sam", password: "pw-sam" },
};

function printedToken({ token, expiresIn }: SignedToken) {
  return { token, token_type: "bearer" as const, expires_in: expiresIn };
}

function refreshed(issued: SignedToken): AnswerOf<typeof describeRefresh> {
  return { success: true, data: printedToken(issued) };
}

function loggedOut(message: string): AnswerOf<ReturnType<typeof describeLogout>> {
  return { success: true, message };
}

function loggedIn(
  db: Db,
  { subscriber, ...issued }: SubscriberSignedIn,
  now: Seconds,
): AnswerOf<typeof describeLogin> {
  const { expiresAt, ...profile } = loginProfile(db, subscriber, now);
  const own = { ...profile, expiration_date: expiresAt === null ? "" : writeTime(expiresAt) };
  const data = { subscriber: own, ...printedToken(issued) };
  return { success: true, message: "Logged in.", data };
}

const succeeded = Type.Literal(true);
const tokenSchema = {
  token: Type.String({ pattern: "^[\\w-]+\\.[\\w-]+\\.[\\w-]+$" }),
  token_type: Type.Literal("bearer"),
  expires_in: Type.Integer(),
};
const exampleToken = {
  token: "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI0MiJ9.c2lnbmF0dXJl",
  token_type: "bearer",
  expires_in: 2_592_000,
};
const tags: [string] = ["Subscriber authentication"];

const describeLogin = describe({
  operationId: "subscriberLogin",
  tags,
  summary: "Log in with a subscriber's username",
  description: "Takes the portal password where the subscriber has one, else the password of the line.",
  access: "everybody",
  form: loginForm,
  success: {
    description: "A token.",
    schema: Type.Object({
      success: succeeded,
      message: Type.String(),
      data: Type.Object({
        subscriber: Type.Object({
          id: Type.Integer(),
          username: Type.String(),
          fullname: Type.String(),
          email: Type.String(),
          phone: Type.String(),
          package_name: Type.String(),
          expiration_date: Type.String(),
          status: profileStatus,
        }),
        ...tokenSchema,
      }),
    }),
    example: {
      success: true,
      message: "Logged in.",
      data: {
        subscriber: {
          id: 42,
          username: "sam",
          fullname: "Sam",
          email: "",
          phone: "M1",
          package_name: "Home 10",
          expiration_date: "2030-01-31 12:00:00",
          status: "active",
        },
        ...exampleToken,
      },
    },
  },
  refusals: {
    401: "Wrong username or password.",
    403: "The account is disabled.",
    429: "More than five attempts in a minute for this username from this address; see Retry-After.",
    503: "Too many sign-ins at once; see Retry-After.",
  },
});

const describeRefresh = describe({
  operationId: "subscriberRefreshToken",
  tags,
  summary: "Exchange the token for one with a full life; the presented one is revoked at once",
  access: "subscriber",
  success: {
    description: "The new token.",
    schema: Type.Object({ success: succeeded, data: Type.Object(tokenSchema) }),
    example: { success: true, data: exampleToken },
  },
});

function describeLogout(operationId: string, summary: string) {
  return describe({
    operationId,
    tags,
    summary,
    access: "subscriber",
    success: {
      description: "Done.",
      schema: Type.Object({ success: succeeded, message: Type.String() }),
      example: { success: true, message: "Logged out." },
    },
  });
}
