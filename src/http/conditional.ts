import { Type } from "@sinclair/typebox";
import { seeingArchived } from "../domain/core/actor/actor.ts";
import { forms, inForm } from "../wire/form.ts";
import type { Description } from "./describe.ts";
import { HttpRefusal } from "./errors.ts";
import type { AnyCall, Managed, Within } from "./operation.ts";
import { shortHash } from "./pages/assets.ts";

/*
 * A record has an ETag (RFC 9110, 13.1), which a copy is asked for by and a change is held against. It is of what `get` answers, not of a
 * stamp of the row: that shows what others change too (a balance, an end, the name of a city), is not the same to whoever lacks a
 * permission, and every noun has it.
 */

const GET = /^(.+)\/get\/:(\w+)$/;
const VERB = /\/[^/:]+(?:\/:\w+)?$/;

/** Gives each `get` of a noun its tag, and the calls of that noun that change one record as a transaction an If-Match. */
export function conditional(operations: readonly Managed[]): Managed[] {
  const gets = new Map(
    operations.flatMap((get): [string, Managed][] => {
      const [, noun] = (get.method === "GET" && GET.exec(get.path)) || [];
      return noun === undefined ? [] : [[noun, get]];
    }),
  );
  return operations.map((operation) => {
    const get = gets.get(operation.path.replace(VERB, ""));
    if (operation === get) return tagged(get);
    if (operation.method === "GET") return operation;
    const id = get && operation.isTransaction ? recordId(operation, get) : undefined;
    return get && id ? guarded(operation, get, id) : unguarded(operation);
  });
}

/** How a call says which record it changes; undefined: it is about none, or several. */
function recordId(operation: Managed, get: Managed): ((call: AnyCall) => number | undefined) | undefined {
  const [[name = "", noun] = []] = Object.entries(get.nouns);
  const { record, nouns, hook } = operation;
  if (record !== undefined) return record ?? undefined;
  if (nouns[name] !== undefined) return nouns[name] === noun ? ({ ids }) => numberIn(ids, name) : undefined;
  const { required = [] } = hook.detail.form ?? {};
  const field = [name, get.named].find((one) => one !== undefined && required.includes(one));
  return field === undefined ? undefined : ({ values }) => numberIn(values, field);
}

function numberIn(values: object, name: string): number | undefined {
  const value: unknown = Reflect.get(values, name);
  return typeof value === "number" ? value : undefined;
}

function tagged(get: Managed): Managed {
  return {
    ...get,
    hook: { ...get.hook, detail: withTag(get.hook.detail) },
    answer: async (needs, request) =>
      unlessKnown(await get.answer(needs, request), request.preferences.ifNoneMatch, request.headers),
  };
}

function guarded(operation: Managed, get: Managed, idIn: (call: AnyCall) => number | undefined): Managed {
  return {
    ...operation,
    hook: { ...operation.hook, detail: { ...operation.hook.detail, condition: "change" } },
    answer: (needs, request) => {
      const { ifMatch } = request.preferences;
      if (ifMatch === null) return operation.answer(needs, request);
      const within: Within = (call, work) => {
        const id = idIn(call);
        if (id === undefined) return work(); // the operation says what is wrong with it
        // also who left: whether they are found is the operation's to say
        const shown = () => get.shown({ ...call, by: seeingArchived(call.by, 1) }, id);
        const isHeld = forms.some((form) => names(ifMatch, makeTag(inForm(form, shown)), { strong: true }));
        if (!isHeld)
          throw new HttpRefusal(412, "it is another one by now than If-Match says; nothing was done", {
            code: "stale",
          });
        return work();
      };
      return operation.answer(needs, { ...request, within });
    },
  };
}

/** What it would not be held against is refused, lest a caller counts on it. */
function unguarded(operation: Managed): Managed {
  return {
    ...operation,
    answer: async (needs, request) => {
      if (request.preferences.ifMatch !== null) throw takesNoMatch();
      return operation.answer(needs, request);
    },
  };
}

export const takesNoMatch = () =>
  new HttpRefusal(400, "the call takes no If-Match: it is about no one record, or waits for routers", {
    code: "if_match_not_taken",
  });

const makeTag = (answer: unknown) => `"${shortHash(JSON.stringify(answer))}"`;

/** Whether a condition names the tag, or any. */
function names(condition: string, tag: string, { strong = false } = {}): boolean {
  if (condition.trim() === "*") return true;
  const tags = condition.matchAll(/(W\/)?("[!#-~\x80-\xff]*")/g);
  return tags.some(([, weak, one]) => one === tag && !(strong && weak));
}

/** The answer with its tag; 304 where who asks has it. */
export function unlessKnown<A>(
  answer: A,
  ifNoneMatch: string | null,
  headers: Record<string, string | number>,
): A | Response {
  if (answer instanceof Response) return answer; // a file
  const tag = makeTag(answer);
  headers["etag"] = tag;
  return ifNoneMatch !== null && names(ifNoneMatch, tag) ? new Response(null, { status: 304 }) : answer;
}

export function withTag<D extends Pick<Description, "success" | "otherwise">>(described: D) {
  const { success, otherwise } = described;
  return {
    ...described,
    success: { ...success, headers: { ...success.headers, ...tagHeader } },
    otherwise: { ...otherwise, 304: { description: "It is as If-None-Match has it.", headers: tagHeader } },
    condition: "read" as const,
  };
}

const tagHeader = {
  ETag: {
    description: "Of what is answered: for If-None-Match, and for If-Match of a change.",
    schema: Type.String(),
  },
};
