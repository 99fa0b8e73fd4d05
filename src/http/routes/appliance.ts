import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { sql } from "drizzle-orm";
import type { Db } from "../../../db/open.ts";
import { describe } from "../describe.ts";

interface Needs {
  db: Db;
  /** Whether RADIUS listens. */
  health: () => { radius: boolean };
  document: () => object;
}

/** What stands beside the interface: health, and the description of it all (appliance.md, HTTP beside the interface). */
export function applianceRoutes({ db, health, document }: Needs) {
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
