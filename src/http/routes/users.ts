import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Db } from "../../../db/open.ts";
import { DomainError } from "../../domain/core/errors/errors.ts";
import { phrase } from "../../domain/core/errors/phrase.ts";
import { string } from "../../domain/core/fields/fields.ts";
import { findStaffBySignIn, type StaffRow } from "../../domain/people/staff/accounts.ts";
import { signIn, type SignedIn, staffById } from "../../domain/people/staff/sign-in.ts";
import { logOut, logOutEverywhere, refresh } from "../../domain/people/staff/signed-in.ts";
import type { IssuedToken } from "../../domain/people/staff/tokens.ts";
import type { Clock } from "../../domain/core/time/time.ts";
import {
  exampleIdentity,
  exampleOwnStaff,
  identitySchema,
  ownStaffSchema,
  identityToJson,
  ownStaffToJson,
} from "../../wire/staff.ts";
import { countFailure, failureHolder } from "../account-failures.ts";
import type { AttemptLimit } from "../attempt-limit.ts";
import { readInput } from "../body.ts";
import { clientAddress, type TrustedProxies } from "../client-address.ts";
import { type AnswerOf, type Deprecated, deprecationHeaders, describe } from "../describe.ts";
import { read } from "../form.ts";
import { staffTokenGuard } from "../guards.ts";
import { writeTime } from "../../wire/time.ts";

interface Needs {
  db: Db;
  clock: Clock;
  staffTokenDays: number;
  staffLogins: AttemptLimit;
  accountFailures: AttemptLimit;
  trusted: TrustedProxies;
}

/** Two paths of one operation with a shared count. */
export function staffLoginRoutes({
  db,
  clock,
  staffTokenDays: days,
  staffLogins,
  accountFailures,
  trusted,
}: Needs) {
  const login = async (request: Request, server: Parameters<typeof clientAddress>[1]) => {
    const { email: username, password } = read(loginForm, await readInput(request));
    const source = clientAddress(request, server, trusted);
    staffLogins.take(username, source);
    const guess = { holder: failureHolder(username, findStaffBySignIn(db, username)), address: source };
    return loggedIn(
      await countFailure(accountFailures, guess, () =>
        signIn(db, { username, password, source, now: clock(), days }),
      ),
    );
  };
  return new Elysia()
    .post("/api/v1/users/login", ({ request, server }) => login(request, server), describeLogin("login"))
    .post(
      "/api/auth-login",
      ({ request, server, set }) => {
        Object.assign(set.headers, deprecationHeaders(older));
        return login(request, server);
      },
      describeLogin("authLogin", { description: "The older path of staff login.", replaced: older }),
    );
}

export function staffTokenRoutes({ db, clock, staffTokenDays: days, trusted }: Needs) {
  return new Elysia({ prefix: "/api/v1/users" })
    .use(staffTokenGuard({ db, clock, trusted }))
    .get("/profile", ({ staffId }) => profile(staffById(db, staffId)), describeProfile)
    .post(
      "/refresh-token",
      ({ token, source }) => refreshed(refresh(db, { token, source, now: clock(), days })),
      describeRefresh,
    )
    .post(
      "/logout",
      ({ token, source }) => {
        logOut(db, { token, source, now: clock() });
        return loggedOut("Logged out.");
      },
      describeLogout("logout", "Log out: revoke the presented token"),
    )
    .post(
      "/logout-all",
      ({ token, source }) => {
        logOutEverywhere(db, { token, source, now: clock() });
        return loggedOut("Logged out on all devices.");
      },
      describeLogout("logoutAll", "Log out everywhere: revoke every token of the account"),
    );
}

const older: Deprecated = { since: "2026-11-29", until: "2031-12-31", replacedBy: "/api/v1/users/login" };

const loginForm = {
  fields: { email: string(254), password: string(1000) },
  required: ["email", "password"] as const,
  meanings: { email: "E-mail address or username of the account." },
  example: { email: "ada@isp.example", password: "secret-1" },
};

function printedToken({ token, expiresAt }: IssuedToken) {
  return { token, token_type: "Bearer" as const, expires_at: writeTime(expiresAt) };
}

function loggedIn({ account, ...issued }: SignedIn): AnswerOf<ReturnType<typeof describeLogin>> {
  const data = { user: identityToJson(account), ...printedToken(issued) };
  return { status: "success", message: "Logged in.", data };
}

function refreshed(issued: IssuedToken): AnswerOf<typeof describeRefresh> {
  return { status: "success", message: "Token refreshed.", data: printedToken(issued) };
}

function loggedOut(message: string): AnswerOf<ReturnType<typeof describeLogout>> {
  return { status: "success", message };
}

function profile(account: StaffRow | undefined): AnswerOf<typeof describeProfile> {
  if (!account)
    throw new DomainError("unauthenticated", phrase`the account is gone; log in again`, {
      code: "token_invalid",
    });
  return { status: "success", data: { user: ownStaffToJson(account) } };
}

const succeeded = Type.Literal("success");
const exampleToken = {
  token: "7|2mSx8vXoQe0FhB6nqWqkq3pZ9JtYw1LrUa5cDgT4hKi",
  token_type: "Bearer",
  expires_at: "2030-01-31 12:00:00",
};
const tokenSchema = {
  token: Type.String({ pattern: "^[0-9]+\\|.{40,}$" }),
  token_type: Type.Literal("Bearer"),
  expires_at: Type.String(),
};
const tags: [string] = ["Staff authentication"];

function describeLogin(
  operationId: string,
  more: { readonly description?: string; readonly replaced?: Deprecated } = {},
) {
  return describe({
    operationId,
    tags,
    summary: "Log in with a username or e-mail address",
    ...more,
    access: "everybody",
    form: loginForm,
    success: {
      description: "A token.",
      schema: Type.Object({
        status: succeeded,
        message: Type.String(),
        data: Type.Object({ user: identitySchema, ...tokenSchema }),
      }),
      example: { status: "success", message: "Logged in.", data: { user: exampleIdentity, ...exampleToken } },
    },
    refusals: {
      401: "Wrong username or password.",
      403: "The account is disabled, has a second factor (programs get accounts of their own), or is neither Admin nor given api_access by its role.",
      429: "More than five attempts in a minute for this name from this address, or ten failures of the account by all of its names and HTTP Basic; see Retry-After.",
      503: "Too many sign-ins at once; see Retry-After.",
    },
  });
}

const describeProfile = describe({
  operationId: "profile",
  tags,
  summary: "Get the current user; tells whether a stored token is still valid",
  access: "staff",
  success: {
    description: "The account of the token.",
    schema: Type.Object({ status: succeeded, data: Type.Object({ user: ownStaffSchema }) }),
    example: { status: "success", data: { user: exampleOwnStaff } },
  },
});

const describeRefresh = describe({
  operationId: "refreshToken",
  tags,
  summary: "Exchange the token for one with a full life; the presented one is revoked at once",
  access: "staff",
  success: {
    description: "The new token.",
    schema: Type.Object({ status: succeeded, message: Type.String(), data: Type.Object(tokenSchema) }),
    example: { status: "success", message: "Token refreshed.", data: exampleToken },
  },
});

function describeLogout(operationId: string, summary: string) {
  return describe({
    operationId,
    tags,
    summary,
    access: "staff",
    success: {
      description: "Done.",
      schema: Type.Object({ status: succeeded, message: Type.String() }),
      example: { status: "success", message: "Logged out." },
    },
  });
}
