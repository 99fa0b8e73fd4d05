import { requireAdminOfAll } from "../../../../domain/core/actor/actor.ts";
import { seeOther } from "../../../pages/respond.tsx";
import { part } from "../../answers.tsx";
import { type ConsoleRoute, staffForm, staffPage } from "../../guard.ts";
import { showAppliance } from "./appliance.tsx";
import { beginTrial, download, downloadDrawer, beginBackup, setPassphrase, tryDrawer } from "./forms.tsx";
import { showLicences } from "./licences.tsx";
import { showBackups } from "./page.tsx";
import { BACKUPS, Work } from "./work.tsx";

/** Backups, and the appliance itself. */
export const backupsPageRoutes: readonly ConsoleRoute[] = [
  staffPage(BACKUPS, (visit) => showBackups(visit)),
  staffPage(`${BACKUPS}/work`, (visit) => {
    requireAdminOfAll(visit.db, visit.by);
    if (!visit.isPart) return seeOther(BACKUPS);
    // what was done is in the list and in the sentences too
    return part(visit, <Work visit={visit} />, visit.needs.backups.work ? {} : { tell: "changed" });
  }),
  staffForm(`${BACKUPS}/make`, beginBackup),
  staffPage(`${BACKUPS}/try`, tryDrawer),
  staffForm(`${BACKUPS}/try`, beginTrial),
  staffPage(`${BACKUPS}/download`, (visit) => downloadDrawer(visit, visit.query.get("name") ?? "")),
  staffForm(`${BACKUPS}/download`, download),
  staffForm(`${BACKUPS}/passphrase`, setPassphrase),
  staffPage("/console/settings/appliance", showAppliance),
  staffPage("/console/settings/appliance/licences", showLicences),
];
