import { verbatim } from "../../../../../src/domain/core/errors/phrase.ts";
import { describe, expect, test } from "bun:test";
import { groupFaults, faultText } from "../../../../../src/domain/machine/imports/data-set/fault-groups.ts";

const asFaults = (faults: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(faults).map(([name, found]) => [name, found.map(verbatim)]));
const grouped = (data: unknown, faults: Record<string, string[]>) =>
  groupFaults(asFaults(faults), data).map(faultText);

describe("a fault is said with its row, counted from 1", () => {
  const data = {
    isps: [{ name: "Northlink", branches: [{ name: "Centre" }, {}] }, 7],
    subscribers: [{ username: "sam" }, { username: "tom", package_id: 9, password: "pw-tom" }, { 12: "x" }],
    "a/b": 1,
  };
  test.each([
    ["/subscribers/1/nic_number", "is required", "subscribers: row 2 (username tom): nic_number is required"],
    [
      "/subscribers/1/package_id",
      "is not a package of this ISP; there are 1, 2",
      "subscribers: row 2 (username tom): package_id 9 is not a package of this ISP; there are 1, 2",
    ],
    ["/subscribers/1/password", "is too short", "subscribers: row 2 (username tom): password is too short"],
    ["/subscribers/2/12", "is not a known field", "subscribers: row 3: 12 is not a known field"],
    [
      "/subscribers/2/id",
      "is also that of /subscribers/0",
      "subscribers: row 3: id is also that of subscribers row 1",
    ],
    [
      "/isps/0/branches/1/name",
      "is required",
      "isps: row 1 (name Northlink), branches 2: branches/name is required",
    ],
    ["/isps/1", "must be an object", "isps: row 2: must be an object"],
    ["/settings/currency", "must be three letters", "settings: currency must be three letters"],
    ["/nas", "must be an array", "nas must be an array"],
    ["/a~1b", "is not a known section", "a/b is not a known section"],
    ["", "the file must be a JSON object", "the file must be a JSON object"],
  ])("%s", (pointer, message, sentence) => {
    expect(grouped(data, { [pointer]: [message] })).toEqual([sentence]);
  });
});

test("the same faults stand together, whatever numbers they name", () => {
  const subscribers = Array.from({ length: 4 }, (_, index) => ({
    username: `u${index}`,
    nas_id: 50 + index,
  }));
  const faults = Object.fromEntries(
    subscribers.flatMap((_, index) => [
      [`/subscribers/${index}/nas_id`, ["is not a NAS of this ISP; there is none"]],
      [`/subscribers/${index}/username`, [`is taken by subscriber ${index + 7}`]],
    ]),
  );
  faults["/subscribers/3/email"] = ["must be an e-mail address"];
  expect(grouped({ subscribers }, faults)).toEqual([
    "subscribers: 4 rows: nas_id 50, 51, 52, 53 is not a NAS of this ISP; there is none, the first is row 1 (username u0)",
    "subscribers: 4 rows: username is taken by subscriber 7, and the like, the first is row 1 (username u0)",
    "subscribers: row 4 (username u3): email must be an e-mail address",
  ]);
});

test("several faults of one row are one row, and no secret is repeated", () => {
  const subscribers = [{ username: "sam", password: "does-not-exist-1", staff_notes: [{}, {}] }];
  const faults = {
    "/subscribers/0/staff_notes/0/note": ["is required"],
    "/subscribers/0/staff_notes/1/note": ["is required"],
    "/subscribers/0/password": ["is not a package of this ISP"],
  };
  expect(grouped({ subscribers }, faults)).toEqual([
    "subscribers: row 1 (username sam), staff_notes 1: staff_notes/note is required",
    "subscribers: row 1 (username sam): password is not a package of this ISP",
  ]);
});
