import { boxPage } from "../../../../../src/domain/service/boxes/box.ts";
import { listBoxes } from "../../../../../src/domain/service/boxes/list.ts";
import { failingRenewals } from "../../../../../src/domain/around/findings/failing-renewals.ts";
import { needsSomeone } from "../../../../../src/domain/machine/check/needs-someone.ts";
import { newDeviceAt, newDevices } from "../../../../../src/domain/around/findings/new-devices.ts";
import { dataPace } from "../../../../../src/domain/around/findings/pace.ts";
import { twoHouses } from "../../../../../src/domain/around/findings/two-houses.ts";
import { typingMistakes } from "../../../../../src/domain/around/findings/typing-mistakes.ts";
import {
  listOutages,
  listSubscriberOutages,
  openOutages,
  outageById,
} from "../../../../../src/domain/service/outages/find.ts";
import { watchBoxes } from "../../../../../src/domain/machine/access-boxes/watch.ts";
import { OutageWatch, watchOutages } from "../../../../../src/domain/service/outages/watch.ts";
import { NOW } from "../../../../support/store.ts";
import { type Call, forOperator, nobody, one, world } from "./call.ts";

const page = { limit: 10, before: Number.MAX_SAFE_INTEGER };
const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);
/** Of the outage of each ISP, whose line is of the branch 11 and the reseller 2. */
const eachOfTheirs = {
  operator: [2, 1],
  ispOne: [1],
  otherIsp: [2],
  otherBranch: [],
  otherReseller: [],
};

/** Outages, and what nobody else tells; what of it is whose is tried where it is found. */
export const ofFindings = {
  watchOutages: forOperator((db, by) =>
    watchOutages(by, { watch: new OutageWatch(db, { since: NOW }) }, world),
  ),
  watchBoxes: forOperator((db, by) => watchBoxes(db, by, world)),
  listOutages: { call: (db, by) => idsOf(listOutages(db, by, {}, page)), ...eachOfTheirs },
  openOutages: {
    call: (db, by) => idsOf(openOutages(db, by)),
    ...eachOfTheirs,
    operator: [1, 2],
  },
  outageById: {
    call: (db, by) => outageById(db, by, 1).members.map(({ username }) => username),
    operator: ["user1"],
    ...nobody,
  },
  listSubscriberOutages: {
    call: (db, by) => idsOf(listSubscriberOutages(db, by, one)),
    operator: [1],
    ...nobody,
  },
  listBoxes: {
    call: (db, by) => listBoxes(db, by, { limit: 5 }, world).boxes.map(({ lines }) => lines),
    operator: [2],
    ispOne: [1],
    otherIsp: [1],
    otherBranch: [],
    otherReseller: [],
  },
  boxPage: {
    call: (db, by) => boxPage(db, by, { boxNumber: "B-1" }, world).lines.map(({ username }) => username),
    operator: ["user1", "user9"],
    ispOne: ["user1"],
    otherIsp: ["user9"],
    otherBranch: "not_found",
    otherReseller: "not_found",
  },
  needsSomeone: {
    call: (db, by) => needsSomeone(db, by, { findings: [] }, world).map(({ kind }) => kind),
    operator: ["outage", "outage"],
    ispOne: ["outage"],
    otherBranch: [],
    otherReseller: [],
  },
  newDevices: { call: (db, by) => newDevices(db, by, world), operator: [] },
  newDeviceAt: {
    call: (db, by) => newDeviceAt(db, by, one, world).refused ?? null,
    operator: null,
    ...nobody,
  },
  twoHouses: { call: (db, by) => twoHouses(db, by, world), operator: [] },
  typingMistakes: { call: (db, by) => typingMistakes(db, by, world), operator: [] },
  failingRenewals: { call: (db, by) => failingRenewals(db, by, { limit: 1 }, world).renewals, operator: [] },
  dataPace: { call: (db, by) => dataPace(db, by, one, world) ?? null, operator: null, ...nobody },
} satisfies Record<string, Call>;
