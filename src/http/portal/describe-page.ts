import { Type } from "@sinclair/typebox";
import { id, text } from "../../domain/core/fields/fields.ts";
import { type Answer, describe } from "../describe.ts";

const tags: [string] = ["Subscriber portal"];
const HTML = { type: "text/html", schema: Type.String() };

const meanings: Record<number, string> = {
  303: "To another page: the sign-in page for who is not signed in, the next one after a form.",
  401: "Wrong username or password.",
  403: "The form is not from a page of this session, or the account is disabled.",
  404: "There is no such page, or it is somebody else's.",
  413: "The body is larger than 1 MiB.",
  415: "The content type is not accepted.",
  422: "Something is missing or wrong in the form.",
  429: "More than five attempts in a minute for this username from this address; see Retry-After.",
  500: "Internal error; the page shows an id that stands in the log.",
  503: "Too many sign-ins at once; see Retry-After.",
};

interface PageDescription {
  access?: "everybody" | "portal";
  /** Without the token. */
  form?: readonly string[];
  /** Optional ones among them. */
  optional?: readonly string[];
  path?: "invoice";
  refusals?: readonly number[];
}

export function describePage(
  operationId: string,
  summary: string,
  { access = "portal", form, optional = [], path, refusals = [] }: PageDescription = {},
) {
  const statuses = [303, 500, ...(form ? [400, 403, 413, 415, 422] : []), ...refusals];
  const names = form && [...form, "form_token"];
  return describe({
    operationId,
    tags,
    summary,
    access,
    ...(path && { path: { id } }),
    ...(names && {
      form: {
        fields: Object.fromEntries(names.map((name) => [name, text(1000)])),
        required: names.filter((name) => !optional.includes(name)),
        example: Object.fromEntries(names.map((name) => [name, "…"])),
      },
    }),
    success: { description: "A page.", ...HTML },
    otherwise: Object.fromEntries(statuses.map((status) => [status, answer(status)])),
  });
}

export function describePortalFile(operationId: string, summary: string, path: readonly string[]) {
  return describe({
    operationId,
    tags,
    summary,
    access: "everybody",
    path: Object.fromEntries(path.map((name) => [name, text(100)])),
    success: { description: "The file.", type: "*/*" },
    otherwise: { 304: { description: "As it was (ETag)." }, 404: answer(404), 500: answer(500) },
  });
}

function answer(status: number): Answer {
  const description = meanings[status] ?? "The form cannot be read.";
  return status === 303 ? { description } : { description, ...HTML };
}
