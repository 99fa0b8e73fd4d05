import type { Db } from "../../../../../db/open.ts";
import { applianceStore } from "../../../../../src/domain/machine/appliance/store.ts";
import {
  BackupDesk,
  makeBackup,
  takeBackupAway,
  tryBackup,
} from "../../../../../src/domain/machine/backup/desk.ts";
import { backupOverview } from "../../../../../src/domain/machine/backup/overview.ts";
import { runTrial } from "../../../../../src/domain/machine/backup/trial.ts";
import { writeBackup } from "../../../../../src/domain/machine/backup/write-backup.ts";
import { resetSetting, settingIsps } from "../../../../../src/domain/machine/settings/change.ts";
import { settingFigure } from "../../../../../src/domain/machine/settings/figures.ts";
import { changeSettings, plannedSettings } from "../../../../../src/domain/machine/settings/planned.ts";
import { type Call, done, nowhere, through, world, write } from "./call.ts";

/** A change of what is the actor's own: of the ISP, or of the whole box. */
const ownSettings = (call: Parameters<typeof through>[0]): Call => ({
  call: through(call),
  operator: done,
  otherIsp: done,
  otherBranch: "forbidden",
  otherReseller: "forbidden",
});

/** Of the box as a whole, which has two ISPs. */
const ofBox = (call: Parameters<typeof through>[0]): Call => ({
  call: through(call),
  operator: done,
  ispOne: "forbidden",
  ...nowhere,
});

const deskOf = (db: Db) =>
  new BackupDesk({
    db,
    clock: () => world.now,
    program: "test",
    isService: false,
    threads: { write: async (order) => writeBackup(order), try: runTrial },
    failed: (error) => {
      throw error;
    },
  });

/** Settings as the console changes them, backups, and the appliance. */
export const ofUpkeep = {
  settingIsps: {
    call: (db, by) => settingIsps(db, by).map(({ id }) => id),
    operator: [1, 2],
    ispOne: [1],
    otherIsp: [2],
  },
  settingFigure: {
    call: (db, by) => settingFigure(db, by, { key: "currency" }),
    operator: 3,
    ispOne: 2,
    otherIsp: 1,
  },
  plannedSettings: ownSettings((db, by) => plannedSettings(db, by, { values: { tax_name: "GST" } })),
  changeSettings: ownSettings((db, by) =>
    changeSettings(db, by, { changes: [{ key: "tax_name", after: "GST" }] }, world),
  ),
  resetSetting: write((db, by) => resetSetting(db, by, { key: "tax_name", ispId: 1 }, world)),

  backupOverview: ofBox((db, by) => backupOverview(db, by, world)),
  makeBackup: ofBox(async (db, by) => {
    const desk = deskOf(db);
    makeBackup(db, by, desk);
    await desk.ended;
  }),
  tryBackup: ofBox(async (db, by) => {
    const desk = deskOf(db);
    const name = makeBackup(db, by, desk);
    await desk.ended;
    tryBackup(db, by, { desk, name });
    await desk.ended;
  }),
  // with the password of the own account, which the command line does not have
  takeBackupAway: {
    call: (db, by) => takeBackupAway(db, by, { name: "gatehouse.db", password: "secret-1" }, world),
    operator: "forbidden",
  },
  applianceStore: ofBox((db, by) => applianceStore(db, by)),
} satisfies Record<string, Call>;
