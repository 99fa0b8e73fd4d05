import { createHash, timingSafeEqual } from "node:crypto";
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Db } from "../../../db/open.ts";
import { answers } from "../../domain/machine/appliance/answers.ts";
import { storingFault } from "../../domain/machine/appliance/storing.ts";
import { dataFolderOf } from "../../domain/core/files/files.ts";
import { type Finding, printed } from "../../domain/machine/check/finding.ts";
import { DomainError } from "../../domain/core/errors/errors.ts";
import { phrase } from "../../domain/core/errors/phrase.ts";
import { timeZone } from "../../domain/core/time/time.ts";
import { isApplianceAdmin } from "../../domain/core/actor/actor.ts";
import type { BasicCredentials } from "../basic.ts";
import { bearerToken } from "../bearer.ts";
import { clientAddress, isThisBox, type Server, type TrustedProxies } from "../client-address.ts";
import { type AnswerOf, describe } from "../describe.ts";

interface Needs {
  db: Db;
  credentials: BasicCredentials;
  trusted: TrustedProxies;
  health: () => { radius: boolean };
  findings?: () => readonly Finding[];
  metrics?: () => Promise<string>;
  metricsToken?: string | null;
  scrapeRefused?: (source: string) => void;
  document: () => (request: Request) => Response;
}

const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Health, metrics and the OpenAPI document. */
export function applianceRoutes({ db, health, findings, document, ...needs }: Needs) {
  // lazily: routes are also made without a store
  let storing: ReturnType<typeof storingFault> | undefined;
  return new Elysia()
    .get(
      "/healthz",
      ({ status }) => {
        const { radius } = health();
        const database = answers(db);
        const fault = (storing ??= storingFault(dataFolderOf(db)))();
        if (radius && database && fault === undefined)
          return { status: "ok" as const, time_zone: timeZone() };
        const storage = fault === undefined;
        return status(503, {
          status: "failing",
          database,
          radius,
          storage,
          ...(fault !== undefined && { says: fault }),
        });
      },
      describeHealth,
    )
    .get(
      "/healthz/detail",
      async ({ request, server }): Promise<AnswerOf<typeof describeDetail>> => {
        await requireAdmin({ db, ...needs }, request, server);
        return { findings: (findings?.() ?? []).map(printed) };
      },
      describeDetail,
    )
    .get("/openapi.json", ({ request }) => document()(request), describeDocument)
    .use(metricsRoute(needs));
}

/** Local, or with the token. */
export function metricsRoute({
  metrics,
  ...needs
}: Pick<Needs, "metrics" | "metricsToken" | "scrapeRefused" | "trusted">) {
  return new Elysia().use(bearerToken).get(
    "/metrics",
    async ({ bearer = "", request, server }) => {
      if (!isThisBox(request, server))
        requireToken(needs, bearer, clientAddress(request, server, needs.trusted));
      return new Response(await (metrics?.() ?? ""), { headers: { "content-type": METRICS_TYPE } });
    },
    describeMetrics,
  );
}

/** Findings name every ISP's routers and weaknesses. Throws `unauthenticated`, `forbidden`, `too_soon`, `overloaded`. */
async function requireAdmin(
  { db, credentials, trusted }: Pick<Needs, "db" | "credentials" | "trusted">,
  request: Request,
  server: Server | null,
): Promise<void> {
  if (isThisBox(request, server)) return;
  const address = clientAddress(request, server, trusted);
  const actor = await credentials.actor(request.headers.get("authorization"), address);
  if (!isApplianceAdmin(db, actor))
    throw new DomainError(
      "forbidden",
      phrase`this is for an Admin of the whole box, not of one of its ISPs or branches, or for the box itself; ask its operator`,
      { code: "operator_only" },
    );
}

/** Throws `unauthenticated`, or `forbidden` where none is set. */
function requireToken(
  { metricsToken = null, scrapeRefused }: Pick<Needs, "metricsToken" | "scrapeRefused">,
  value: string,
  source: string,
): void {
  if (metricsToken === null) {
    scrapeRefused?.(source);
    throw new DomainError(
      "forbidden",
      phrase`metrics are told to this box alone; for others set GATEHOUSE_METRICS_TOKEN, see gatehouse.env`,
    );
  }
  if (!timingSafeEqual(digest(value), digest(metricsToken)))
    throw new DomainError(
      "unauthenticated",
      phrase`send the token of GATEHOUSE_METRICS_TOKEN as a bearer token`,
      {
        code: "token_invalid",
      },
    );
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

const describeHealth = describe({
  operationId: "health",
  tags: ["Appliance"],
  summary: "Whether the database answers, RADIUS listens and what arrives can be stored",
  access: "everybody",
  success: {
    description: "All of it.",
    schema: Type.Object({ status: Type.Literal("ok"), time_zone: Type.String() }),
    example: { status: "ok", time_zone: "Africa/Nairobi" },
  },
  otherwise: {
    503: {
      description: "One of them does not; `says` has why nothing can be stored.",
      schema: Type.Object({
        status: Type.Literal("failing"),
        database: Type.Boolean(),
        radius: Type.Boolean(),
        storage: Type.Boolean(),
        says: Type.Optional(Type.String()),
      }),
      example: { status: "failing", database: true, radius: false, storage: true },
    },
  },
});

const finding = { severity: "ok", subject: "clock", message: "it says 2030-01-15 12:00:00" };

const describeDetail = describe({
  operationId: "healthDetail",
  tags: ["Appliance"],
  summary: "What is right and wrong with the appliance, and what to do; the quick part of `gatehouse check`",
  description:
    "For an Admin of the whole box (where it has one ISP, of that), and without credentials for who asks from the box itself.",
  access: "admin",
  refusals: {
    403: "The account is no Admin, or one of a branch or of one ISP among several, or it is disabled.",
    429: "Ten wrong passwords in a minute; see Retry-After.",
    503: "Too many sign-ins at once; see Retry-After.",
  },
  success: {
    description: "One finding for each thing that was looked at.",
    schema: Type.Object({
      findings: Type.Array(
        Type.Object({
          severity: Type.Union([Type.Literal("ok"), Type.Literal("warning"), Type.Literal("error")]),
          subject: Type.String(),
          message: Type.String(),
        }),
      ),
    }),
    example: { findings: [finding] },
  },
});

const describeMetrics = describe({
  operationId: "metrics",
  tags: ["Appliance"],
  summary: "Counts and times for Prometheus",
  description: "For who shows GATEHOUSE_METRICS_TOKEN, and without it for who asks from the box itself.",
  access: "metrics",
  refusals: { 403: "No token is set, so that nobody gets them but the box itself." },
  success: { description: "Prometheus text format.", type: "text/plain", schema: Type.String() },
});

const describeDocument = describe({
  operationId: "openapi",
  tags: ["Appliance"],
  summary: "This document",
  access: "everybody",
  success: {
    description: "OpenAPI 3.1.",
    schema: Type.Object({ openapi: Type.String() }, { additionalProperties: true }),
    example: { openapi: "3.1.0" },
  },
});
