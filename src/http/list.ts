import { NO_FILTER } from "../domain/core/errors/codes.ts";
import { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";
import { rejectFaults, type Faults } from "../domain/core/errors/errors.ts";
import {
  type Field,
  type Fields,
  findUnknownNames,
  type Input,
  oneOf,
  wholeNumber,
} from "../domain/core/fields/fields.ts";
import {
  BYTE_ORDER_MARK,
  csvLine,
  type CsvLine,
  type CsvValue,
} from "../domain/machine/imports/data-set/csv.ts";
import { zoneHeader } from "./describe.ts";
import { managementForm, type ManagementForm, type Place } from "./form.ts";
import { type Call, type Declaration, managed } from "./operation.ts";
import { withMinor, withMinorColumns } from "../wire/money.ts";

/*
 * Two kinds of lists: `limit` and `offset` with sorts and a total for what an ISP has; `before`, newest first, for logs. Both
 * stream all matches as CSV. Concurrent changes may repeat or skip rows of the first kind; logs are exact.
 */

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
const CSV_ROWS = 500;

const limit = wholeNumber(1, MAX_LIMIT);
const offset = wholeNumber(0, Number.MAX_SAFE_INTEGER);
const before = wholeNumber(1, Number.MAX_SAFE_INTEGER);

/** Refuses unknown filters: a misspelt one must not return everything. */
export function strict<V>(form: ManagementForm<V>): ManagementForm<V> {
  const read = (input: Input): V => {
    const faults: Faults = {};
    findUnknownNames(form.fields, input, faults, { message: NO_FILTER });
    rejectFaults(faults);
    return form.read(input);
  };
  return { ...form, read };
}

type Described<V extends Place, R extends TObject, Path extends string> = Pick<
  Declaration<V, Path, R, never>,
  "path" | "operation" | "operationId" | "tags" | "summary" | "description" | "refusals"
> & {
  readonly ids?: { readonly [K in keyof Call<Place, Path>["ids"]]: string };
  readonly record: R;
  readonly example: NoInfer<Static<R>>;
};

export interface Paging<S> {
  readonly limit: number;
  readonly offset: number;
  readonly sort: S;
  readonly descending: boolean;
}

/** CSV of a short list without pages. */
export function shortFile<R extends TObject>(
  operationId: string,
  record: R,
  records: readonly Static<R>[],
  line: CsvLine,
): Response {
  return file(fileName(operationId), Object.keys(record.properties), [records].values(), { line, record });
}

/** A file name: listWalletEntries gives wallet-entries. */
const fileName = (operationId: string) =>
  operationId
    .replace(/^(list|get|search)(?=[A-Z])/, "")
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, "-")
    .toLowerCase();

export const pageHeaders = {
  ...zoneHeader,
  "X-Total-Count": { description: "How many match in all.", schema: Type.Integer() },
  Link: { description: 'The next page, rel="next"; absent on the last one.', schema: Type.String() },
};

/** A list by limit and offset; the first of `sorts` is the default, a leading - reverses it. */
export function listed<F extends Fields, R extends TObject, const S extends string, Path extends string>({
  filters,
  sorts,
  record,
  example,
  page,
  ...declared
}: Described<Place, R, Path> & {
  readonly filters: F;
  readonly sorts: readonly [S, ...S[]];
  readonly page: (
    call: Call<FilterValues<F>, Path>,
    paging: Paging<S>,
  ) => { readonly records: readonly Static<R>[]; readonly total: number };
}) {
  const sort = oneOf<string>(...sorts, ...sorts.map((name) => `-${name}`));
  const form = strict(managementForm({ ...filters, sort, limit, offset }, [], { limit: 100, offset: 0 }));
  const toPaging = (
    values: { sort?: string | null | undefined },
    limit: number,
    offset: number,
  ): Paging<S> => {
    const chosen = values.sort ?? sorts[0];
    const descending = chosen.startsWith("-");
    const name = sorts.find((one) => one === (descending ? chosen.slice(1) : chosen)) ?? sorts[0];
    return { limit, offset, sort: name, descending };
  };
  type FilterInput = FilterValues<F> & {
    sort?: string | null;
    limit?: number | null;
    offset?: number | null;
  };
  return managed({
    ...declared,
    method: "GET",
    form: form as unknown as ManagementForm<FilterInput & Place>, // what managementForm says of fields that are not known here
    success: {
      description: "A page of what matches.",
      headers: pageHeaders,
      schema: Type.Array(record),
      example: [example],
    },
    run: (call: Call<FilterInput & Place, Path>) => {
      const paging = toPaging(call.values, call.values.limit ?? DEFAULT_LIMIT, call.values.offset ?? 0);
      const { records, total } = page(call, paging);
      call.headers["x-total-count"] = String(total);
      const next = paging.offset + paging.limit;
      if (next < total) addNext(call, declared.path, { limit: paging.limit, offset: next });
      return [...records];
    },
    csv: (call: Call<FilterInput & Place, Path>, line: CsvLine) => {
      const pages = function* () {
        for (let from = 0; ; from += CSV_ROWS) {
          const { records } = page(call, toPaging(call.values, CSV_ROWS, from));
          yield records;
          if (records.length < CSV_ROWS) return;
        }
      };
      return file(fileName(declared.operationId), Object.keys(record.properties), pages(), { line, record });
    },
  } as never); // the schema is an array of a record that is not known here
}

/** A log, newest first, paged by `id`. */
export function logged<F extends Fields, R extends TObject, Path extends string>({
  filters,
  asked,
  record,
  example,
  page,
  ...declared
}: Described<Place, R, Path> & {
  readonly filters: F;
  /** Of the filters, what an example has to have. */
  readonly asked?: Readonly<Record<string, unknown>>;
  readonly page: (
    call: Call<FilterValues<F>, Path>,
    paging: { readonly limit: number; readonly before: number },
  ) => readonly (Static<R> & { readonly id: number })[];
}) {
  const form = strict(managementForm({ ...filters, before, limit }, [], { ...asked, limit: 100 }));
  type FilterInput = FilterValues<F> & { before?: number | null; limit?: number | null };
  const first = ({ before }: FilterInput) => before ?? Number.MAX_SAFE_INTEGER;
  return managed({
    ...declared,
    method: "GET",
    form: form as unknown as ManagementForm<FilterInput & Place>,
    success: {
      description: "The newest that match, or the newest before `before`.",
      headers: {
        ...zoneHeader,
        Link: { description: 'Those before them, rel="next"; absent at the end.', schema: Type.String() },
      },
      schema: Type.Array(record),
      example: [example],
    },
    run: (call: Call<FilterInput & Place, Path>) => {
      const limit = call.values.limit ?? DEFAULT_LIMIT;
      const found = page(call, { limit: limit + 1, before: first(call.values) }); // one more, which says whether to go on
      const records = found.slice(0, limit);
      const last = records.at(-1);
      if (last && found.length > limit) addNext(call, declared.path, { limit, before: last.id });
      return records;
    },
    csv: (call: Call<FilterInput & Place, Path>, line: CsvLine) => {
      const pages = function* () {
        let before = first(call.values);
        for (;;) {
          const records = page(call, { limit: CSV_ROWS, before });
          yield records;
          const last = records.at(-1);
          if (!last || records.length < CSV_ROWS) return;
          before = last.id;
        }
      };
      return file(fileName(declared.operationId), Object.keys(record.properties), pages(), { line, record });
    },
  } as never);
}

type FilterValues<F extends Fields> = Place & {
  readonly [K in keyof F]?: (F[K] extends Field<infer T> ? T : never) | null;
};

/** A link to the next page with the same filters. */
function addNext(
  { input, ids, headers }: Pick<Call<unknown, string>, "input" | "headers"> & { readonly ids: object },
  path: string,
  paging: Readonly<Record<string, number>>,
): void {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) if (value !== "") query.set(name, String(value));
  for (const [name, value] of Object.entries(paging)) query.set(name, String(value));
  const target = path.replaceAll(/:(\w+)/g, (_, name: string) => String(Reflect.get(ids, name)));
  headers["link"] = `<${target}?${query}>; rel="next"`;
}

/** CSV of all pages, of `record` with minor units where they are preferred, read at the client's speed and stopped when it disconnects. A refusal of the first page is answered as without a file. */
export function file(
  name: string,
  names: readonly string[],
  pages: Iterator<readonly object[], void>,
  { line = csvLine, record }: { line?: CsvLine; record?: TSchema } = {},
): Response {
  const encoder = new TextEncoder();
  const columns = record ? withMinorColumns(record, names) : names;
  const csvRows = (rows: readonly object[]) =>
    rows
      .map((row) => withMinor(record, row))
      .map((row) => line(columns.map((column) => toCell(Reflect.get(row, column)))))
      .join("");
  const first = pages.next();
  let text = BYTE_ORDER_MARK + line(columns) + csvRows(first.done ? [] : first.value);
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        if (text === "") {
          await new Promise(setImmediate);
          const { done, value } = pages.next();
          if (done) return controller.close();
          text = csvRows(value);
          if (text === "") return controller.close(); // an empty page is the last
        }
        controller.enqueue(encoder.encode(text));
        text = "";
      },
      cancel: () => void pages.return?.(),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}.csv"`,
    },
  });
}

/** id and name by name, other objects as JSON, lists joined by ;. */
function toCell(value: unknown): CsvValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (Array.isArray(value)) return value.map((one) => String(toCell(one) ?? "")).join("; ");
  const named: unknown = Reflect.get(value, "name");
  const isName = typeof named === "string" && Object.keys(value).every((key) => /^(id|name)$/.test(key));
  return isName ? named : JSON.stringify(value);
}
