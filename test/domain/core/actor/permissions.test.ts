import { afterAll, describe, expect, test } from "bun:test";
import { Glob } from "bun";
import type { Db } from "../../../../db/open.ts";
import { demoRoles } from "../../../../scripts/demo-roles.ts";
import { flagNames } from "../../../../src/domain/machine/imports/data-set/roles.ts";
import { DomainError } from "../../../../src/domain/core/errors/errors.ts";
import type { Actor, Scope } from "../../../../src/domain/core/actor/actor.ts";
import { everything } from "../../../../src/domain/core/actor/operator.ts";
import {
  type Operation,
  OPERATOR,
  OWN,
  permissions,
  SELF,
} from "../../../../src/domain/core/actor/permissions.ts";
import { by as operator } from "../../../support/isp.ts";
import { type TemporaryStore, undone } from "../../../support/store.ts";
import { calls } from "./operations/all.ts";
import { type Call, officeStore, own } from "./operations/call.ts";

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

/** What a call answers: the code of its refusal, or what it reached. */
async function answerOf(db: Db, by: Actor, { call }: Call): Promise<unknown> {
  try {
    return await call(db, by);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.kind;
  }
}

type Case = readonly [who: string, by: Actor, expected: unknown];

/** Asks a call of each, of whom every one finds the store as it was; who is refused changes nothing. */
async function expectAnswers(call: Call, all: readonly Case[]): Promise<void> {
  const { db } = await office();
  const changes = () => db.$client.query<{ n: number }, []>("SELECT total_changes() AS n").get()?.n;
  for (const [who, by, expected] of all) {
    const before = changes();
    const came = await undone(db, () => answerOf(db, by, call));
    expect({ who, came }).toEqual({ who, came: expected });
    const isRefused = expected === "forbidden" || expected === "not_found";
    expect({ who, changed: isRefused && changes() !== before }).toEqual({ who, changed: false });
  }
}

let shared: Promise<TemporaryStore> | undefined;
const office = () => (shared ??= officeStore());
afterAll(async () => (await shared)?.[Symbol.dispose]());

/** With a flag and those that a call needs beside it, or as an Admin; in each scope. */
function everywhere(call: Call, flag: string): Case[] {
  const expectedOf = (who: (typeof scopes)[number][0]) => call[who] ?? call.ispOne ?? call.operator;
  const flags = [flag, ...(call.also ?? [])];
  return scopes.flatMap(([who, scope]): Case[] => [
    [`${who} with its flags`, staff(scope, flags), expectedOf(who)],
    [`${who} as an Admin`, staff(scope, [], true), expectedOf(who)],
  ]);
}

const another = subscriber(2);
const subscribers: Case[] = [
  ["a subscriber", another, "forbidden"],
  ["a subscriber with everything", { ...another, admin: true, flags: everyFlag }, "forbidden"],
];

test.each(ofStaff)(
  "$name needs its flag and no other, and reaches what the scope does",
  async ({ name, call }) => {
    const flag = permissions[name];
    if (typeof flag !== "string") throw new Error(`${name} has no flag`);
    await expectAnswers(call, [
      ["who has every other flag", staff(ispOne, everyFlag.difference(new Set([flag]))), "forbidden"],
      ["who has its flag", staff(ispOne, [flag, ...(call.also ?? [])]), call.ispOne ?? call.operator],
      ["the operator", operator, call.operator],
      ...everywhere(call, flag),
      ...subscribers,
    ]);
  },
);

test.each(ofOperator)("$name is the operator's alone", async ({ call }) => {
  const others = [ispOne, { ...everything, branchId: 11 }, { ...everything, salespersonId: 2 }];
  await expectAnswers(call, [
    ...others.map((scope): Case => ["an Admin of less", staff(scope, everyFlag, true), "forbidden"]),
    ["who has every flag", staff(everything, everyFlag), "forbidden"],
    ["the operator", operator, call.operator],
    ...subscribers,
  ]);
});

describe("an operation on an account", () => {
  const ofOneself = ofOwn.filter(({ call }) => call.operator === "forbidden");
  const ofManaged = ofOwn.filter(({ call }) => call.operator !== "forbidden");

  test.each(ofOneself)("$name is of the own account alone, whatever its role has", async ({ call }) => {
    await expectAnswers(call, [
      ["the account", staff(ispOne, []), call.ispOne],
      ["the operator", operator, "forbidden"],
      ...subscribers,
    ]);
  });

  test.each(ofManaged)(
    "$name is the account's own, staff_manage's for those who are managed, and the command line's",
    async ({ call }) => {
      const pat = { ...staff({ ...ispOne, branchId: 11 }, []), staffId: 10 };
      const without = everyFlag.difference(new Set(["staff_manage"]));
      await expectAnswers(call, [
        ["the account, whatever its role has", pat, call.operator],
        ["who has every other flag", staff(ispOne, without), "forbidden"],
        ["who has staff_manage", staff(ispOne, ["staff_manage"]), call.operator],
        ...everywhere(call, "staff_manage"),
        ["the command line", operator, call.operator],
        ...subscribers,
      ]);
    },
  );
});

test.each(ofSelf)("$name is for the subscriber itself alone", async ({ call }) => {
  await expectAnswers(call, [
    ["a subscriber", another, "forbidden"],
    ["one of another ISP", subscriber(9), "forbidden"],
    ["an Admin", staff(ispOne, everyFlag, true), "forbidden"],
    ["the operator", operator, "forbidden"],
    ["itself", own, call.operator],
  ]);
});

test("each flag of the roles that come with the demo is one", async () => {
  const known = new Set(flagNames((await office()).db));
  expect(Object.values(demoRoles).flatMap((flags) => flags.filter((flag) => !known.has(flag)))).toEqual([]);
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
      "isApplianceAdmin",
      "requireApplianceAdmin",
      "auditPage", // what the auditLog shows, in pages
    ], // what the others check with
    ...[
      "requireOwnIsp",
      "ispForNewRow",
      "ispNamed",
      "inOwnIsp",
      "usualSalesperson",
      "whoMay",
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
    ...["once", "onceAwaited", "requireRouters"],
    ...["bringable", "requireUndoable", "requireMayShare"], // parts of the operations on moves
    ...["once", "planSale", "planRedeem"], // parts of what has checked
    "readSetting", // a value as it was typed, before it is tried or stored
    "actingColumns", // the actor as it is written down
    ...["requirePayer", "requirePaymentInput", "requireReversing", "readTill"], // parts of those that move money, asked before a key counts
    ...[
      "requireCardId",
      "requireMaking",
      "requireSelling",
      "requireSellingStrip",
      "requireVoiding",
      "requireVoidingBatch",
    ], // parts of those on cards, asked before a key counts
    ...["requireOwnBranch", "requireFewWrong", "tellWrong"], // what they check with
    ...["endAllCardSessions", "endCardSessions", "tellTimeLeft"], // parts of operations, which have checked
    "planTopUp", // what a top-up and its quote have in common
    "receiveNotice", // reads what receivePayment is told
    "onlyIsp", // the actor's own, where it is one
    "seesMoney", // says what somebody is shown
    "seeingArchived", // the actor, for a call that asked for more of its own
    "runDataSetImport", // a part of operations, which have checked
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
    const input = all
      .filter(({ text }) => /: Actor\b/.test(parameters(text)) && !/^\(\s*tx: Tx\b/.test(text))
      .map(({ name }) => name);
    const expected = exceptions.union(new Set(Object.keys(permissions)));
    const found = new Set(input);
    expect([...found.symmetricDifference(expected)]).toEqual([]);
  });

  test("every operation of the table has a call in these tests", () => {
    expect(Object.keys(calls).sort()).toEqual(Object.keys(permissions).sort());
  });
});
