import { type Static, type TSchema, Type } from "@sinclair/typebox";
import type { Fields } from "../domain/core/fields/fields.ts";
import type { Form } from "./form.ts";

/** What a route says of itself; openapi.ts makes the document from it, and only from it. */
export interface Description {
  operationId: string;
  tags: [string];
  summary: string;
  description?: string;
  access: Access;
  form?: Form<Fields, string>;
  path?: Fields;
  /** Its status is 200 unless it says otherwise. */
  success: Answer & { status?: 302 };
  /** Answers in a shape of their own, by status. */
  otherwise?: Record<number, Answer>;
  /** Statuses beyond those that follow from access and form, and when they are answered. */
  refusals?: Record<number, string>;
  /** Answers `Accept: text/csv` too. */
  csv?: boolean;
  /** Takes an Idempotency-Key. */
  once?: boolean;
  /** Is refused without one: what it begins must not be begun twice. */
  needsKey?: boolean;
}

/** A body without a schema is not described; JSON is the type unless another one is named. */
export interface Answer {
  description: string;
  headers?: Record<string, { description: string; schema: TSchema }>;
  type?: string;
  schema?: TSchema;
  example?: unknown;
}

/** Which every answer under /api has. */
export const zoneHeader = {
  "X-Timezone": { description: "The server's zone, in which times are.", schema: Type.String() },
};

/** The answer of a call that has nothing to say but that it is done. */
export const done = (message: string) => ({
  description: "Done.",
  schema: Type.Object({ success: Type.String() }, { title: "Done" }),
  example: { success: message },
});

/** Whose credentials a route takes; for Basic, which flag of the role. */
export type Access =
  | "everybody"
  | "staff"
  | "subscriber"
  | "portal"
  /** Basic credentials of an Admin; none on the box itself. */
  | "admin"
  /** The token of the configuration; none on the box itself. */
  | "metrics"
  | { readonly flag: string };

/** The hook of a route: its description. Bodies are read by body.ts, never by Elysia. */
export function describe<D extends Description>(detail: D) {
  return { parse: "none" as const, detail };
}

export type AnswerOf<Hook extends { detail: { success: { schema: TSchema } } }> = Static<
  Hook["detail"]["success"]["schema"]
>;
