import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { BoxReport } from "../../machine/access-boxes/report.ts";

/** A limit above every time, duration and count of a box. */
const MOST = 2 ** 45;

const count = Type.Integer({ minimum: 0, maximum: MOST });
const bytes = Type.Number({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const ago = Type.Union([count, Type.Null()]);

const reportFields = {
  version: Type.String({ minLength: 1, maxLength: 64, pattern: "^[\\x20-\\x7e]+$" }),
  at: count,
  uptime: count,
  waiting: count,
  waitingFor: count,
  disk: Type.Object({ free: bytes, total: bytes }),
  sessions: count,
  loginAgo: ago,
  accountingAgo: ago,
  isKeyInFile: Type.Boolean(),
  isComplete: Type.Boolean(),
  isWalled: Type.Boolean(),
} satisfies Record<keyof BoxReport, TSchema>;

const names = Object.keys(reportFields) as (keyof typeof reportFields)[];

/** Status report fields; a box of another version, or a stolen one, may send anything. */
export type BoxReportFields = {
  readonly [K in keyof typeof reportFields]?: Static<(typeof reportFields)[K]>;
};

/** Parses a status report field by field, and leaves out missing and invalid ones. */
export function readReport(value: unknown): BoxReportFields {
  if (typeof value !== "object" || value === null) return {};
  const fields = new Map<string, unknown>(Object.entries(value));
  return Object.fromEntries(
    names
      .filter((name) => Value.Check(reportFields[name], fields.get(name)))
      .map((name) => [name, fields.get(name)]),
  );
}

/** Whether a report is complete, except for what 0.2.0 did not know. */
export function isWhole(report: BoxReportFields): boolean {
  return names.every((name) => name === "isWalled" || report[name] !== undefined);
}
