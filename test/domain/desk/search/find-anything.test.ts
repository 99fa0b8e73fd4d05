import { describe, expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { takePayment } from "../../../../src/domain/desk/payments/take.ts";
import { findAnything, type Person } from "../../../../src/domain/desk/search/find-anything.ts";
import type { Actor } from "../../../../src/domain/core/actor/actor.ts";
import { loadActor } from "../../../../src/domain/people/staff/sign-in.ts";
import type { Range } from "../../../../src/domain/goods/subscribers/search-words.ts";
import { by } from "../../../support/isp.ts";
import { officePeople as copyOfOfficePeople } from "../../../support/office-people.ts";
import { NOW, undoneStores } from "../../../support/store.ts";

const officePeople = undoneStores(copyOfOfficePeople);

const at = { now: NOW };

/** A text with what is marked of it in brackets. */
const marked = (text: string, range: Range | null) =>
  range === null ? text : `${text.slice(0, range[0])}[${text.slice(...range)}]${text.slice(range[1])}`;

const summary = ({ id, name, inName, why }: Person) => [
  id,
  inName === null ? null : marked(name, inName),
  why && `${why.field} ${marked(why.value, why.range)}`,
];

describe("why somebody was found", () => {
  const cases: [q: string, expected: [id: number, inName: string | null, why: string | null][]][] = [
    [
      "0142",
      [
        [10, null, "phone_number [0142] 77"],
        [2, null, "mobile_number +1 555 [0142]"],
        [7, null, "mac_address 48:57:DD:[01:42]:9C"],
      ],
    ],
    [
      "555 01",
      [
        [1, null, "mobile_number +1 [555 01]00"],
        [2, null, "mobile_number +1 [555 01]42"],
      ],
    ],
    ["amara", [[1, "[Amara] Okafor", "username [amara].okafor"]]],
    ["hadd", [[3, "Leila [Hadd]ad", null]]],
    ["dd-01-42", [[7, null, "mac_address 48:57:[DD:01:42]:9C"]]],
    ["box-7", [[5, null, "box_number [BOX-7]"]]],
    ["100.64.0.141", [[1, null, "ip [100.64.0.141]"]]],
    ["100.64.0.150", [[10, null, "had [100.64.0.150]"]]],
    ["100.64.0.151", []],
    ["gone", [[9, "[Gone] Away", null]]],
    ["  ", []],
    ["nobody at all", []],
  ];
  test.each(cases)("%s", async (q, expected) => {
    using store = await officePeople();
    expect(findAnything(store.db, by, { q }, at).people.map(summary)).toEqual(expected);
  });

  test("an address that begins so, who had it last first", async () => {
    using store = await officePeople();
    const found = findAnything(store.db, by, { q: "100.64.0." }, at).people;
    expect(found.slice(0, 4).map(summary)).toEqual([
      [3, null, "ip [100.64.0.]143"],
      [1, null, "ip [100.64.0.]141"],
      [6, null, "ip [100.64.0.]146"],
      [2, null, "had [100.64.0.]142"],
    ]);
  });

  test("marks stand where the letters are, whatever is before them", async () => {
    using store = await officePeople();
    store.db.$client.run("UPDATE subscribers SET name = '𝒳 ﬁne Tomás' WHERE id = 1");
    const find = (q: string) => findAnything(store.db, by, { q }, at).people.map(summary)[0]?.[1];
    expect(find("tomas")).toBe("𝒳 ﬁne [Tomás]");
  });
});

test("each is told with time left, balance and line", async () => {
  using store = await officePeople();
  const [found] = findAnything(store.db, by, { q: "haddad" }, at).people;
  expect(found).toMatchObject({
    name: "Leila Haddad",
    status: "expired",
    package: "Home 1",
    expiresAt: NOW - 3 * 86_400,
    balance: -600,
    line: { kind: "garden" },
    isArchived: false,
  });
});

describe("elsewhere", () => {
  const admin = (db: Db): Actor => {
    const found = loadActor(db, 1, "192.0.2.1");
    if (!found) throw new Error("there is no ada");
    return found;
  };
  async function withMoney() {
    const store = await officePeople();
    const input = { subscriberId: 2, amount: 2200, method: "cash", activates: true, packageId: 2 };
    takePayment(store.db, admin(store.db), input, at);
    return store;
  }
  const labels = (db: Db, actor: Actor, q: string) =>
    findAnything(db, actor, { q }, at).elsewhere.map((one) => `${one.kind} ${marked(one.label, one.range)}`);

  test.each([
    ["1", ["payment R-2030-00000[1]", "invoice I-2030-00000[1]"]],
    ["000001", ["payment R-2030-[000001]", "invoice I-2030-[000001]"]],
    ["r-2030-000001", ["payment [R-2030-000001]"]],
    ["2030-1", ["payment R-2030-000001", "invoice I-2030-000001"]],
    ["2029-1", []],
    ["tower", ["router [Tower]-1"]],
    ["family", ["package [Family] 30"]],
    ["box", ["box [BOX]-7"]],
  ])("%s", async (q, expected) => {
    using store = await withMoney();
    const found = labels(store.db, admin(store.db), q).filter(
      (label) => !/^(package Home|router Hill)/.test(label),
    );
    expect(found).toEqual(expected);
  });

  test("only what the role and the scope may see", async () => {
    using store = await withMoney();
    const { db } = store;
    const desk = { ...admin(db), admin: false };
    const q = "R-2030-000001";
    expect(labels(db, { ...desk, flags: new Set(["subscriber_view"]) }, q)).toEqual([]);
    const flags = new Set(["subscriber_view", "payment_view", "invoice_view", "nas_view", "package_view"]);
    expect(labels(db, { ...desk, flags }, q)).toHaveLength(1);
    const branch = { ispId: 1, branchId: 11, salespersonId: null };
    expect(labels(db, { ...desk, flags, scope: branch }, q)).toEqual([]);
    expect(labels(db, { ...desk, flags, scope: { ...branch, ispId: 2, branchId: null } }, "tower")).toEqual(
      [],
    );
  });

  test("without the flag of wallets no balance is told", async () => {
    using store = await withMoney();
    const desk = { ...admin(store.db), admin: false, flags: new Set(["subscriber_view"]) };
    expect(findAnything(store.db, desk, { q: "haddad" }, at).people[0]?.balance).toBeNull();
  });
});
