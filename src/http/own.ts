import type { Static, TSchema } from "@sinclair/typebox";
import type { AnyElysia } from "elysia";
import type { Db, Tx } from "../../db/open.ts";
import { untilUnlocked } from "../../db/turns.ts";
import type { Actor } from "../domain/core/actor/actor.ts";
import { everything } from "../domain/core/actor/operator.ts";
import { type Fields, id, type Input, type Values } from "../domain/core/fields/fields.ts";
import { keyFault, once, onceAwaited } from "../domain/core/once/once.ts";
import type { Clock, Seconds } from "../domain/core/time/time.ts";
import { type Subscriber, subscriberById } from "../domain/goods/subscribers/find.ts";
import { requireValid, subscriberActor, verifySubscriberToken } from "../domain/goods/subscribers/tokens.ts";
import { MoneyWait } from "../domain/machine/access-boxes/money-waits.ts";
import type { AttemptLimit } from "./attempt-limit.ts";
import { tokenIn } from "./bearer.ts";
import { readInput } from "./body.ts";
import { clientAddress, type TrustedProxies } from "./client-address.ts";
import { closeToOthers } from "./cors.ts";
import { takesNoMatch, unlessKnown, withTag } from "./conditional.ts";
import { type Answer, describe, type Description } from "./describe.ts";
import { HttpRefusal } from "./errors.ts";
import { type Form, pathId, read } from "./form.ts";
import type { NothingBeside } from "./operation.ts";
import { heededAgain } from "./preferences.ts";
import { withMinor } from "../wire/money.ts";

export interface OwnNeeds {
  readonly db: Db;
  readonly clock: Clock;
  readonly trusted: TrustedProxies;
  readonly subscriberLogins: AttemptLimit;
  /** Called with a subscriber whose service was renewed: its open session is still as it was. */
  readonly renewed: (subscriber: Subscriber) => void;
}

/** What a call of a subscriber about itself is called with. */
export interface OwnCall<V> {
  readonly db: Db;
  readonly by: Actor;
  readonly subscriber: Subscriber;
  readonly values: V;
  /** Of the row that the path names; 0: it names none. */
  readonly id: number;
  readonly now: Seconds;
  readonly request: Request;
  readonly source: string;
  readonly tokenId: string;
  readonly subscriberLogins: AttemptLimit;
  readonly headers: Record<string, string | number>;
  /** To be called where the service is another one by it; it is told after the commit. */
  readonly renewed: () => void;
}

interface Declaration<F extends Fields, R extends keyof F & string, S extends TSchema, A> extends Omit<
  Description,
  "access" | "form" | "path" | "success" | "csv" | "once" | "tags"
> {
  readonly method: "GET" | "POST";
  readonly path: `/api/v1/me${string}`;
  /** The noun of the id in the path. */
  readonly noun?: string;
  readonly form?: Form<F, R>;
  readonly success: Omit<Answer, "schema"> & { readonly schema: S };
  /** Its `run` waits for more than the store, as in operation.ts. */
  readonly awaits?: true;
  readonly run: (call: OwnCall<Values<F> & { [K in R]: NonNullable<Values<F>[K]> }>) => A | Promise<A>;
}

export interface Own {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly hook: ReturnType<typeof describe>;
  readonly answer: (needs: OwnNeeds, request: Arrived) => Promise<unknown>;
}

interface Arrived {
  readonly request: Request;
  readonly source: string;
  readonly params: Readonly<Record<string, string | null>>;
  readonly headers: OwnCall<unknown>["headers"];
}

const tags: [string] = ["Subscriber app"];
const nothing = { fields: {}, required: [], example: {} };

/** Declares a call by which subscribers ask of themselves; of what it answers the compiler refuses anything that the schema does not have. */
export function own<
  F extends Fields,
  R extends keyof F & string,
  S extends TSchema,
  A extends Static<S> | Response,
>(declared: Declaration<F, R, S, A> & NothingBeside<Exclude<A, Response>, Static<S>>): Own {
  const declaration: Declaration<F, R, S, A> = declared;
  const { method, path, noun, form, run, awaits = false, ...described } = declaration;
  const reading = (form ?? nothing) as Form<F, R>;
  const changes = method === "POST";
  const isRecord = path === "/api/v1/me";
  return {
    method,
    path,
    hook: describe({
      ...(isRecord ? withTag(described) : described),
      tags,
      access: "subscriber",
      ...(form && { form }),
      ...(changes && { once: true }),
      ...(noun !== undefined && { path: { id } }),
    }),
    answer: async ({ db, clock, subscriberLogins, renewed }, { request, source, params, headers }) => {
      const presented = await verifySubscriberToken(
        db,
        tokenIn(request.headers.get("authorization")),
        clock(),
      );
      const input: Input = await readInput(request);
      const now = clock();
      requireValid(db, presented, now); // as it is by now: reading may have taken its time
      const subscriber = subscriberById(db, everything, presented.subscriberId);
      closeToOthers(db, subscriber.id, headers);
      const by = subscriberActor(subscriber, source);
      let isRenewed = false;
      const call = {
        db,
        by,
        subscriber,
        values: read(reading, input),
        id: noun === undefined ? 0 : pathId(noun, params["id"] ?? null),
        now,
        request,
        source,
        tokenId: presented.tokenId,
        subscriberLogins,
        headers,
        renewed: () => void (isRenewed = true),
      };
      if (changes && request.headers.has("if-match")) throw takesNoMatch();
      const { schema } = declaration.success;
      if (!changes) {
        const answer = withMinor(schema, await run(call));
        return isRecord ? unlessKnown(answer, request.headers.get("if-none-match"), headers) : answer;
      }
      const money = new MoneyWait(db);
      const key = request.headers.get("idempotency-key");
      const answer = await (key === null ? untilUnlocked(db, () => run(call)) : keyed(key));
      if (isRenewed) renewed(subscriber);
      await money.words(); // a subscriber is not told: what is booked here is good
      return withMinor(schema, answer);

      async function keyed(text: string): Promise<A> {
        const fault = keyFault(text);
        if (fault) throw new HttpRefusal(400, fault.toString(), { code: "idempotency_key_malformed" });
        const sent = { path, key: text, input };
        const replayed = () => {
          headers["idempotent-replayed"] = "true";
          heededAgain(headers);
        };
        if (awaits) return onceAwaited(db, by, sent, { now, replayed, check: () => {} }, () => run(call));
        return untilUnlocked(db, () =>
          once(db, by, sent, { now, replayed }, (tx: Tx) => () => run({ ...call, db: tx }) as A),
        );
      }
    },
  };
}

/** Serves what subscribers ask of themselves with their token. */
export function addOwn(app: AnyElysia, needs: OwnNeeds, operations: readonly Own[]): void {
  for (const { method, path, hook, answer } of operations)
    app.route(
      method,
      path,
      async ({ request, server, params, set }) =>
        answer(needs, {
          request,
          source: clientAddress(request, server, needs.trusted),
          params,
          headers: set.headers,
        }),
      hook,
    );
}
