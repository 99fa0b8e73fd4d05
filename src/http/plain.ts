import { type Static, type TObject, Type } from "@sinclair/typebox";
import type { Db } from "../../db/open.ts";
import type { Actor } from "../domain/core/actor/actor.ts";
import type { StaffOperation } from "../domain/core/actor/permissions.ts";
import { flag, type Input } from "../domain/core/fields/fields.ts";
import type { Seconds } from "../domain/core/time/time.ts";
import { type ManagementForm, noForm, managementForm, type Place } from "./form.ts";
import { shortFile } from "./list.ts";
import { managed, type NothingBeside } from "./operation.ts";

/*
 * Makers of the usual calls (list, get, create, update, enable, disable, delete) of a noun with few rows, each answering its
 * record. Special calls are `managed` beside them. Operations, commands and pages are written out, because each noun does more
 * than its fields say, and generic SQL would have no row type.
 */

interface Names {
  readonly prefix: `/api/v1/${string}`;
  readonly tags: [string];
  /** `Webhook` in `getWebhook`. */
  readonly name: string;
  readonly one: string;
  /** The answer's key of the record. */
  readonly key: string;
}

type Json = Static<TObject>;

interface Noun<Row> extends Names {
  readonly record: TObject;
  readonly example: Json;
  readonly toJson: (row: Row) => Json;
}

/** The compiler checks records against the schema. */
export function declareNoun<Row, R extends TObject, A extends Static<R>>(
  noun: Names & {
    readonly record: R;
    readonly example: NoInfer<Static<R>>;
    readonly toJson: (row: Row) => A;
  } & NothingBeside<A, Static<R>>,
): Noun<Row> {
  return noun as Names & Noun<Row>;
}

interface Words {
  readonly summary?: string;
  readonly description?: string;
  readonly answer?: string;
  readonly refusals?: Record<number, string>;
}

/** The domain's operation. */
interface Does<Row, Given extends readonly unknown[]> {
  readonly operation: StaffOperation;
  readonly run: (db: Db, by: Actor, ...values: Given) => Row;
}

type Id = { readonly id: number };
type At = { readonly now: Seconds };

export function listCall<Row>(
  { prefix, tags, name, one, record, example, toJson }: Noun<Row>,
  { answer, run, csv, ...own }: Words & Does<readonly Row[], []> & { answer: string; csv?: true },
) {
  const operationId = `list${name}s`;
  return managed({
    method: "GET",
    path: `${prefix}/list`,
    operationId,
    tags,
    summary: `List ${one}s`,
    ...own,
    form: noForm,
    success: { description: answer, schema: Type.Array(record), example: [example] },
    run: ({ db, by }) => run(db, by).map(toJson),
    ...(csv && { csv: ({ db, by }, line) => shortFile(operationId, record, run(db, by).map(toJson), line) }),
  });
}

export function getCall<Row>(
  noun: Noun<Row>,
  { answer = `The ${noun.one}.`, run, ...own }: Words & Does<Row, [Id]>,
) {
  const { prefix, tags, name, one, record, example, toJson } = noun;
  return managed({
    method: "GET",
    path: `${prefix}/get/:id`,
    operationId: `get${name}`,
    tags,
    summary: `Get a ${one}`,
    ...ofOne(one, own),
    form: explainedBy(noun, noForm),
    success: { description: answer, schema: record, example },
    run: ({ db, by, ids: { id } }) => toJson(run(db, by, { id })),
  });
}

export function createCall<Row>(
  noun: Noun<Row>,
  { answer = "Made.", form, run, ...own }: Words & Does<Row, [Input, At]> & { form: ManagementForm<Place> },
) {
  const { prefix, tags, name, one } = noun;
  const { success, done } = doneWith(noun, answer, `The ${one} is there.`);
  return managed({
    method: "POST",
    path: `${prefix}/create`,
    operationId: `create${name}`,
    tags,
    summary: `Make a ${one}`,
    ...own,
    form: { ...explainedBy(noun, form), narrowedBy: [] },
    clears: true,
    success,
    run: ({ db, by, input, now }) => done(run(db, by, input, { now })),
  });
}

export function updateCall<Row>(
  noun: Noun<Row>,
  {
    answer = "Changed.",
    form,
    run,
    ...own
  }: Words & Does<Row, [Id & { input: Input }, At]> & { form: ManagementForm<Place> },
) {
  const { prefix, tags, name, one } = noun;
  const { success, done } = doneWith(noun, answer, `The ${one} was changed.`);
  return managed({
    method: "POST",
    path: `${prefix}/update/:id`,
    operationId: `update${name}`,
    tags,
    summary: `Change a ${one}`,
    ...ofOne(one, own),
    form: { ...explainedBy(noun, form), narrowedBy: [] },
    clears: true,
    success,
    run: ({ db, by, ids: { id }, input, now }) => done(run(db, by, { id, input }, { now })),
  });
}

export function enableCall<Row>(
  noun: Noun<Row>,
  { answer = "As it was asked.", run, ...own }: Words & Does<Row, [Id & { enabled: boolean }, At]>,
) {
  const { prefix, tags, name, one } = noun;
  const { success, done } = doneWith(noun, answer, `The ${one} is on.`);
  return managed({
    method: "POST",
    path: `${prefix}/enable/:id`,
    operationId: `enable${name}`,
    tags,
    summary: `Switch a ${one} on or off`,
    ...ofOne(one, own),
    form: explainedBy(noun, managementForm({ enabled: flag }, ["enabled"], { enabled: 1 })),
    success,
    run: ({ db, by, ids: { id }, values, now }) => {
      const enabled = values.enabled === 1;
      const row = run(db, by, { id, enabled }, { now });
      return enabled ? done(row) : done(row, `The ${one} is off.`);
    },
  });
}

export function deleteCall<Row>(
  noun: Noun<Row>,
  { answer = "Gone.", run, ...own }: Words & Does<Row, [Id, At]>,
) {
  const { prefix, tags, name, one } = noun;
  const { success, done } = doneWith(noun, answer, `The ${one} is gone.`);
  return managed({
    method: "DELETE",
    path: `${prefix}/delete/:id`,
    operationId: `delete${name}`,
    tags,
    summary: `Delete a ${one}`,
    ...ofOne(one, own),
    form: explainedBy(noun, noForm),
    success,
    run: ({ db, by, ids: { id }, now }) => done(run(db, by, { id }, { now })),
  });
}

/** What its record says of a field, the form says too. */
function explainedBy<V extends Place>({ record }: Pick<Noun<never>, "record">, form: ManagementForm<V>) {
  const said = Object.entries(record.properties).flatMap(([name, { description }]) =>
    description === undefined ? [] : [[name, description]],
  );
  return { ...form, meanings: { ...Object.fromEntries(said), ...form.meanings } };
}

/** What a call of one row adds: its id and its not_found. */
function ofOne<Own extends Words>(one: string, own: Own) {
  return { ...own, ids: { id: one }, refusals: { 404: `There is no such ${one}.`, ...own.refusals } };
}

/** "Done", with the new record. */
export function doneWith<Row>(
  { key, one, record, example, toJson }: Noun<Row>,
  description: string,
  text: string,
) {
  return {
    success: {
      description,
      schema: Type.Object({
        success: Type.String(),
        [key]: { ...record, description: `The ${one} as it is then.` },
      }),
      example: { success: text, [key]: example },
    },
    done: (row: Row, success = text) => ({ success, [key]: toJson(row) }),
  };
}
