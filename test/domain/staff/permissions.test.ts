import { describe, expect, test } from "bun:test";
import { Glob } from "bun";
import type { Db } from "../../../db/open.ts";
import { DomainError } from "../../../src/domain/errors.ts";
import { type Actor, everything, type Scope } from "../../../src/domain/staff/actor.ts";
import { type Operation, OPERATOR, OWN, permissions, SELF } from "../../../src/domain/staff/permissions.ts";
import { by as operator } from "../../support/isp.ts";
import { calls } from "./operations/all.ts";
import { officeStore, own } from "./operations/call.ts";

const everyFlag = new Set(Object.values(permissions).filter((needed) => typeof needed === "string"));
const operations = Object.entries(calls).map(([name, call]) => ({ name: name as Operation, call }));
const ofStaff = operations.filter(({ name }) => typeof permissions[name] === "string");
const ofOperator = operations.filter(({ name }) => permissions[name] === OPERATOR);
const ofOwn = operations.filter(({ name }) => permissions[name] === OWN);
const ofSelf = operations.filter(({ name }) => permissions[name] === SELF);

const ispOne: Scope = { ispId: 1, branchId: null, salespersonId: null };

const scopes: [who: "otherIsp" | "otherBranch" | "otherReseller", scope: Scope][] = [
  ["otherIsp", { ispId: 2, branchId: null, salespersonId: null }],
  ["otherBranch", { ispId: 1, branchId: 12, salespersonId: null }],
  ["otherReseller", { ispId: 1, branchId: null, salespersonId: 3 }],
];

function staff(scope: Scope, flags: Iterable<string>, admin = false): Actor {
  const staffId = scope.salespersonId ?? 1;
  return {
    staffId,
    subscriberId: null,
    name: "ada",
    source: "192.0.2.1",
    scope,
    admin,
    flags: new Set(flags),
  };
}

function subscriber(subscriberId: number): Actor {
  return { ...staff(ispOne, []), staffId: null, subscriberId };
}

type Call = (db: Db, by: Actor) => unknown;

/** What a call answers: the code of its refusal, or what it reached. */
async function answerOf(db: Db, by: Actor, call: Call): Promise<unknown> {
  try {
    return await call(db, by);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.code;
  }
}

/** The same, for calls that may change nothing. */
async function refusalOf(db: Db, by: Actor, call: Call): Promise<unknown> {
  const changes = () => db.$client.query<{ n: number }, []>("SELECT total_changes() AS n").get()?.n;
  const before = changes();
  const answer = await answerOf(db, by, call);
  expect(changes()).toBe(before);
  return answer;
}

describe("an operation of staff", () => {
  test.each(ofStaff)(
    "$name is refused without its flag, whatever else a role has",
    async ({ name, call }) => {
      using store = await officeStore();
      const flags = everyFlag.difference(new Set([permissions[name]]));
      expect(await refusalOf(store.db, staff(ispOne, flags), call.call)).toBe("forbidden");
    },
  );

  test.each(ofStaff)("$name needs no other flag", async ({ name, call }) => {
    using store = await officeStore();
    const flag = permissions[name];
    if (typeof flag !== "string") throw new Error(`${name} has no flag`);
    expect(await answerOf(store.db, staff(ispOne, [flag, ...(call.also ?? [])]), call.call)).toEqual(
      call.ispOne ?? call.operator,
    );
  });

  test.each(ofStaff)("$name reaches everything for the operator", async ({ call }) => {
    using store = await officeStore();
    expect(await answerOf(store.db, operator, call.call)).toEqual(call.operator);
  });
  for (const [who, scope] of scopes)
    test.each(ofStaff)(`$name within the scope of ${who}`, async ({ call }) => {
      using store = await officeStore();
      const expected = call[who] ?? call.ispOne ?? call.operator;
      const isRefused = expected === "forbidden" || expected === "not_found";
      const answer = isRefused ? refusalOf : answerOf;
      expect(await answer(store.db, staff(scope, [], true), call.call)).toEqual(expected);
    });
});

test.each(ofOperator)("$name is the operator's alone", async ({ call }) => {
  using store = await officeStore();
  for (const scope of [ispOne, { ...everything, branchId: 11 }, { ...everything, salespersonId: 2 }])
    expect(await refusalOf(store.db, staff(scope, everyFlag, true), call.call)).toBe("forbidden");
  expect(await refusalOf(store.db, staff(everything, everyFlag), call.call)).toBe("forbidden");
  expect(await answerOf(store.db, operator, call.call)).toEqual(call.operator);
});

describe("an operation on an account", () => {
  const ofOneself = ofOwn.filter(({ call }) => call.operator === "forbidden");
  const ofManaged = ofOwn.filter(({ call }) => call.operator !== "forbidden");

  test.each(ofOneself)("$name is of the own account alone, whatever its role has", async ({ call }) => {
    using store = await officeStore();
    expect(await answerOf(store.db, staff(ispOne, []), call.call)).toEqual(call.ispOne);
    expect(await refusalOf(store.db, operator, call.call)).toBe("forbidden");
  });

  test.each(ofManaged)("$name is the account's own, whatever its role has", async ({ call }) => {
    using store = await officeStore();
    const pat = { ...staff({ ...ispOne, branchId: 11 }, []), staffId: 10 };
    expect(await answerOf(store.db, pat, call.call)).toEqual(call.operator);
  });

  test.each(ofManaged)("$name is staff_manage's for those who are managed", async ({ call }) => {
    using store = await officeStore();
    const without = everyFlag.difference(new Set(["staff_manage"]));
    expect(await refusalOf(store.db, staff(ispOne, without), call.call)).toBe("forbidden");
    for (const [who, scope] of scopes)
      expect(await refusalOf(store.db, staff(scope, [], true), call.call)).toEqual(call[who]);
    expect(await answerOf(store.db, staff(ispOne, ["staff_manage"]), call.call)).toEqual(call.operator);
  });

  test.each(ofManaged)("$name is the command line's too", async ({ call }) => {
    using store = await officeStore();
    expect(await answerOf(store.db, operator, call.call)).toEqual(call.operator);
  });
});

test.each(ofStaff.concat(ofOperator, ofOwn))("a subscriber may not: $name", async ({ call }) => {
  using store = await officeStore();
  const another = subscriber(2);
  expect(await refusalOf(store.db, another, call.call)).toBe("forbidden");
  expect(await refusalOf(store.db, { ...another, admin: true, flags: everyFlag }, call.call)).toBe(
    "forbidden",
  );
});

test.each(ofSelf)("$name is for the subscriber itself alone", async ({ call }) => {
  using store = await officeStore();
  for (const by of [subscriber(2), subscriber(9), staff(ispOne, everyFlag, true), operator])
    expect(await refusalOf(store.db, by, call.call)).toBe("forbidden");
  expect(await answerOf(store.db, own, call.call)).toEqual(call.operator);
});

describe("in the sources", () => {
  /** Where an operation needs none of it, and why. */
  const exceptions = new Set([
    ...[
      "permit",
      "permitSelf",
      "permitBulk",
      "may",
      "requireFlag",
      "isAdminOfAll",
      "requireAdminOfAll",
      "auditPage", // what the auditTrail shows, in pages
    ], // what the others check with
    ...[
      "requireOwnIsp",
      "ispForNewRow",
      "requireWholeIsp",
      "requireWithinScope",
      "requireStaffWithin",
      "requireNoMore",
      "requireMayLend",
      "requireIsp",
      "requireOperator",
      "isOperator",
      "requireTheirs",
      ...["requireMaking", "requireVoiding", "requireVoidingBatch"], // of cards
      "planRedeem",
    ],
    "once", // does what another one has checked
    ...["managedStaff", "requireAnotherAdmin", "requireOwnOrManaged", "ownAccount", "isSetupOpen"], // parts of the operations on accounts
    ...["once", "requireRouters"],
    ...["once", "planSale", "planRedeem"], // parts of what has checked
    "readSetting", // a value as it was typed, before it is tried or stored
    "actingColumns", // the actor as it is written down
    ...["requirePayer", "requireTaking", "requireReversing", "tillOf"], // parts of those that move money, asked before a key counts
    ...[
      "requireCardId",
      "requireMaking",
      "requireSelling",
      "requireSellingStrip",
      "requireVoiding",
      "requireVoidingBatch",
    ], // parts of those on cards, asked before a key counts
    ...["requireOwnBranch", "requireFewWrong", "tellWrong"], // what they check with
    ...["endSessionsOfCard", "endCardSessions", "tellTimeLeft"], // parts of operations, which have checked
    "planTopUp", // what a top-up and its quote have in common
    "receiveTold", // reads what receivePayment is told
    "onlyIsp", // the actor's own, where it is one
    "seesMoney", // says what somebody is shown
    "seeingArchived", // the actor, for a call that asked for more of its own
    "bringDataSet", // a part of operations, which have checked
    ...["endOpenSessions", "changeMacColumns"], // parts of operations, which have checked
    ...["disconnectSessions", "bookAnswers", "readableRecord"], // parts of operations, which have checked
  ]);
  const signature = /^export (?:async )?function (\w+)([^]*?)\{$/gm;

  async function signatures() {
    const found: { name: string; text: string }[] = [];
    for await (const file of new Glob("src/domain/**/*.ts").scan(".")) {
      const source = await Bun.file(file).text();
      for (const [, name = "", text = ""] of source.matchAll(signature)) found.push({ name, text });
    }
    return found;
  }

  test("every operation that takes an actor is in the table, but for a few that are named", async () => {
    const all = await signatures();
    const parameters = (text: string) => text.slice(0, text.lastIndexOf(")"));
    const taking = all
      .filter(({ text }) => /: Actor\b/.test(parameters(text)) && !/^\(\s*tx: Tx\b/.test(text))
      .map(({ name }) => name);
    const expected = exceptions.union(new Set(Object.keys(permissions)));
    const found = new Set(taking);
    expect([...found.symmetricDifference(expected)]).toEqual([]);
  });

  test("every operation of the table has a call in these tests", () => {
    expect(Object.keys(calls).sort()).toEqual(Object.keys(permissions).sort());
  });
});
