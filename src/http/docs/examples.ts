import type { Operation } from "./contents.ts";

/** The address that the examples call, and the account as which they do. */
export interface Caller {
  /** `http://box:8080`, as the reader reached it. */
  readonly origin: string;
  /** The account that is signed in at the console; empty: nobody is. */
  readonly account: string;
}

export interface Example {
  readonly title: string;
  readonly text: string;
}

/** One call of an operation in three languages, with all that it requires and nothing else to install but Python's requests. */
export function makeExamples(operation: Operation, { origin, account }: Caller): readonly Example[] {
  const url = origin + exampleAddress(operation);
  const call = {
    method: operation.method,
    url,
    body: exampleBody(operation),
    account: account || "ACCOUNT",
    credentials: operation.credentials[0],
    needsKey: needsKey(operation),
    answers: operation.answers[0]?.media?.type,
  };
  return [
    { title: "curl", text: curl(call) },
    { title: "TypeScript", text: typescript(call) },
    { title: "Python", text: python(call) },
  ];
}

interface Call {
  readonly method: string;
  readonly url: string;
  /** JSON that is sent, if any. */
  readonly body: unknown;
  readonly account: string;
  /** A name of `securitySchemes`. */
  readonly credentials: string | undefined;
  readonly needsKey: boolean;
  /** The content type of what it answers, if anything. */
  readonly answers: string | undefined;
}

const JSON_TYPE = "application/json";

function curl({ method, url, body, account, credentials, needsKey: isKeyed }: Call): string {
  const headers = { ...tokenHeader(credentials), ...(isKeyed && { "idempotency-key": "$(uuidgen)" }) };
  const lines = [
    `curl ${credentials === "basic" ? `-u ${quoted(`${account}:PASSWORD`)} ` : ""}${quoted(url)}`,
    ...Object.entries({ ...headers, ...(body !== undefined && { "content-type": "application/json" }) }).map(
      ([name, value]) => `-H "${name}: ${value}"`,
    ),
    ...(body === undefined
      ? method === "GET"
        ? []
        : [`-X ${method}`]
      : [`-d ${quoted(JSON.stringify(body))}`]),
  ];
  return lines.join(" \\\n     ");
}

function typescript({ method, url, body, account, credentials, needsKey: isKeyed, answers }: Call): string {
  const headers = [
    ...(credentials === "basic" ? [`authorization: "Basic " + btoa("${account}:PASSWORD"),`] : []),
    ...Object.entries(tokenHeader(credentials)).map(
      ([name, value]) => `${name.toLowerCase()}: ${JSON.stringify(value)},`,
    ),
    ...(isKeyed ? [`"idempotency-key": crypto.randomUUID(),`] : []),
    ...(body === undefined ? [] : [`"content-type": "application/json",`]),
  ];
  return [
    `const answer = await fetch(${JSON.stringify(url)}, {`,
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(headers.length === 0 ? [] : ["  headers: {", ...headers.map((line) => `    ${line}`), "  },"]),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(JSON.stringify(body, null, 2))}),`]),
    "});",
    "if (!answer.ok) throw new Error(await answer.text());",
    answers === undefined
      ? "console.log(answer.status);"
      : `console.log(await answer.${answers === JSON_TYPE ? "json" : "text"}());`,
  ].join("\n");
}

function python({ method, url, body, account, credentials, needsKey: isKeyed, answers }: Call): string {
  const headers = Object.entries(tokenHeader(credentials)).map(([name, value]) => `"${name}": "${value}"`);
  if (isKeyed) headers.push(`"Idempotency-Key": str(uuid.uuid4())`);
  return [
    isKeyed ? "import uuid, requests" : "import requests",
    "",
    `answer = requests.${method.toLowerCase()}(`,
    `    ${JSON.stringify(url)},`,
    ...(credentials === "basic" ? [`    auth=("${account}", "PASSWORD"),`] : []),
    ...(headers.length === 0 ? [] : [`    headers={${headers.join(", ")}},`]),
    ...(body === undefined ? [] : [`    json=${indented(toPython(body), "    ")},`]),
    "    timeout=30,",
    ")",
    "answer.raise_for_status()",
    answers === undefined
      ? "print(answer.status_code)"
      : `print(answer.${answers === JSON_TYPE ? "json()" : "text"})`,
  ].join("\n");
}

/** What a call takes that asks for a token, or for the session of the portal. */
function tokenHeader(credentials: string | undefined): Readonly<Record<string, string>> {
  if (credentials === undefined || credentials === "basic") return {};
  return credentials === "portalSession"
    ? { Cookie: "gatehouse_portal=SESSION" }
    : { Authorization: "Bearer TOKEN" };
}

/** The path with its numbers and what a query has to have. */
function exampleAddress({ path, parameters }: Operation): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    String(parameters.find((one) => one.name === name && one.in === "path")?.example ?? placeholder(name)),
  );
  const query = parameters.filter((one) => one.in === "query" && one.required);
  if (query.length === 0) return filled;
  const values = query.map(({ name, example }): [string, string] => [
    name,
    String(example ?? placeholder(name)),
  ]);
  return `${filled}?${new URLSearchParams(values)}`;
}

/** Stands in for a value of which the document has no example: the number of a record, or what its name says. */
const placeholder = (name: string) => (/(^|_)id$/.test(name) ? "1" : name.toUpperCase());

const exampleBody = ({ body }: Operation): unknown =>
  body && body.type === JSON_TYPE ? (body.example ?? {}) : undefined;

const needsKey = ({ parameters }: Operation) =>
  parameters.some(({ name, required = false }) => name === "Idempotency-Key" && required);

/** The text for a shell: between single quotes, where a quote within ends them for itself. */
const quoted = (text: string) =>
  /^[\w:/.@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

const indented = (text: string, by = "  ") => text.replaceAll("\n", `\n${by}`);

/** JSON as Python writes it. */
function toPython(value: unknown, indent = ""): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const within = `${indent}    `;
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const parts = Array.isArray(value)
    ? value.map((one) => toPython(one, within))
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${toPython(one, within)}`);
  if (parts.length === 0) return `${open}${close}`;
  return `${open}\n${parts.map((part) => `${within}${part},\n`).join("")}${indent}${close}`;
}
