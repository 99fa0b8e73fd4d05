import {
  addAccessBox,
  listAccessBoxes,
  removeAccessBox,
} from "../../../../../src/domain/machine/access-boxes/boxes.ts";
import { accessBox, boxesOverview } from "../../../../../src/domain/machine/access-boxes/overview.ts";
import { deedsOnlyIn } from "../../../../../src/domain/machine/access-boxes/deeds.ts";
import { accessState } from "../../../../../src/domain/machine/access-boxes/state.ts";
import { promotePrimary } from "../../../../../src/domain/machine/access-boxes/promote.ts";
import {
  declineRecovery,
  readRecovery,
  recoverPrimary,
} from "../../../../../src/domain/machine/access-boxes/recover.ts";
import type { Operation } from "../../../../../src/domain/core/actor/permissions.ts";
import { NOW } from "../../../../support/store.ts";
import type { Call } from "./call.ts";

const makeNkey = () => ({ publicKey: "UA", seed: "SUA" });
const add = (...[db, by]: Parameters<Call["call"]>) =>
  addAccessBox(db, by, { name: "tower-1", scope: null }, { now: NOW, makeNkey });
/** The boxes are the appliance's. */
const reach = {
  ispOne: "forbidden",
  otherIsp: "forbidden",
  otherBranch: "forbidden",
  otherReseller: "forbidden",
};

export const ofAccessBoxes = {
  listAccessBoxes: { call: (db, by) => listAccessBoxes(db, by), operator: [], ...reach },
  boxesOverview: {
    call: (db, by) => boxesOverview(db, by, { now: NOW }).boxes,
    operator: [],
    ...reach,
  },
  accessBox: {
    call: (db, by) => {
      const { id } = add(db, by);
      return accessBox(db, by, { id }, { now: NOW }).box.name;
    },
    operator: "tower-1",
    ...reach,
  },
  addAccessBox: { call: (db, by) => add(db, by).name, operator: "tower-1", ...reach },
  removeAccessBox: {
    call: (db, by) => {
      add(db, by);
      return removeAccessBox(db, by, { name: "tower-1" }, { now: NOW }).name;
    },
    operator: "tower-1",
    ...reach,
  },
  promotePrimary: {
    call: (db, by) => {
      add(db, by);
      return promotePrimary(db, by, { epoch: 4 }, { now: NOW });
    },
    operator: 5,
    ...reach,
  },
  recoverPrimary: {
    call: (db, by) => {
      add(db, by);
      db.$client.run("UPDATE access_state SET pending = 'recover', highest = 1, epoch = 2");
      return recoverPrimary(db, by, readRecovery(db, []), { now: NOW }).rows;
    },
    operator: 0,
    ...reach,
  },
  declineRecovery: {
    call: (db, by) => {
      add(db, by);
      db.$client.run("UPDATE access_state SET pending = 'recover', highest = 1, epoch = 2");
      declineRecovery(db, by, { now: NOW });
      return accessState(db).pending;
    },
    operator: null,
    ...reach,
  },
  deedsOnlyIn: { call: (db, by) => deedsOnlyIn(db, by, db.$client.filename), operator: [], ...reach },
} satisfies Partial<Record<Operation, Call>>;
