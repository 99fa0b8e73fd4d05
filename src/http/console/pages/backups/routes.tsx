import { requireApplianceAdmin } from "../../../../domain/core/actor/actor.ts";
import { seeOther } from "../../../pages/respond.tsx";
import { part } from "../../answers.tsx";
import { type ConsoleRoute, staffForm, staffPage } from "../../guard.ts";
import { showAppliance } from "./appliance.tsx";
import { backupForms, beginBackup } from "./forms.tsx";
import { showLicences } from "./licences.tsx";
import { Work } from "./work.tsx";
import { BACKUPS } from "../../parts/hrefs.ts";
import { settingsPages } from "../../parts/settings-pages.ts";

export const backupsPageRoutes: readonly ConsoleRoute[] = [
  staffPage(`${BACKUPS}/work`, (visit) => {
    requireApplianceAdmin(visit.db, visit.by);
    if (!visit.isPart) return seeOther(BACKUPS);
    // its result is in the list and the sentences too
    return part(visit, <Work visit={visit} />, visit.needs.backups.work ? {} : { tell: "changed" });
  }),
  staffForm(`${BACKUPS}/make`, beginBackup),
  ...backupForms,
  staffPage(settingsPages.appliance.href, showAppliance),
  staffPage(`${settingsPages.appliance.href}/licences`, showLicences),
];
