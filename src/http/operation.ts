import type { Static, TSchema } from "@sinclair/typebox";
import type { AnyElysia } from "elysia";
import { type Db, type Tx, write } from "../../db/open.ts";
import { untilUnlocked } from "../../db/turns.ts";
import { MoneyWait, onlyHere } from "../domain/machine/access-boxes/money-waits.ts";
import type { Routers } from "../domain/service/control/routers.ts";
import { id, type Input } from "../domain/core/fields/fields.ts";
import { type Actor, narrow } from "../domain/core/actor/actor.ts";
import type { Arrivals } from "../domain/goods/nas/arrivals.ts";
import type { NasTools } from "../domain/goods/router-setup/tools.ts";
import { permissions, permit, type StaffOperation } from "../domain/core/actor/permissions.ts";
import { keyFault, once, onceAwaited } from "../domain/core/once/once.ts";
import type { Subscriber } from "../domain/goods/subscribers/find.ts";
import type { Clock, Seconds } from "../domain/core/time/time.ts";
import type { CsvLine } from "../domain/machine/imports/data-set/csv.ts";
import { acceptedFormat } from "./accept.ts";
import { AttemptLimit } from "./attempt-limit.ts";
import { SIGNED_A_MINUTE, signedCaller, type SignedCaller } from "./signed-caller.ts";
import type { Source } from "../domain/desk/incoming/sources.ts";
import type { BasicCredentials } from "./basic.ts";
import { readInputInTime } from "./body.ts";
import type { CardGuesses } from "./card-guesses.ts";
import { clientAddress, type Server, type TrustedProxies } from "./client-address.ts";
import { refuseOtherSites } from "./cross-site.ts";
import { type Answer, describe, type Description } from "./describe.ts";
import { HttpRefusal } from "./errors.ts";
import { phrase } from "../domain/core/errors/phrase.ts";
import { type ManagementForm, pathId, type Place } from "./form.ts";
import type { KeyCalls } from "./key-calls.ts";
import { IDLE_SECONDS } from "./server.ts";
import { heededAgain } from "./preferences.ts";
import { withMinor } from "../wire/money.ts";

export interface Management {
  readonly db: Db;
  readonly clock: Clock;
  readonly routers: Routers;
  readonly nasTools: NasTools;
  readonly arrivals: Arrivals;
  readonly credentials: BasicCredentials;
  readonly trusted: TrustedProxies;
  readonly guesses: CardGuesses;
  readonly keyCalls: KeyCalls;
  /** Called after a renewal, whose open session has yet to change. */
  readonly renewed: (subscriber: Subscriber) => void;
}

/** What operations work with. */
export type Working = Pick<
  Management,
  "db" | "clock" | "routers" | "nasTools" | "arrivals" | "guesses" | "renewed"
>;

type Method = "GET" | "POST" | "DELETE";

export interface Call<V, Path extends string> extends Working {
  readonly by: Actor;
  readonly values: V;
  readonly input: Input;
  readonly ids: Ids<Path, number>;
  readonly now: Seconds;
  readonly headers: Record<string, string | number>;
  /** The payment source that signed the call; null: an account calls. */
  readonly source: Source | null;
  /** It is undone: of what would be made in thousands, some will do. */
  readonly isTried: boolean;
}

export type AnyCall = Call<object, string>;

type Ids<Path extends string, T> = { readonly [K in NamesIn<Path>]: T };
type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

export interface Declaration<V extends Place, Path extends string, S extends TSchema, A> extends Omit<
  Description,
  "access" | "form" | "path" | "success" | "otherwise" | "csv" | "once"
> {
  readonly method: Method;
  readonly path: Path;
  readonly operation: StaffOperation;
  readonly form: ManagementForm<V>;
  readonly success: Omit<Answer, "type"> & { readonly schema: S; readonly example: NoInfer<Static<S>> };
  readonly run: (call: Call<V, Path>) => A | Promise<A>;
  /** The answer for `Accept: text/csv`. */
  readonly csv?: (call: Call<V, Path>, line: CsvLine) => Response;
  /** The answer may take minutes, so the connection has no idle timeout. */
  readonly slow?: true;
  /** May be signed by a payment source in place of an account. */
  readonly signed?: true;
  /**
   * Every call but a GET is done once for an Idempotency-Key, by a `run` that is one transaction. This checks, before the first answer is
   * given again, that the caller still reaches what it is about; without it, only who sees as much as then gets it. Throws `not_found`.
   */
  readonly once?: (call: Call<V, Path>) => void;
  /** Its `run` waits for more than the store, so that it is no transaction: its key is taken before, and its answer kept after. */
  readonly awaits?: true;
  /** What a `run` that waits writes before it does: what it would change is seen by this. */
  readonly first?: (call: Call<V, Path>) => void;
  /** It changes nothing, or tells in another way that it came before: a key is ignored. */
  readonly takesKey?: false;
  /** After the commit, what is to be done at the routers, and what came of it beside the answer; each time, also where a key repeats it. */
  readonly after?: (call: Call<V, Path>, answer: A) => Promise<A>;
  /** Of a `get`: the field by which calls of its noun name a record, where that is not the one of its path. */
  readonly named?: string;
  /** The id of the record that it changes, where no field has it: undefined where nothing could be one; null: what `get` shows of it stays. */
  readonly record?: ((call: Call<V, Path>) => number | undefined) | null;
}

/** The noun of each id in the path, for its not_found. */
type Nouns<Path extends string> = [NamesIn<Path>] extends [never]
  ? { readonly ids?: undefined }
  : { readonly ids: Ids<Path, string> };

/** Rejects answers with properties that the schema lacks; TypeScript lets them pass. */
export type NothingBeside<A, S> = [Surplus<A, S>] extends [never]
  ? unknown
  : { readonly "the answer has what its schema does not name": Surplus<A, S> };
type Surplus<A, S> = A extends readonly (infer Item)[]
  ? Surplus<Item, S extends readonly (infer Named)[] ? Named : never>
  : A extends object
    ? { [K in keyof A]-?: K extends NamesOf<S> ? Surplus<A[K], ValueOf<S, K>> : K }[keyof A]
    : never;
type NamesOf<S> = S extends object ? keyof S : never;
type ValueOf<S, K> = S extends object ? (K extends keyof S ? S[K] : never) : never;

export interface Managed {
  readonly method: Method;
  readonly path: string;
  readonly operation: StaffOperation;
  readonly slow: boolean;
  readonly signed: boolean;
  /** Of the ids in its path. */
  readonly nouns: Readonly<Record<string, string>>;
  /** Changes something, at once. */
  readonly isTransaction: boolean;
  readonly named: string | undefined;
  readonly record: ((call: AnyCall) => number | undefined) | null | undefined;
  readonly hook: ReturnType<typeof describe>;
  /** What a `get` answers to whoever makes another call. */
  readonly shown: (call: AnyCall, id: number) => unknown;
  /** Whether it is one transaction, or begins with one. */
  readonly isTriable: boolean;
  /** Does it in a transaction that is to be undone: nothing after the commit, no router is asked. Throws for what is not to be tried. */
  readonly tried: (
    needs: Working & { readonly db: Tx },
    request: Pick<Arrived, "staff" | "input" | "params">,
  ) => void;
  readonly answer: (needs: Working, request: Arrived) => Promise<unknown>;
}

export interface Arrived {
  readonly staff: Actor;
  readonly input: Input;
  readonly source: Source | null;
  readonly params: Readonly<Record<string, string | null>>;
  readonly headers: Call<unknown, string>["headers"];
  readonly preferences: Preferences;
  /** Does its work, and looks before or after whether that may be done: within its transaction; throws. */
  readonly within?: Within;
}

export type Within = <T>(call: AnyCall, work: () => T) => T;

interface Preferences {
  readonly accept: string | null;
  readonly key: string | null;
  readonly ifMatch: string | null;
  readonly ifNoneMatch: string | null;
}

/** Declares an operation. The compiler rejects answers that its schema does not have. */
export function managed<V extends Place, Path extends string, S extends TSchema, A extends Static<S>>(
  declared: Declaration<V, Path, S, A> & Nouns<Path> & NothingBeside<A, Static<S>>,
): Managed {
  const declaration: Declaration<V, Path, S, A> = declared;
  const {
    method,
    path,
    operation,
    form,
    run,
    csv,
    slow = false,
    signed = false,
    once: reach,
    awaits = false,
    first,
    takesKey = method !== "GET",
    after,
    named,
    record,
    ...described
  } = declaration;
  const nouns = Object.entries<string>(declared.ids ?? {});
  const { schema } = declaration.success;
  const isTransaction = takesKey && !awaits;
  const detail = {
    ...described,
    ...(csv && { csv: true }),
    ...(takesKey && { once: true }),
    access: { flag: permissions[operation] },
    form,
    path: Object.fromEntries(nouns.map(([name]) => [name, id])),
  };
  /** Who calls, and for what. Throws `forbidden`, `not_found`, `invalid`. */
  const begun = (staff: Actor, input: Input, params: Arrived["params"]) => {
    permit(staff, operation);
    const values = form.read(input);
    const ids = Object.fromEntries(nouns.map(([name, noun]) => [name, pathId(noun, params[name] ?? null)]));
    const by = within(staff, values, form.narrowedBy);
    return { by, values, input, ids: ids as Ids<Path, number> };
  };
  return {
    method,
    path,
    operation,
    slow,
    signed,
    nouns: Object.fromEntries(nouns),
    isTransaction,
    isTriable: isTransaction || first !== undefined,
    named,
    record: record as Managed["record"], // of a call of its own
    hook: describe(detail),
    shown: (call, id) => {
      permit(call.by, operation);
      const ids = Object.fromEntries(nouns.map(([name]) => [name, id]));
      const got = { ...call, values: form.read({}), input: {}, ids: ids as Ids<Path, number>, headers: {} };
      return withMinor(schema, run(got));
    },
    tried: (needs, { staff, input, params }) => {
      const written = isTransaction ? run : first;
      if (!written) throw new Error(`${path} has no transaction that could be undone`);
      const undone = { headers: {}, source: null, renewed: () => {}, isTried: true };
      void written({ ...needs, ...undone, ...begun(staff, input, params), now: needs.clock() });
    },
    answer: async (
      { db, clock, routers, nasTools, arrivals, guesses, renewed },
      { staff, input, source, params, headers, preferences, within: guard },
    ) => {
      permit(staff, operation); // before anything is said of what was sent
      const line = acceptedFormat(preferences.accept, { csv: csv !== undefined });
      if (described.needsKey && preferences.key === null)
        throw new HttpRefusal(
          400,
          "send an Idempotency-Key: a text of your choice, a new one for each call",
          {
            code: "idempotency_key_required",
          },
        );
      const about = begun(staff, input, params);
      const { by, ids } = about;
      const now = clock();
      const renewedNow: Subscriber[] = [];
      const call = {
        db,
        clock,
        routers,
        nasTools,
        arrivals,
        guesses,
        renewed: (subscriber: Subscriber) => void renewedNow.push(subscriber),
        ...about,
        now,
        headers,
        source,
        isTried: false,
      };
      if (csv && line) return csv(call, line);
      const money = method === "GET" ? undefined : new MoneyWait(db);
      let isReplayed = false;
      const end = async (answer: A) => {
        // a key that repeats a call moves nothing, and its first answer may never have arrived
        renewedNow.forEach(renewed); // after the commit, whatever has a key or not
        const answered = withWords(answer, await (isReplayed ? onlyHere(db) : money?.words()));
        return withMinor(schema, after ? await after(call, answered) : answered);
      };
      const changed = (tx: Tx) => {
        const own = { ...call, db: tx };
        return guard ? guard(own, () => run(own)) : run(own);
      };
      if (!takesKey || preferences.key === null)
        return end(await untilUnlocked(db, () => (guard ? inOne(db, changed) : run(call))));
      const fault = keyFault(preferences.key); // a fault of the request itself, whatever its family calls faults of fields
      if (fault) throw new HttpRefusal(400, fault.toString(), { code: "idempotency_key_malformed" });
      const keyed = {
        path,
        key: preferences.key,
        input: await withContents(input),
        about: { ...(nouns.length > 0 && { ids }), ...(!reach && { scope: by.scope }) },
      };
      const replayed = () => {
        isReplayed = true;
        headers["idempotent-replayed"] = "true";
        heededAgain(headers);
      };
      const check = (tx: Tx) => reach?.({ ...call, db: tx });
      if (awaits) return end(await onceAwaited(db, by, keyed, { now, replayed, check }, () => run(call)));
      const answer = await untilUnlocked(db, () =>
        once(db, by, keyed, { now, replayed }, (tx) => {
          check(tx);
          return () => changed(tx); // not before an answer that is given again: by then it is another record
        }),
      );
      return end(answer);
    },
  };
}

/** `once` of an operation that answers only a new id: who may call it may see the answer again. */
export const anybodyMayRepeat = (): void => {};

/** The work of one transaction. */
function inOne<T>(db: Db, work: (tx: Tx) => T | Promise<T>): T {
  const { done } = write(db, (tx) => ({ done: work(tx) }));
  if (done instanceof Promise) throw new Error("what is done on a condition has to be one transaction");
  return done;
}

/** What was sent, files by what is in them. */
async function withContents(input: Input): Promise<Input> {
  const pairs = Object.entries(input).map(async ([name, value]): Promise<[string, unknown]> => [
    name,
    value instanceof Blob ? Bun.SHA256.hash(await value.bytes(), "hex") : value,
  ]);
  return Object.fromEntries(await Promise.all(pairs));
}

/** The answer of what moves money, with what is to be said of it. */
function withWords<A>(answer: A, words: string | undefined): A {
  const hasSuccess = typeof answer === "object" && answer !== null && "success" in answer;
  if (words === undefined || !hasSuccess || typeof answer.success !== "string") return answer;
  return { ...answer, success: `${answer.success.replace(/\.$/, "")}, ${words}.` };
}

/** The caller narrowed to the ISP and branch of the request; to no row where they are out of its scope. */
function within(staff: Actor, values: Place, names: readonly (keyof Place)[]): Actor {
  if (names.length === 0) return staff;
  const named = (name: keyof Place) => (names.includes(name) ? values[name] : undefined);
  return { ...staff, scope: narrow(staff.scope, named("isp_id"), named("branch_id")) };
}

/** HTTP Basic: credentials, then body, then permission, then the rest. */
export function addManaged(app: AnyElysia, needs: Management, operations: readonly Managed[]): void {
  const signedCalls = new AttemptLimit(SIGNED_A_MINUTE, { what: phrase`payments` });
  for (const { method, path, slow, signed, hook, answer } of operations)
    app.route(
      method,
      path,
      async ({ request, server, params, set }) => {
        const { staff, input, source } =
          (signed && (await signedArrival(needs, { request, server }, signedCalls))) ||
          (await arrived(needs, request, server));
        if (slow) server?.timeout(request, 0);
        const arrival = {
          staff,
          input,
          source,
          params,
          headers: set.headers,
          preferences: readPreferences(request),
        };
        return answer(needs, arrival).finally(() => slow && server?.timeout(request, IDLE_SECONDS));
      },
      hook,
    );
}

function readPreferences({ headers }: Request): Preferences {
  return {
    accept: headers.get("accept"),
    key: headers.get("idempotency-key"),
    ifMatch: headers.get("if-match"),
    ifNoneMatch: headers.get("if-none-match"),
  };
}

/** The caller and the body, which is read only after its credentials. */
async function arrived(
  { credentials, trusted, keyCalls, clock }: Management,
  request: Request,
  server: Server | null,
): Promise<Pick<Arrived, "staff" | "input" | "source">> {
  refuseOtherSites(request, server, trusted);
  const address = clientAddress(request, server, trusted);
  const actor = () =>
    credentials.actor(request.headers.get("authorization"), address, (key) =>
      keyCalls.begin(request, { ...key, address, at: clock() }),
    );
  const before = await actor();
  const { input, isLate } = await readInputInTime(request);
  const staff = isLate ? await actor() : before;
  // Bun ends the connection, so nobody would get the answer
  if (request.signal.aborted) throw new HttpRefusal(400, "the client went away before its request began");
  return { staff, input, source: null };
}

async function signedArrival(
  { db, clock, trusted }: Management,
  { request, server }: { request: Request; server: Server | null },
  limit: AttemptLimit,
): Promise<SignedCaller | undefined> {
  return signedCaller({ db, clock }, { request, address: clientAddress(request, server, trusted) }, limit);
}
