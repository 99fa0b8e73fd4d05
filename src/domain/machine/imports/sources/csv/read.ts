import type { Moved, MovedPackage, MovedRouter, MovedSubscriber } from "../../model.ts";
import type { Notices } from "../../notices.ts";
import { Room } from "../room.ts";
import { MovingRefused, type ReadOptions, type ReadSource, type SourceFile } from "../../source.ts";
import { type UnknownWord, formatQuestion } from "./questions.ts";
import { Holders } from "./holders.ts";
import { lookAtTable, type TableLook } from "./look.ts";
import { type ColumnMap, readMap } from "./map.ts";
import { packageName, readPackage, readRateLimit, readRouter } from "./package.ts";
import { Reading, requireUsernames, RowFault } from "./reading.ts";
import { isLetIn, readPerson, readSubscriber } from "./subscriber.ts";
import { tableRows } from "./table.ts";

/** Readings of a file: encoding, columns, rows. */
const PASSES = 3;
/** More than an ISP here has, and still fits into memory. */
const MOST_ROWS = 1_000_000;

/** Text tables: subscribers, with packages, routers and customers beside them. */
export const readCsv: ReadSource = async (files, options) => {
  const map = readMap(options.map);
  let bytes = 0;
  const onBytes = (more: number) => options.progress?.(Math.floor((bytes += more) / PASSES));
  const looks = await lookAtTables(files, map, onBytes);
  if (!looks.some(({ look }) => look.kind === "subscribers"))
    throw new MovingRefused(
      "none of the files is a table of subscribers: no column is known to be the username",
    );
  for (const { look } of looks) requireUsernames(look);
  const tables = new Tables(map);
  const order = ["packages", "routers", "people", "subscribers"] as const;
  for (const kind of order)
    for (const { file, look } of looks.filter((each) => each.look.kind === kind))
      await tables.read(file, look, { ...options, onBytes });
  return tables.moved(options.notices);
};

interface LookedFile {
  readonly file: SourceFile;
  readonly look: TableLook;
}

/** Throws MovingRefused. */
export async function lookAtTables(
  files: readonly SourceFile[],
  map: ColumnMap,
  onBytes: (bytes: number) => void = () => {},
): Promise<LookedFile[]> {
  const looked: LookedFile[] = [];
  for (const file of files) looked.push({ file, look: await lookAtTable(file, map, onBytes) });
  return looked.map(({ file, look }) => ({
    file,
    look: isPeople(look, looked) ? { ...look, kind: "people" } : look,
  }));
}

/** Customers whose lines another table has. */
function isPeople(look: TableLook, all: readonly LookedFile[]): boolean {
  const has = (one: TableLook, ...targets: string[]) =>
    targets.some((target) => one.columns.some((column) => column.target === target));
  return (
    look.kind === "subscribers" &&
    has(look, "customer") &&
    !has(look, "package", "expires_at", "static_ip") &&
    all.some(
      ({ look: other }) =>
        other !== look &&
        other.kind === "subscribers" &&
        has(other, "customer") &&
        has(other, "username", "package"),
    )
  );
}

class Tables {
  readonly #map: ColumnMap;
  readonly #packages = new Map<string, MovedPackage>();
  readonly #routers = new Map<string, MovedRouter>();
  /** Customers by number, and those with a line. */
  readonly #people = new Map<
    string,
    ReturnType<typeof readPerson> & Pick<MovedSubscriber, "at" | "enabled">
  >();
  readonly #withLine = new Set<string>();
  readonly #room = new Room();
  readonly #subscribers: MovedSubscriber[] = [];
  readonly #holders = new Holders();
  readonly #asked: UnknownWord[] = [];

  constructor(map: ColumnMap) {
    this.#map = map;
  }

  async read(
    file: SourceFile,
    look: TableLook,
    options: ReadOptions & { onBytes: (bytes: number) => void },
  ): Promise<void> {
    const row = new Reading(look, this.#map, options);
    row.tellTable();
    const { encoding, delimiter, columns } = look;
    let isHeader = true;
    for await (const each of tableRows(file, {
      encoding: encoding.name,
      delimiter,
      onBytes: options.onBytes,
    })) {
      const { cells } = each;
      const isAgain = !isHeader && cells.every((cell, index) => cell.trim() === columns[index]?.header);
      if (isHeader || isAgain || cells.every((cell) => cell.trim() === "")) {
        isHeader = false;
        continue;
      }
      this.#room.take(cells.reduce((length, cell) => length + cell.length, 0));
      row.take(each);
      this.#row(row, cells.slice(columns.length));
    }
    row.tellOddities();
    this.#asked.push(...row.asked);
  }

  #row(row: Reading, beyond: readonly string[]): void {
    try {
      if (beyond.some((cell) => cell.trim() !== ""))
        throw new RowFault(
          `there are ${row.look.columns.length + beyond.length} cells for ${row.look.columns.length} columns: is "${row.look.delimiter}" in a value without quotation marks around it?`,
        );
      this.#take(row);
    } catch (error) {
      if (!(error instanceof RowFault)) throw error;
      const who = row.raw("username").trim() || row.raw("name").trim() || `line ${row.line}`;
      row.notices.add("refused", row.at, who, error.message);
    }
  }

  #take(row: Reading): void {
    const { kind } = row.look;
    if (kind === "packages") return this.#add(this.#packages, readPackage(row));
    if (kind === "routers") return this.#add(this.#routers, readRouter(row));
    if (kind === "people")
      return void this.#people.set(row.raw("customer").trim(), {
        ...readPerson(row),
        at: row.at,
        enabled: isLetIn(row, row.now), // when a line ends stands with the line
      });
    if (this.#subscribers.length >= MOST_ROWS)
      throw new MovingRefused(`more than ${MOST_ROWS.toLocaleString("en-US")} subscribers in one move`);
    const subscriber = this.#joined(row, readSubscriber(row));
    this.#subscribers.push(this.#named(row, subscriber));
  }

  #add<T extends { key: string }>(to: Map<string, T>, one: T): void {
    if (to.has(one.key)) throw new RowFault(`"${one.key}" stands there already; the first one is taken`);
    to.set(one.key, one);
  }

  /** Adds the customer's data; the line's own wins. */
  #joined(row: Reading, line: MovedSubscriber): MovedSubscriber {
    const number = row.raw("customer").trim();
    const person = this.#people.get(number);
    if (!person) return line;
    const isFirst = !this.#withLine.has(number);
    this.#withLine.add(number);
    if (!isFirst && person.balance !== null)
      row.odd("A customer with several lines has one balance; it comes with the first of them");
    const own = Object.fromEntries(
      Object.entries(line).filter(([, value]) => value !== null && value !== undefined),
    );
    return {
      ...line,
      ...person,
      ...(!isFirst && { balance: null }),
      ...own,
      at: line.at,
      enabled: line.enabled === true && person.enabled === true,
    };
  }

  /** Resolves package and router by the other tables or the map, or creates them. */
  #named(row: Reading, subscriber: MovedSubscriber): MovedSubscriber {
    const { package: named, router } = subscriber;
    const rate = readRateLimit(row, (text) =>
      row.odd(`The speed "${text}" is none that can be read; its package comes without`),
    );
    const key =
      named !== null ? this.#findPackage(row, named) : rate !== null ? this.#ofSpeed(row, rate) : null;
    if (key !== null) this.#holders.add(key, row, rate);
    const routerKey = router ? (findKey(this.#routers, router) ?? this.#newRouter(row, router)) : null;
    return { ...subscriber, package: key, router: routerKey };
  }

  /** The package of a speed alone. */
  #ofSpeed(row: Reading, rate: string): string {
    if (!this.#packages.has(rate))
      row.notices.add("package_made", row.at, rate, "no package is named; those of this speed share one");
    return this.#findPackage(row, rate);
  }

  #findPackage(row: Reading, named: string): string {
    const { at } = row;
    const known = findKey(this.#packages, named);
    if (known !== undefined) return known;
    const key = named;
    refuseTooMany(row, this.#packages.size, "package");
    this.#packages.set(key, { at, key, name: this.#map.packages.get(key) ?? packageName(key), price: null });
    return key;
  }

  #newRouter(row: Reading, key: string): string {
    refuseTooMany(row, this.#routers.size, "router");
    const { at } = row;
    const known = this.#map.routers.get(key);
    const isAddress = /^\d{1,3}(\.\d{1,3}){3}$|^[0-9a-f]*:[0-9a-f:]+$/i.test(key);
    const address = known?.address ?? (isAddress ? key : null);
    const name = known?.name ?? (/^\d+$/.test(key) ? `Router ${key}` : key);
    this.#routers.set(key, { at, key, name, address, secret: known?.secret ?? null });
    return key;
  }

  moved(notices: Notices): Moved {
    for (const [number, { at, name }] of this.#people)
      if (!this.#withLine.has(number))
        notices.add("left_out", at, name ?? number, "A customer without a line in the table of services");
    return {
      packages: [...this.#packages.values()].map((one) => this.#holders.complete(one, notices)),
      routers: [...this.#routers.values()],
      subscribers: hashNotices(this.#subscribers),
      sessions: [],
      vouchers: [],
      afterwards: [],
      ...(this.#asked.length > 0 && { undecided: formatQuestion(this.#asked) }),
    };
  }
}

const MOST_NAMES = 5000;

function refuseTooMany(row: Reading, count: number, target: "package" | "router"): void {
  if (count >= MOST_NAMES)
    throw new MovingRefused(
      `${row.look.file}: column "${row.header(target)}" has more than ${MOST_NAMES.toLocaleString("en-US")} values; is it the ${target}?`,
    );
}

/** The key by key, else by folded name. */
function findKey(
  known: ReadonlyMap<string, { readonly key: string; readonly name: string }>,
  named: string,
): string | undefined {
  if (known.has(named)) return named;
  const folded = named.toLowerCase();
  for (const { key, name } of known.values()) if (name.toLowerCase() === folded) return key;
  return undefined;
}

/** Equally long hexadecimal passwords are hashes. */
function hashNotices(subscribers: MovedSubscriber[]): MovedSubscriber[] {
  const texts = subscribers.flatMap(({ password }) =>
    typeof password === "string" ? [password.trim()] : [],
  );
  const length = texts[0]?.length ?? 0;
  const areHashes =
    texts.length >= 5 &&
    [32, 40, 64].includes(length) &&
    texts.every((text) => text.length === length && /^[0-9a-f]+$/i.test(text));
  if (!areHashes) return subscribers;
  return subscribers.map((one) =>
    typeof one.password === "string" ? { ...one, password: { lost: "hashed" } } : one,
  );
}
