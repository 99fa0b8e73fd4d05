import { expect } from "bun:test";
import { SESSION_CHANGED } from "../../../../../db/record-changes.ts";
import { decisions, decisionsNow } from "../../../../../src/domain/service/access/decisions.ts";
import { listSubscriberLogins, loginLog } from "../../../../../src/domain/service/access/log.ts";
import { endSessionsAt } from "../../../../../src/domain/service/control/end-at-router.ts";
import { reportGrowth } from "../../../../../src/domain/around/reports/growth.ts";
import { reportLogins } from "../../../../../src/domain/around/reports/logins.ts";
import { reportOnline } from "../../../../../src/domain/around/reports/online.ts";
import { reportTopUsers } from "../../../../../src/domain/around/reports/top-users.ts";
import { reportTraffic } from "../../../../../src/domain/around/reports/traffic.ts";
import { listDevices } from "../../../../../src/domain/service/sessions/devices-of.ts";
import { onlineLine, onlineLines } from "../../../../../src/domain/service/sessions/online.ts";
import { onlineNow } from "../../../../../src/domain/service/sessions/online-routers.ts";
import {
  changedSessions,
  listSubscriberSessions,
  sessionLog,
} from "../../../../../src/domain/service/sessions/log.ts";
import { NOW } from "../../../../support/store.ts";
import { sumDays } from "../../../../../src/domain/money/sums/days.ts";
import { lastHour } from "../../../../../src/domain/money/sums/traffic-now.ts";
import { keepCarried, rollUpHours, sampleMinute } from "../../../../../src/domain/money/sums/minutes.ts";
import { asking, type Call, forOperator, known, nobody, one, today, world } from "./call.ts";

const page = { limit: 10, before: Number.MAX_SAFE_INTEGER };
const carried = [{ nasId: 1, input: 1, output: 2 }];
/** Of routers, which serve an ISP as a whole. */
const ofRouters = { otherBranch: "forbidden", otherReseller: "forbidden" };

/** Sessions, logins and what is summed of them. */
export const ofLines = {
  sessionLog: {
    call: (db, by) => sessionLog(db, by, {}, page).map(({ session }) => session.username),
    operator: ["nowhere", "elsewhere", "stranger", "user9", "user1"],
    ispOne: ["stranger", "user1"],
    otherIsp: ["elsewhere", "user9"],
    otherBranch: [],
    otherReseller: [],
  },
  changedSessions: {
    call: (db, by) => {
      expect(changedSessions(db, by, { limit: 10 }).records).toEqual([]);
      db.$client.run(`UPDATE sessions SET stopped_at = started_at, ${SESSION_CHANGED}`);
      return changedSessions(db, by, { limit: 10 }).records.map(({ session }) => session.username);
    },
    operator: ["user1", "user9", "stranger", "elsewhere", "nowhere"],
    ispOne: ["user1", "stranger"],
    otherIsp: ["user9", "elsewhere"],
    otherBranch: [],
    otherReseller: [],
  },
  listSubscriberSessions: {
    call: (db, by) =>
      listSubscriberSessions(db, by, { subscriber: known(db).subscriber }, page).map(
        ({ session }) => session.acctSessionId,
      ),
    operator: ["S1"],
    ...nobody,
  },
  loginLog: {
    call: (db, by) => loginLog(db, by, {}, page).map(({ username }) => username),
    operator: ["user1", "user1"],
    otherIsp: [],
    otherBranch: [],
    otherReseller: [],
  },
  listSubscriberLogins: {
    call: (db, by) =>
      listSubscriberLogins(db, by, { subscriber: known(db).subscriber }, page).map(({ words }) => words),
    operator: ["rejected: locked to another MAC address; change the address or unlock it", "accepted"],
    ...nobody,
  },
  endSessionsAt: {
    call: async (db, by) => {
      const { ended, outside } = await endSessionsAt(db, by, { nasId: 1, confirm: "core" }, asking);
      return [ended, outside];
    },
    operator: [2, 0],
    otherIsp: "not_found",
    otherBranch: [0, 2],
    otherReseller: [0, 2],
  },
  onlineLines: {
    call: (db, by) => {
      const { rows, total } = onlineLines(db, by, {}, { limit: 10, offset: 0, order: "uptime" }, world);
      return [rows.map(({ username }) => username), total];
    },
    operator: [["user1", "user9", "stranger", "elsewhere", "nowhere"], 5],
    ispOne: [["user1", "stranger"], 2],
    otherIsp: [["user9", "elsewhere"], 2],
    otherBranch: [[], 0],
    otherReseller: [[], 0],
  },
  onlineLine: {
    call: (db, by) => onlineLine(db, by, { id: 1 }, world).username,
    operator: "user1",
    ...nobody,
  },
  onlineNow: {
    call: (db, by) => onlineNow(db, by, world).map(({ name, sessions }) => [name, sessions]),
    operator: [
      ["core", 2],
      ["south", 2],
      [null, 1],
    ],
    ispOne: [["core", 2]],
    otherIsp: [["south", 2]],
    otherBranch: [],
    otherReseller: [],
  },
  listDevices: {
    call: (db, by) => listDevices(db, by, one, world).map(({ sessions }) => sessions),
    operator: [],
    ...nobody,
  },
  decisions: {
    call: (db, by) => decisions(db, by, {}, page).rows.map(({ username }) => username),
    operator: ["user1", "user1"],
    otherIsp: [],
    otherBranch: [],
    otherReseller: [],
  },
  decisionsNow: {
    call: (db, by) => {
      const { accepted, rejected } = decisionsNow(db, by, { now: NOW });
      return [accepted, rejected];
    },
    operator: [0, [{ reason: "mac_locked", logins: 1 }]],
    otherIsp: [0, []],
    otherBranch: [0, []],
    otherReseller: [0, []],
  },
  lastHour: {
    call: (db, by) =>
      lastHour(db, by, {}, { now: NOW + 3600 }).reduce((sum, { rejected }) => sum + rejected, 0),
    operator: 0,
  },
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
      [11_000, 2],
      [7000, 1],
    ],
    ispOne: [[11_000, 2]],
    otherIsp: [[7000, 1]],
    otherBranch: [[6000, 1]],
    otherReseller: [],
  },

  sampleMinute: forOperator((db, by) => sampleMinute(db, by, { carried }, world)),
  keepCarried: forOperator((db, by) => keepCarried(db, by, { carried }, world)),
  rollUpHours: forOperator((db, by) => rollUpHours(db, by, world)),
  sumDays: forOperator((db, by) => sumDays(db, by, world)),
} satisfies Record<string, Call>;
