import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { sql } from "drizzle-orm";
import type { Db } from "../../../db/open.ts";
import type { Finding } from "../../domain/check/finding.ts";
import { describe } from "../describe.ts";

interface Needs {
  db: Db;
  /** Whether RADIUS listens. */
  health: () => { radius: boolean };
  findings?: () => readonly Finding[];
  metrics?: () => Promise<string>;
  document: () => object;
}

const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** What stands beside the interface: health, and the description of it all (appliance.md, HTTP beside the interface). */
export function applianceRoutes({ db, health, findings, metrics, document }: Needs) {
  return new Elysia()
    .get(
      "/healthz",
      ({ status }) => {
        const { radius } = health();
        const database = answers(db);
        return radius && database ? { status: "ok" } : status(503, { status: "failing", database, radius });
      },
      describeHealth,
    )
    .get("/healthz/detail", () => ({ findings: [...(findings?.() ?? [])] }), describeDetail)
    .get(
      "/metrics",
      async () => new Response(await (metrics?.() ?? ""), { headers: { "content-type": METRICS_TYPE } }),
      describeMetrics,
    )
    .get("/openapi.json", () => document(), describeDocument);
}

function answers(db: Db): boolean {
  try {
    return db.get(sql`SELECT 1`) !== undefined;
  } catch {
    return false; // which is the answer
  }
}

const describeHealth = describe({
  operationId: "health",
  tags: ["Appliance"],
  summary: "Whether the database answers and RADIUS listens",
  access: "everybody",
  success: {
    description: "Both do.",
    schema: Type.Object({ status: Type.Literal("ok") }),
    example: { status: "ok" },
  },
  otherwise: {
    503: {
      description: "One of them does not.",
      schema: Type.Object({
        status: Type.Literal("failing"),
        database: Type.Boolean(),
        radius: Type.Boolean(),
      }),
      example: { status: "failing", database: true, radius: false },
    },
  },
});

const finding = { severity: "ok", subject: "clock", message: "it says 2030-01-15 12:00:00" };

const describeDetail = describe({
  operationId: "healthDetail",
  tags: ["Appliance"],
  summary: "What is right and wrong with the appliance, and what to do; the quick part of `gatehouse check`",
  access: "everybody",
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
  access: "everybody",
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
