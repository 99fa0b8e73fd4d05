import { may } from "../../../domain/core/actor/actor.ts";
import type { StaffOperation } from "../../../domain/core/actor/permissions.ts";
import type { Fields } from "../../../domain/core/fields/fields.ts";
import type { Form } from "../../form.ts";
import type { Managed } from "../../operation.ts";
import { managedOperations } from "../../routes/managed.ts";
import { Fold } from "../../pages/parts/fold.tsx";
import type { StaffVisit } from "../guard.ts";
import type { FormField, Values } from "./field.tsx";
import { Terminal } from "./terminal.tsx";

/** The box as the reader reached it. */
export const readOrigin = ({ request, secure }: Pick<StaffVisit, "request" | "secure">): string =>
  `${secure ? "https" : "http"}://${request.headers.get("host") ?? "BOX"}`;

type Parameters = readonly (readonly [name: string, value: string])[];

/** A call as it is made by hand; `body` of those that change something, else the query. */
interface Call {
  readonly method: string;
  readonly path: string;
  readonly sent: Parameters;
}

const reads = ({ method }: Managed) => method === "GET";

const byOperation = Map.groupBy(managedOperations, ({ operation }): string => operation);

/** The call of an operation; of several the one whose address ends as that of the form does, as `disable`. */
function theCall(
  operation: string,
  { isRead, form = "" }: { isRead: boolean; form?: string },
): Managed | undefined {
  const found = byOperation.get(operation)?.filter((one) => reads(one) === isRead) ?? [];
  const verb = form.slice(form.lastIndexOf("/"));
  return found.length > 1 ? found.find(({ path }) => path.endsWith(verb)) : found[0];
}

const callForm = ({ hook }: Managed): Form<Fields, string> =>
  hook.detail.form ?? { fields: {}, required: [], example: {} };

/** Fixed values of what a form does, beside those that are typed. */
export type Said = Readonly<Record<string, string>>;

/**
 * What a form sends, as a call with the values that it has. undefined: no call does the same, or one needs what the form does not say.
 * `params`: those of the page's address, of which a single one is what the call is about.
 */
export function formCall(
  operation: string,
  {
    form,
    params,
    fields,
    values,
    said,
  }: { form: string; params: Said; fields: readonly FormField[]; values: Values; said: Said },
): Call | undefined {
  const call = theCall(operation, { isRead: false, form });
  if (!call) return undefined;
  const { fields: known, required } = callForm(call);
  const about = Object.values(params);
  const [only] = about.length === 1 ? about : [];
  const path = filled(call.path, params, only);
  const typed = typedIn(fields, values);
  // what the call does not read it would not do
  if (path === undefined || !Object.keys(typed).every((name) => Object.hasOwn(known, name))) return undefined;
  const sent: [string, string][] = [];
  for (const [name, { read }] of Object.entries(known)) {
    const value = said[name] ?? typed[name];
    const isRequired = required.some((one) => one === name);
    const isGood = value !== undefined && value !== "" && read(value) !== undefined;
    if (isGood) sent.push([name, value]);
    else if (isRequired && name in typed) sent.push([name, name.toUpperCase()]);
    else if (value !== undefined && value !== "")
      return undefined; // said in another way than the call reads it
    else if (isRequired && !call.path.includes(":") && only !== undefined && isIdName(name))
      sent.push([name, only]);
    else if (isRequired) return undefined;
  }
  return { method: call.method, path, sent };
}

const isIdName = (name: string) => /^(?:id|code|\w+_id|role_code)$/.test(name);

/** Values by the operation's names; what is secret is a word. */
function typedIn(fields: readonly FormField[], values: Values): Said {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const { name, faultOf = name, value } = field;
      const isSecret = "as" in field && field.as === "password";
      const typed = values[name] ?? String(value ?? "");
      return [faultOf].flat().map((called) => [called, isSecret ? called.toUpperCase() : typed]);
    }),
  );
}

function filled(path: string, params: Said, only: string | undefined): string | undefined {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  const values = names.map((name) => params[name] ?? (names.length === 1 ? only : undefined));
  if (values.includes(undefined)) return undefined;
  return names.reduce((so, name, at) => so.replace(`:${name}`, encodeURIComponent(values[at] ?? "")), path);
}

/** What a list shows, narrowed as it is; undefined where the call cannot narrow it so. */
export function listedCall(
  operation: StaffOperation,
  { params, narrowing }: { params: Said; narrowing: Said },
): Call | undefined {
  const call = theCall(operation, { isRead: true, form: "/list" });
  const about = Object.values(params);
  const path = call && filled(call.path, params, about.length === 1 ? about[0] : undefined);
  if (!call || path === undefined) return undefined;
  const { fields } = callForm(call);
  const sent = Object.entries(narrowing).filter(([, value]) => value !== "");
  const isTaken = sent.every(([name, value]) => fields[name]?.read(value) !== undefined);
  return isTaken ? { method: call.method, path, sent } : undefined;
}

/** The call as a command of a shell. */
export function formatCurl({ method, path, sent }: Call, origin: string): string {
  const isRead = method === "GET";
  const verb = isRead || (method === "POST" && sent.length > 0) ? "" : ` -X ${method}`;
  const query = isRead && sent.length > 0 ? `?${new URLSearchParams(sent.map(([...pair]) => pair))}` : "";
  const lines = isRead
    ? []
    : sent.map(
        ([name, value]) => `${isPlain(value) ? "-d" : "--data-urlencode"} ${quoted(`${name}=${value}`)}`,
      );
  return [`curl -u KEY:SECRET${verb} ${quoted(origin + path + query)}`, ...lines].join(" \\\n  ");
}

const isPlain = (value: string) => /^[\w.,:/ -]*$/.test(value);
const quoted = (text: string) => (/^[\w./:=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** The call, folded at the end of a form or list, for who may use the API. */
export function AsCall({ visit, call }: { visit: StaffVisit; call: Call | undefined }) {
  if (!call || !may(visit.by, "api_access")) return null;
  const { asCall } = visit.view.words.list;
  const id = `call-${call.path.replaceAll(/\W+/g, "-")}`;
  return (
    <Fold summary={asCall.title} kind="as-call">
      <div class="stack near">
        <p class="hint">{asCall.text}</p>
        <Terminal id={id} label={asCall.title} visit={visit}>
          {formatCurl(call, readOrigin(visit))}
        </Terminal>
      </div>
    </Fold>
  );
}
