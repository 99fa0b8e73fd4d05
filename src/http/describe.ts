import { type Static, type TSchema, Type } from "@sinclair/typebox";
import type { Fields } from "../domain/core/fields/fields.ts";
import type { Form } from "./form.ts";

/** A route's documentation, the only source of openapi.ts. */
export interface Description {
  operationId: string;
  tags: [string];
  summary: string;
  description?: string;
  access: Access;
  /** It stays until then, and what replaces it is the better one. */
  replaced?: Deprecated;
  form?: Form<Fields, string>;
  /** What is absent stays as it is, or as it would be: a field that is sent empty clears. */
  clears?: true;
  path?: Fields;
  /** Status 200 by default. */
  success: Answer & { status?: 302 };
  /** Other answers, by status. */
  otherwise?: Record<number, Answer>;
  /** Further refusals, by status. */
  refusals?: Record<number, string>;
  /** Answers `Accept: text/csv` too. */
  csv?: boolean;
  once?: boolean;
  /** Takes If-None-Match, or If-Match. */
  condition?: "read" | "change";
  /** Required: what it begins must not begin twice. */
  needsKey?: boolean;
}

export interface Deprecated {
  /** Days, as 2026-11-29. */
  since: string;
  until: string;
  replacedBy: `/${string}`;
}

/** What an answer of what is deprecated says of it (RFC 9745, RFC 8594). */
export function deprecationHeaders({ since, until, replacedBy }: Deprecated): Record<string, string> {
  return {
    deprecation: `@${Date.parse(since) / 1000}`,
    sunset: new Date(until).toUTCString(),
    link: `<${replacedBy}>; rel="successor-version"`,
  };
}

/** JSON unless a type is named; without a schema it is not described. */
export interface Answer {
  description: string;
  headers?: Record<string, { description: string; schema: TSchema }>;
  type?: string;
  schema?: TSchema;
  example?: unknown;
}

/** The header of every answer under /api. */
export const zoneHeader = {
  "X-Timezone": { description: "The server's zone, in which times are.", schema: Type.String() },
};

/** The answer of a call that has nothing to say but that it is done. */
export const done = (message: string) => ({
  description: "Done.",
  schema: Type.Object({ success: Type.String() }, { title: "Done" }),
  example: { success: message },
});

/** Accepted credentials; for Basic, the flag. */
export type Access =
  "everybody" | "staff" | "subscriber" | "portal" | "admin" | "metrics" | { readonly flag: string };

/** The hook of a route. body.ts reads bodies, never Elysia. */
export function describe<D extends Description>(detail: D) {
  return { parse: "none" as const, detail };
}

export type AnswerOf<Hook extends { detail: { success: { schema: TSchema } } }> = Static<
  Hook["detail"]["success"]["schema"]
>;
