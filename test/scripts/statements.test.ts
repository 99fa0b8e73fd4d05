import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFaults } from "../../scripts/statements.d/faults.ts";
import type { Noted } from "../../scripts/statements.d/noted.ts";
import { Plans } from "../../scripts/statements.d/plans.ts";
import { listSites, type Site } from "../../scripts/statements.d/sites.ts";

const DECLARED = `declare const $client: { query<Row, Values>(text: string): Values & Row };
const COLUMNS = "id, name";
const from = { nas: "nas WHERE id = ?" } as const;
declare const condition: string;
declare const isNewest: boolean;
interface Named { readonly id: number; readonly name: string }
`;
const LINE = DECLARED.split("\n").length;

type Columns = Record<string, string | null>;
type Case = [called: string, run: [text: string, columns?: Columns][], faults: string[]];

const ID: Columns = { id: "INTEGER" };
const NAMED: Columns = { ...ID, name: "TEXT" };
const ONE = "SELECT id, name FROM nas WHERE id = ?";
const ORDERED = '<unknown, []>(`SELECT ${condition} ORDER BY id ${isNewest ? "DESC" : "ASC"}`)';
const THROUGH = "SELECT id FROM subscribers WHERE address = ?";

/** How a call is written after its name, what tests ran of it, and what is to be said of that. */
const cases: Case[] = [
  [`<Named, []>("${ONE}")`, [[ONE, NAMED]], []],
  ["<Named, []>(`SELECT ${COLUMNS} FROM ${from.nas}`)", [[ONE, NAMED]], []],
  ['<Named, []>("SELECT " + COLUMNS + ` FROM ${condition}`)', [[ONE, NAMED]], []],
  ["<Named, []>(condition)", [["SELECT", ID]], ["there is no column name, in Named"]],
  [
    '<Pick<Named, "id">, []>(condition)',
    [["SELECT", NAMED]],
    ['nobody asked for the column name, in Pick<Named, "id">'],
  ],
  [
    "<Named & { at?: 1 }, []>(condition)",
    [["SELECT", NAMED]],
    ["no text has the column at, in Named & { at?: 1 | undefined; }"],
  ],
  ["<{ id: number } | Named, []>(condition)", [["SELECT", NAMED]], []],
  ["<{ [name: string]: number }, []>(condition)", [["SELECT", ID]], []],
  [
    "<{ is: boolean }, []>(condition)",
    [["SELECT", { is: null }]],
    ["is is of a type that no column gives, in { is: boolean; }"],
  ],
  [
    "<{ id: string | null }, []>(condition)",
    [["SELECT", ID]],
    ["the column id is INTEGER, and its property is null or string, in { id: string | null; }"],
  ],
  ['<unknown, []>("SELECT 1")', [], ["no test runs it"]],
  ['<unknown, []>(isNewest ? "SELECT 1" : "SELECT 2")', [["SELECT 1"]], ['no test runs it with "SELECT 2"']],
  [ORDERED, [["SELECT 1 ORDER BY id ASC"]], ['no test runs it with "DESC"']],
  [ORDERED, [["SELECT 1 ORDER BY id ASC"], ["SELECT 2 ORDER BY id DESC"]], []],
  [`<unknown, []>("${THROUGH}")`, [[THROUGH]], [`goes through the whole of subscribers: ${THROUGH}`]],
  ['<unknown, []>("SELECT 1")', [["SELECT 1"], ["SELECT 2"]], ["a statement of a call that was not found"]],
];

let sites: readonly Site[];
let plans: Plans;

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-"));
  const calls = cases.map(([called]) => `$client.query${called};\n`);
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src/some.ts"), DECLARED + calls.join(""));
  writeFileSync(join(folder, "tsconfig.json"), '{ "compilerOptions": { "strict": true, "lib": ["ES5"] } }');
  sites = listSites(folder);
  rmSync(folder, { recursive: true });
  plans = new Plans();
});
afterAll(() => plans[Symbol.dispose]());

test.each(cases)("query%s", (called, run, faults) => {
  const nth = cases.findIndex(([one, other]) => one === called && other === run);
  const site = sites[nth];
  if (!site) throw new Error("the call was not found");
  const place = `src/some.ts:${LINE + nth}`;
  const noted = run.map(([text, columns = {}]): Noted => {
    return { text, places: [place], columns: Object.keys(columns), declared: Object.values(columns) };
  });
  const output = findFaults([site], noted, { isWhole: true, plans });
  expect(output.filter((fault) => !fault.startsWith("scans.ts"))).toEqual(
    faults.map((fault) => `${place}: ${fault}`),
  );
});

test("what is said to go through a table and does not is told, and nothing of what no test ran where not every test did", () => {
  const [site] = sites.slice(10);
  if (!site) throw new Error("the call was not found");
  const whole = findFaults([site], [], { isWhole: true, plans });
  expect(whole).toContain(
    "scans.ts: nothing goes through src/domain/core/references/uses.ts invoices any more",
  );
  expect(findFaults([site], [], { isWhole: false, plans })).toEqual([]);
});

test.each<[string, string[]]>([
  ["SELECT count(*) FROM cards", ["cards"]],
  ["SELECT 1 FROM cards LIMIT 1", []],
  ["SELECT * FROM cards ORDER BY id DESC LIMIT ?", []],
  ["SELECT * FROM cards WHERE locked_mac = ? LIMIT 1", ["cards"]],
  ["SELECT max(id) FROM cards", []],
  ["SELECT * FROM cards WHERE id < ? ORDER BY id", []],
  ["SELECT x.id FROM cards x JOIN card_batches b ON b.id = x.batch_id WHERE x.state = 'void'", ["cards"]],
  ["SELECT s.id FROM (SELECT subscriber_id AS id FROM services s WHERE s.package_id = ?) s", []],
  ["SELECT id FROM outages WHERE ended_at IS NULL", []],
  ["DELETE FROM packages WHERE id = ?", ["invoices"]],
  ["INSERT INTO packages (name) VALUES (?)", []],
  ["SELECT * FROM temp.import_cards", []],
])("%s goes through %p", (text, tables) => {
  expect(plans.scannedBy(text)).toEqual(tables);
});
