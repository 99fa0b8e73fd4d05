import type { Db } from "../../../../db/open.ts";
import { applianceStore } from "../../../../src/domain/appliance/store.ts";
import { BackupDesk, takeBackupAway } from "../../../../src/domain/backup/desk.ts";
import { backupOverview } from "../../../../src/domain/backup/overview.ts";
import { tryBackup } from "../../../../src/domain/backup/trial.ts";
import { writeBackup } from "../../../../src/domain/backup/write-backup.ts";
import { resetSetting, settingIsps } from "../../../../src/domain/settings/change.ts";
import { settingFigure } from "../../../../src/domain/settings/figures.ts";
import { changeSettings, plannedSettings } from "../../../../src/domain/settings/planned.ts";
import { type Call, done, forOperator, nowhere, through, world, write } from "./call.ts";

/** A change of what is the actor's own: of the ISP, or of the whole box. */
const ownSettings = (call: Parameters<typeof through>[0]): Call => ({
  call: through(call),
  operator: done,
  otherIsp: done,
  otherBranch: "forbidden",
  otherReseller: "forbidden",
});

const deskOf = (db: Db) =>
  new BackupDesk({
    ...{ db, clock: () => world.now, program: "test", isService: false },
    threads: { write: async (order) => writeBackup(order), try: tryBackup },
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

  backupOverview: forOperator((db, by) => backupOverview(db, by, world)),
  makeBackup: forOperator(async (db, by) => {
    const desk = deskOf(db);
    desk.make(by);
    await desk.ended;
  }),
  tryBackup: forOperator(async (db, by) => {
    const desk = deskOf(db);
    const name = desk.make(by);
    await desk.ended;
    desk.try(by, { name });
    await desk.ended;
  }),
  // with the password of the own account, which the command line does not have
  takeBackupAway: {
    call: (db, by) => takeBackupAway(db, by, { name: "gatehouse.db", password: "secret-1" }, world),
    operator: "forbidden",
  },
  applianceStore: {
    call: (db, by) => applianceStore(db, by).bytes > 0,
    operator: true,
    ispOne: "forbidden",
    ...nowhere,
  },
} satisfies Record<string, Call>;
