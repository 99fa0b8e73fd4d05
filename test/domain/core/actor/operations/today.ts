import { applianceNow } from "../../../../../src/domain/machine/appliance/appliance.ts";
import {
  expirationsAhead,
  expiringToday,
  sumDaysAhead,
} from "../../../../../src/domain/around/today/expirations.ts";
import {
  onlineCurve,
  rejectedOften,
  routersNow,
  trafficCurve,
} from "../../../../../src/domain/around/today/lines.ts";
import { owedNow, ownWallet, takenByDay, takenToday } from "../../../../../src/domain/around/today/money.ts";
import { countsNow, standingNow } from "../../../../../src/domain/around/today/standing.ts";
import { NOW } from "../../../../support/store.ts";
import { type Call, nowhere, world } from "./call.ts";

const { now } = world;
const minute = { now: NOW + 60 };
/** Of routers, which serve an ISP as a whole. */
const ofRouters = { otherBranch: "forbidden", otherReseller: "forbidden" };

/** What the first page of the console says of `officeStore`. */
export const ofToday = {
  standingNow: {
    call: (db, by) => {
      const { online, subscribers, active, lapsed } = standingNow(db, by, minute);
      return [online, subscribers, active, lapsed];
    },
    operator: [11, 18_000, 2, 0],
    ispOne: [5, 11_000, 1, 0],
    otherIsp: [6, 7000, 1, 0],
    otherBranch: [0, 6000, 0, 0],
    otherReseller: [0, 0, 0, 0],
  },
  countsNow: {
    call: (db, by) => {
      const { subscribers, online } = countsNow(db, by, minute);
      return [subscribers, online];
    },
    operator: [18_000, 11],
    ispOne: [11_000, 5],
    otherIsp: [7000, 6],
    otherBranch: [6000, null],
    otherReseller: [0, null],
  },
  expirationsAhead: {
    call: (db, by) => sumDaysAhead(expirationsAhead(db, by, { days: 14 }, world)).expiring,
    operator: 2,
    ispOne: 1,
    otherIsp: 1,
    otherBranch: 0,
    otherReseller: 0,
  },
  expiringToday: {
    call: (db, by) =>
      expiringToday(db, by, { limit: 9 }, { now: now + 10 * 86_400 - 1200 }).map(({ name }) => name),
    operator: ["User 1", "User 9"],
    ispOne: ["User 1"],
    otherIsp: ["User 9"],
    otherBranch: [],
    otherReseller: [],
  },
  routersNow: {
    call: (db, by) => routersNow(db, by, minute).map(({ name, sessions }) => [name, sessions]),
    operator: [
      ["south", 6],
      ["core", 5],
    ],
    ispOne: [["core", 5]],
    otherIsp: [["south", 6]],
    ...ofRouters,
  },
  onlineCurve: {
    call: (db, by) =>
      onlineCurve(db, by, { span: "day" }, minute).routers.map(({ name, values }) => [name, values.at(-1)]),
    operator: [
      ["core", 5],
      ["south", 6],
    ],
    ispOne: [["core", 5]],
    otherIsp: [["south", 6]],
    ...ofRouters,
  },
  trafficCurve: {
    call: (db, by) => trafficCurve(db, by, { span: "day" }, { now: NOW + 900 }).length,
    operator: 1,
    ...ofRouters,
  },
  rejectedOften: {
    call: (db, by) =>
      rejectedOften(db, by, { moreThan: 0, since: NOW - 3600, limit: 5 }).rows.map(
        ({ username }) => username,
      ),
    operator: ["user1"],
    otherIsp: [],
    otherBranch: [],
    otherReseller: [],
  },
  takenToday: {
    call: (db, by) => takenToday(db, by, world).payments > 0,
    operator: "invalid",
    ispOne: true,
    otherIsp: true,
    otherBranch: false,
    otherReseller: false,
  },
  takenByDay: {
    call: (db, by) => (takenByDay(db, by, { days: 3 }, world).at(-1)?.taken ?? 0) > 0,
    operator: "invalid",
    ispOne: true,
    otherIsp: true,
    otherBranch: false,
    otherReseller: false,
  },
  owedNow: {
    call: (db, by) => owedNow(db, by).subscribers,
    operator: "invalid",
    ispOne: 0,
    otherIsp: 0,
    otherBranch: 0,
    otherReseller: 0,
  },
  ownWallet: {
    call: (db, by) => ownWallet(db, by, world)?.creditLimit ?? null,
    operator: null,
    otherReseller: 0,
  },
  applianceNow: {
    call: (db, by) => applianceNow(db, by).disk.used > 0,
    operator: true,
    ispOne: "forbidden",
    ...nowhere,
  },
} satisfies Record<string, Call>;
