import { type TSchema, Type } from "@sinclair/typebox";
import type { Answer, Description } from "./describe.ts";
import { IS_REQUIRED } from "../domain/core/errors/codes.ts";
import { errorCode } from "../wire/error-code.ts";
import type { Family, Said } from "./families.ts";

const STATUSES = [400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 502, 503];

/** What each call may answer whatever it does, under `default`: said once, because each status is code in a generated client. */
export const ANY_CALL = {
  400: "the body or the query cannot be parsed, or a field is missing or wrong (`errors`)",
  401: "missing, wrong, expired or revoked credentials",
  403: "a disabled account, a page of another site (Origin, Sec-Fetch-Site), or a permission is missing (`param`)",
  404: "there is no such record where the caller sees any",
  409: "the Idempotency-Key was sent before with another body, or its first call is under way",
  412: "the record is another one than If-Match says",
  413: "the body is larger than 1 MiB",
  415: "the content type is not accepted",
  429: "ten wrong passwords in a minute (Retry-After)",
  500: "an internal error, whose `id` stands in the log beside its cause",
  503: "too many sign-ins at once (Retry-After)",
} as const;

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const anyCall = Object.entries(ANY_CALL).map(([status, text]) => `${status}, ${text}`);
/** Refusals of a subscriber's call, which is told apart by its token alone. */
const anyOwnCall = anyCall.filter((text) => /^(400|409|413|415|500)/.test(text));

/** Refusals by access and form, and the operation's own, by status. */
export function errorAnswers(method: string, described: Description, family: Family): Record<string, Answer> {
  const { form, access, refusals = {} } = described;
  const isBasic = typeof access === "object";
  const isOwn = access === "subscriber";
  const hasDefault = isBasic || isOwn;
  const general: Record<number, string | undefined> = isBasic
    ? {}
    : isOwn
      ? { 401: sentence(ANY_CALL[401]) }
      : generalMeanings(method, described, family);
  const answers: Record<string, Answer> = {};
  for (const status of STATUSES) {
    const own = refusals[status];
    const isFault = hasDefault && form !== undefined && status === 422 && family.faultStatus === 422;
    const fault = isFault ? FAULT : undefined;
    const description = [general[status], fault, own].filter(Boolean).join(" ");
    if (description === "" || (isBasic && status === 404 && /^There is no such [\w -]+\.$/.test(description)))
      continue;
    answers[status] = {
      description,
      ...headers(status),
      schema: errorSchema(family, status),
    };
  }
  if (!hasDefault) return answers;
  const description = `As any call: ${(isBasic ? anyCall : anyOwnCall).join("; ")}.`;
  return { ...answers, default: { description, schema: errorSchema(family, 403) } };
}

const FAULT = "A field is missing or wrong; see `errors`.";

function generalMeanings(
  method: string,
  { access, form, once }: Description,
  { faultStatus }: Family,
): Record<number, string | undefined> {
  const hasBody = form !== undefined && method !== "GET";
  return {
    400: form ? "The body or the query cannot be parsed." : undefined,
    ...(form && { [faultStatus]: faultStatus === 400 ? sentence(ANY_CALL[400]) : FAULT }),
    401: access === "everybody" ? undefined : sentence(ANY_CALL[401]),
    409: once ? sentence(ANY_CALL[409]) : undefined,
    413: hasBody ? sentence(ANY_CALL[413]) : undefined,
    415: hasBody ? sentence(ANY_CALL[415]) : undefined,
    500: sentence(ANY_CALL[500]),
  };
}

function headers(status: number): Pick<Answer, "headers"> {
  if (status === 401)
    return { headers: { "WWW-Authenticate": { description: "The scheme.", schema: Type.String() } } };
  if (status === 429 || status === 503)
    return { headers: { "Retry-After": { description: "Seconds.", schema: Type.Integer() } } };
  return {};
}

/** The schema from the body itself, so that both agree; one record of a family, for a client has one way to read a refusal. */
function errorSchema(family: Family, status: number): TSchema {
  const whole = family.body(status, { message: "", code: "refused", param: "", next: "" });
  const isBare = !("code" in whole);
  const properties = Object.entries(whole).map(([name, value]) => [name, ofRefusals[name] ?? said(value)]);
  const example = family.body(status, refused);
  return Type.Object(
    { ...Object.fromEntries(properties), ...(!isBare && { errors: faults, id: incident }) },
    { title: `${isBare ? "Bare" : ""}${family.errors}`, examples: [example] },
  );
}

const refused: Said = {
  message: "check name",
  code: "required",
  param: "name",
  fields: { name: [IS_REQUIRED.toString()] },
};

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

const faults = Type.Optional(
  Type.Record(Type.String(), Type.Array(Type.String()), {
    description: "The fields at fault by their names, each with what is wrong with it.",
  }),
);

const incident = Type.Optional(
  Type.String({ description: "Of an internal error: stands in the log beside the cause." }),
);
