import { expect } from "bun:test";
import type { AnyElysia } from "elysia";
import pino from "pino";
import { buildApps, type HttpNeeds } from "../../src/http/app.ts";
import { refusals } from "../../src/domain/core/errors/codes.ts";
import { MovingRuns } from "../../src/domain/machine/imports/runs/runs.ts";
import { program } from "./appliance.ts";
import { movingProcesses } from "../../src/jobs/import-process.ts";
import type { SpawnMove } from "../../src/domain/machine/imports/runs/process.ts";
import { ANY_CALL } from "../../src/http/openapi-errors.ts";
import { openapiDocument } from "../../src/http/openapi.ts";
import { DocumentedAnswers } from "./documented-answers.ts";
import { BackupDesk } from "../../src/domain/machine/backup/desk.ts";
import { backupThreads } from "../../src/jobs/backup-thread.ts";
import { natsTools } from "../../src/cli/nats-tools.ts";
import { someAppliance } from "./some-appliance.ts";
import { insertIsps } from "./people.ts";
import { noNasTools, noRouters } from "./routers.ts";
import { NOW, type TemporaryStore, temporaryStore, undoneEmptyStores } from "./store.ts";

export const UPLOAD_LIMIT = 8 * 2 ** 20;

/** The apps of every listener on a store of their own, with a settable clock and the logged lines. */
export function temporaryApp(
  { spawn = movingProcesses([program]), ...options }: Partial<HttpNeeds> & { spawn?: SpawnMove } = {},
  store = storeWithIsps(),
) {
  const clock = { now: NOW };
  const lines: string[] = [];
  const needs: HttpNeeds = {
    db: store.db,
    clock: () => clock.now,
    log: pino({ base: null }, { write: (line: string) => lines.push(line) }),
    staffTokenDays: 30,
    subscriberTokenDays: 30,
    routers: noRouters,
    nasTools: noNasTools,
    nats: natsTools(store.db),
    trustedProxies: [],
    health: () => ({ radius: true }),
    moving: new MovingRuns({
      db: store.db,
      clock: () => clock.now,
      folder: store.folder,
      spawn,
      limit: UPLOAD_LIMIT,
      failed: (message) => lines.push(message),
    }),
    backups: new BackupDesk({
      db: store.db,
      clock: () => clock.now,
      program: "test",
      isService: false,
      threads: backupThreads(),
      failed: (error) => lines.push(String(error)),
    }),
    appliance: someAppliance,
    ...options,
  };
  const apps = buildApps(needs);
  return {
    db: store.db,
    folder: store.folder,
    app: apps.lan,
    get publicApp() {
      return apps.public;
    },
    get walledApp() {
      return apps.walled;
    },
    clock,
    lines,
    backups: needs.backups,
    call: caller(apps.lan),
    callPublic: (...call: Parameters<Call>) => caller(apps.public)(...call),
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}

function storeWithIsps(): TemporaryStore {
  const store = temporaryStore();
  insertIsps(store.db);
  return store;
}

/** `temporaryApp` on stores of `undoneStores`. */
export function undoneApps(): typeof temporaryApp {
  const stores = undoneEmptyStores(insertIsps);
  return (options = {}, store = stores()) => temporaryApp(options, store);
}

export type TestApp = ReturnType<typeof temporaryApp>;
type Call = ReturnType<typeof caller>;

export interface Sent {
  basic?: string;
  bearer?: string;
  headers?: Record<string, string>;
  json?: unknown;
  form?: Record<string, unknown>;
  body?: string | Uint8Array | FormData | ReadableStream;
}

export interface Received {
  status: number;
  headers: Headers;
  /** Of a refusal, what it says to people. */
  body: unknown;
  /** What it says to programs beside that. */
  refusal?: Refusal;
}

interface Refusal {
  code: string;
  param?: string;
  next?: string;
}

/** Sends a request and holds every answer against the OpenAPI document, which names every key there is, and every refusal against the codes. */
export function caller(app: AnyElysia) {
  return async (method: string, path: string, sent: Sent = {}): Promise<Received> => {
    const response = await app.handle(request(method, path, sent));
    const text = await response.text();
    const type = (response.headers.get("content-type") ?? "").split(";")[0] ?? "";
    const whole: unknown = text === "" ? undefined : type === "application/json" ? JSON.parse(text) : text;
    if (method !== "HEAD")
      expectDocumented(documented(app), method, documentedAs(path), {
        status: response.status,
        type,
        body: whole,
      });
    return { status: response.status, headers: response.headers, ...parted(response.status, whole) };
  };
}

/** A list says where its changes are described. */
const documentedAs = (path: string) =>
  /[?&]changes=1(?:&|$)/.test(path) ? path.replace(/\/list\?.*/, "/changes") : path;

/** What a refusal says to people, and what to programs: a code that is known, and calls in place of commands. */
function parted(status: number, whole: unknown): Pick<Received, "body" | "refusal"> {
  if (status < 400 || typeof whole !== "object" || whole === null || !("code" in whole))
    return { body: whole };
  const { code, param, next, ...body }: { code: unknown; param?: string; next?: string } = whole;
  expect(Object.keys(refusals)).toContain(String(code));
  expect(JSON.stringify(body)).not.toMatch(/\bgatehouse [a-z]+ [a-z]+|[^\w]--[a-z]/);
  const refusal = {
    code: String(code),
    ...(param !== undefined && { param }),
    ...(next !== undefined && { next }),
  };
  return { body, refusal };
}

/** By what their routes are: those of all tests are the same, and to describe them takes longer than most tests. */
const documents = new Map<string, DocumentedAnswers>();
const documentOf = new WeakMap<AnyElysia, DocumentedAnswers>();

function documented(app: AnyElysia): DocumentedAnswers {
  const known = documentOf.get(app);
  if (known) return known;
  const routes: { method: string; path: string }[] = app.routes;
  const key = routes.map(({ method, path }) => `${method} ${path}`).join("\n");
  const found = documents.get(key) ?? new DocumentedAnswers(openapiDocument(app.routes, { pages: true }));
  documents.set(key, found);
  documentOf.set(app, found);
  return found;
}

export function request(
  method: string,
  path: string,
  { basic, bearer, headers, json, form, body }: Sent = {},
): Request {
  const all = new Headers(headers);
  if (basic !== undefined) all.set("authorization", `Basic ${Buffer.from(basic).toString("base64")}`);
  if (bearer !== undefined) all.set("authorization", `Bearer ${bearer}`);
  if (json !== undefined) all.set("content-type", "application/json");
  const payload = json === undefined ? (form ? formOf(form) : body) : JSON.stringify(json);
  return new Request(`http://localhost${path}`, {
    method,
    headers: all,
    ...(payload !== undefined && { body: payload }),
  });
}

function formOf(fields: Record<string, unknown>): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  return form;
}

function expectDocumented(
  document: DocumentedAnswers,
  method: string,
  path: string,
  { status, type, body }: { status: number; type: string; body: unknown },
): void {
  if (status === 405 || status === 406) return;
  const item = document.at(path.split("?")[0] ?? "");
  if (!item) return expect(status).toBe(404);
  const answers = item[method.toLowerCase()]?.responses;
  const answer = answers?.[status] ?? (status in ANY_CALL ? answers?.["default"] : undefined);
  if (!answer) throw new Error(`the document knows no ${status} of ${method} ${path}`);
  if (type === "text/csv") return expect(item[method.toLowerCase()]?.description).toContain(type);
  if (!answer.content) return expect(body).toBeUndefined();
  const schema = answer.content[type]?.schema;
  if (!schema) throw new Error(`the document knows no ${type} in ${status} of ${method} ${path}`);
  expect(document.faults(schema, body)).toEqual([]);
}
