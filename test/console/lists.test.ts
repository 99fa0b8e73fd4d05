import { managedOperations } from "../../src/http/routes/managed.ts";
import { expect, test } from "bun:test";
import { Glob } from "bun";
import type { StaffVisit } from "../../src/http/console/guard.ts";
import type { list, ListDeclaration } from "../../src/http/console/parts/list.tsx";
import { consoleViewFor } from "../../src/http/console/view.ts";
import { by } from "../support/isp.ts";
import { withTenants } from "../support/tenants.ts";

type List = ReturnType<typeof list<never>>;

const isList = (value: unknown): value is List => typeof value === "function" && "declared" in value;

/** The lists of every page, by the file and the name that each has in it. */
async function everyList(): Promise<[string, ListDeclaration<never>][]> {
  using app = await withTenants();
  const { db, clock } = app;
  const { now } = clock;
  const view = consoleViewFor(db, { request: new Request("http://localhost/console"), now, ispId: 1 });
  const requested = { path: "/console", query: new URLSearchParams(), params: { id: "1" }, formToken: "" };
  const visit = { db, by, view, now, ...requested } as unknown as StaffVisit; // what a declaration asks of it
  const found: [string, ListDeclaration<never>][] = [];
  const pages = "src/http/console/pages";
  for (const file of [...new Glob("**/*.tsx").scanSync(pages)].sort()) {
    const declared = [...(await Bun.file(`${pages}/${file}`).text()).matchAll(/(\w+) = list</g)];
    if (declared.length === 0) continue;
    const module: object = await import(`../../${pages}/${file}`);
    for (const [, name = ""] of declared) {
      const one: unknown = Reflect.get(module, name);
      if (!isList(one)) throw new Error(`${file} does not export ${name}`);
      found.push([`${file} ${name}`, one.declared(visit, [])]);
    }
  }
  return found;
}

const lists = await everyList();
/** The names of lists of which something is not so. */
const except = (isSo: (declaration: ListDeclaration<never>) => boolean) =>
  lists.flatMap(([name, declaration]) => (isSo(declaration) ? [] : [name]));

test("lists of every page are found", () => {
  expect(lists.length).toBeGreaterThan(6);
});

test("a list has a name, and each of its columns a title", () => {
  expect(except(({ name }) => name.length > 2)).toEqual([]);
  expect(except(({ columns }) => columns.every(({ title }) => String(title).trim() !== ""))).toEqual([]);
});

test("the operation of a list that is shown as a call has one that lists", () => {
  const named = lists.flatMap(([, { call }]) => (call === undefined ? [] : [call]));
  expect(named.length).toBeGreaterThan(15);
  const reading = new Set(
    managedOperations.flatMap(({ method, path, operation }) =>
      method === "GET" && /\/(?:list|requests\/:id)$/.test(path) ? [operation] : [],
    ),
  );
  expect(named.filter((operation) => !reading.has(operation))).toEqual([]);
});

test("a list says what belongs in it while it is empty", () => {
  const expected = ({ empty }: ListDeclaration<never>) =>
    typeof empty === "string" ? [empty] : [empty.title, String(empty.text)];
  expect(except((declaration) => expected(declaration).every((text) => text.length > 3))).toEqual([]);
});

test("on a phone a row begins with one cell, and ends its first line with one at most", () => {
  const count = ({ columns }: ListDeclaration<never>, narrow: string) =>
    columns.filter((column) => column.narrow === narrow).length;
  expect(except((declaration) => count(declaration, "lead") === 1)).toEqual([]);
  expect(except((declaration) => count(declaration, "sum") < 2 && count(declaration, "act") < 2)).toEqual([]);
});

test("the file of a list has what its columns show", () => {
  const missing = lists.flatMap(([name, { columns, file }]) =>
    file === undefined
      ? columns.flatMap(({ csv, title }) => (csv ? [`${name}: ${String(title)} is in no file`] : []))
      : columns.flatMap(({ csv = [], narrow, title }) =>
          narrow === "act" || (csv.length > 0 && csv.every((column) => file.includes(column)))
            ? []
            : [`${name}: ${String(title)}`],
        ),
  );
  expect(missing).toEqual([]);
});

test("a list sorts by names of their own", () => {
  const names = ({ columns }: ListDeclaration<never>) => columns.flatMap(({ sort }) => sort?.[0] ?? []);
  expect(lists.filter(([, declaration]) => names(declaration).length > 0).length).toBeGreaterThan(2);
  expect(except((declaration) => new Set(names(declaration)).size === names(declaration).length)).toEqual([]);
});

test("a filter of a list has a name of its own, and a label where it is shown", () => {
  const names = ({ filters = [] }: ListDeclaration<never>) => filters.map(({ name }) => name);
  expect(except((declaration) => new Set(names(declaration)).size === names(declaration).length)).toEqual([]);
  const labelled = ({ filters = [] }: ListDeclaration<never>) =>
    filters.every(({ kind, label }) => kind === "kept" || (label ?? "") !== "");
  expect(except(labelled)).toEqual([]);
});

/** Tables that are written by hand: why they are no lists. */
const byHand: Readonly<Record<string, string>> = {
  "subscribers/people.tsx":
    "each account chooses its columns; a foot has sums of all that match, page or not",
  "reports/table.tsx": "columns, totals and what is compared come from the report's own declaration",
  "subscriber/evidence.tsx": "three kinds of rows, of which some go over several columns",
  "subscriber/side.tsx": "entries in the width of a side, without heads",
  "subscriber/usage-card.tsx": "months in the width of a side, which fold",
  "audit-log/entry.tsx": "before and after of one entry, its rows are fields",
  "team/roles.tsx": "a matrix: a column each role, a row each flag, headed both ways",
  "packages/editor.tsx": "fields of a form, down and up beside each other",
  "packages/fair-fields.tsx": "fields of a form, a row each tier",
  "import/columns.tsx": "fields of a form, one each column of a file",
  "arrived/bank/columns.tsx": "fields of a form, one each column of a file",
  "parts/parts.tsx": "shows the part itself",
};

test("a page writes no table by hand, but for those that say why", async () => {
  const found: string[] = [];
  for (const file of new Glob("**/*.tsx").scanSync("src/http/console/pages"))
    if (/<(Table|table)\b/.test(await Bun.file(`src/http/console/pages/${file}`).text())) found.push(file);
  expect(found.sort()).toEqual(Object.keys(byHand).sort());
});
