import { reportGrowth } from "../../../../src/domain/reports/growth.ts";
import { reportLogins } from "../../../../src/domain/reports/logins.ts";
import { reportOnline } from "../../../../src/domain/reports/online.ts";
import { reportTopUsers } from "../../../../src/domain/reports/top-users.ts";
import { reportTraffic } from "../../../../src/domain/reports/traffic.ts";
import { NOW } from "../../../support/store.ts";
import { sumDays } from "../../../../src/domain/sums/days.ts";
import { keepCarried, rollUpHours, sampleMinute } from "../../../../src/domain/sums/minutes.ts";
import { type Call, forOperator, today, world } from "./call.ts";

const carried = [{ nasId: 1, input: 1, output: 2 }];
/** Of routers, which serve an ISP as a whole. */
const ofRouters = { otherBranch: "forbidden", otherReseller: "forbidden" };

/** Sessions, logins and what is summed of them. */
export const ofLines = {
  reportOnline: {
    call: (db, by) =>
      reportOnline(db, by, { ...today, resolution: "minute", group: "nas" }).rows.map(({ nas, sessions }) => [
        nas,
        sessions,
      ]),
    operator: [
      ["core", 5],
      ["south", 6],
    ],
    ispOne: [["core", 5]],
    otherIsp: [["south", 6]],
    ...ofRouters,
  },
  reportLogins: {
    call: (db, by) =>
      reportLogins(db, by, { ...today, group: "nas" }).rows.map(({ nas, logins }) => [nas, logins]),
    operator: [
      ["south", 6],
      ["core", 5],
    ],
    ispOne: [["core", 5]],
    otherIsp: [["south", 6]],
    ...ofRouters,
  },
  reportTraffic: {
    call: (db, by) =>
      reportTraffic(db, by, { ...today, per: "day" }).rows.map(({ outputOctets }) => outputOctets),
    operator: [50, 60],
    ispOne: [50],
    otherIsp: [60],
    otherBranch: [],
    otherReseller: [],
  },
  reportTopUsers: {
    call: (db, by) =>
      reportTopUsers(db, by, { at: NOW, per: "day", limit: 5 }).rows.map(({ username }) => username),
    operator: ["user9", "user1"],
    ispOne: ["user1"],
    otherIsp: ["user9"],
    otherBranch: [],
    otherReseller: [],
  },
  reportGrowth: {
    call: (db, by) => reportGrowth(db, by, today).rows.map(({ total, joined }) => [total, joined]),
    operator: [
      [11, 2],
      [7, 1],
    ],
    ispOne: [[11, 2]],
    otherIsp: [[7, 1]],
    otherBranch: [[6, 1]],
    otherReseller: [],
  },

  sampleMinute: forOperator((db, by) => sampleMinute(db, by, { carried }, world)),
  keepCarried: forOperator((db, by) => keepCarried(db, by, { carried }, world)),
  rollUpHours: forOperator((db, by) => rollUpHours(db, by, world)),
  sumDays: forOperator((db, by) => sumDays(db, by, world)),
} satisfies Record<string, Call>;
