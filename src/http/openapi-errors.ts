import { type TSchema, Type } from "@sinclair/typebox";
import type { Answer, Description } from "./describe.ts";
import { IS_REQUIRED } from "../domain/core/errors/codes.ts";
import { errorCode } from "../wire/error-code.ts";
import type { Family, Said } from "./families.ts";

const STATUSES = [400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 502, 503];

/** Refusals by access and form, and the operation's own, by status. */
export function errorAnswers(method: string, described: Description, family: Family): Record<string, Answer> {
  const { form, refusals = {} } = described;
  const general = generalMeanings(method, described);
  const answers: Record<string, Answer> = {};
  for (const status of STATUSES) {
    const isFault = form !== undefined && status === family.faultStatus;
    const fault = isFault ? "A field is missing or wrong; see `errors`." : undefined;
    const description = [general[status], fault, refusals[status]].filter(Boolean).join(" ");
    if (description === "") continue;
    answers[status] = {
      description,
      ...headers(status),
      schema: errorSchema(family, status, isFault),
    };
  }
  return answers;
}

function generalMeanings(
  method: string,
  { access, form, once }: Description,
): Record<number, string | undefined> {
  const hasBody = form !== undefined && method !== "GET";
  const isBasic = typeof access === "object";
  return {
    400: form ? `The ${hasBody ? "body" : "query"} cannot be parsed.` : undefined,
    401: access === "everybody" ? undefined : "Missing, wrong, expired or revoked credentials.",
    403: isBasic
      ? `Disabled account, ${method === "GET" ? "" : "a page of another site (Origin, Sec-Fetch-Site), "}or a permission is missing.`
      : undefined,
    409: once
      ? "The Idempotency-Key was sent before with another body, or its first call is under way."
      : undefined,
    413: hasBody ? "The body is larger than 1 MiB." : undefined,
    415: hasBody ? "The content type is not accepted." : undefined,
    429: isBasic ? "Ten wrong passwords in a minute; see Retry-After." : undefined,
    500: "Internal error; `id` stands in the log beside its cause.",
    503: isBasic ? "Too many sign-ins at once; see Retry-After." : undefined,
  };
}

function headers(status: number): Pick<Answer, "headers"> {
  if (status === 401)
    return { headers: { "WWW-Authenticate": { description: "The scheme.", schema: Type.String() } } };
  if (status === 429 || status === 503)
    return { headers: { "Retry-After": { description: "Seconds.", schema: Type.Integer() } } };
  return {};
}

/** From the body itself, so that both agree. */
function errorSchema(family: Family, status: number, withErrors: boolean): TSchema {
  const whole = family.body(status, { message: "", code: "refused", param: "", next: "" });
  const properties = Object.entries(whole).map(([name, value]) => [name, ofRefusals[name] ?? said(value)]);
  const example = {
    ...family.body(status, exampleOf(status, withErrors)),
    ...(status === 500 && { id: "0b6f2d6c-5a9f-4a53-9f0e-4c1a3a4f7e11" }),
  };
  return Type.Object(
    {
      ...Object.fromEntries(properties),
      ...(status === 500 && { id: Type.String({ description: "Stands in the log beside the cause." }) }),
      ...(withErrors && { errors: Type.Optional(faults) }),
    },
    {
      title: `${status === 500 ? "Internal" : withErrors ? "Field" : ""}${family.errors}`,
      examples: [example],
    },
  );
}

function exampleOf(status: number, withErrors: boolean): Said {
  if (status === 500) return { message: "internal error", code: "internal" };
  if (withErrors)
    return { message: "check name", code: "required", param: "name", fields: { name: [IS_REQUIRED] } };
  return { message: "there is no subscriber 42", code: "not_found" };
}

const said = (value: unknown) =>
  value === ""
    ? Type.String({ description: "What is wrong and, where somebody can do something, what." })
    : Type.Literal(value as string, { description: "That it was refused." });

const ofRefusals: Readonly<Record<string, TSchema>> = {
  code: errorCode,
  param: Type.Optional(
    Type.String({ description: "The one field that is at fault, or the permission that is missing." }),
  ),
  next: Type.Optional(Type.String({ description: "What a program does next." })),
};

const faults = Type.Record(Type.String(), Type.Array(Type.String()), {
  description: "The fields at fault by their names, each with what is wrong with it.",
});
