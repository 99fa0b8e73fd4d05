import { seeOther } from "../../../pages/respond.tsx";
import { type ConsoleRoute, staffForm, staffPage } from "../../guard.ts";
import { SEEING_END } from "../../seeing.ts";
import { placeForms } from "./place-forms.tsx";
import { PLACES } from "./place-links.ts";
import { placeRemoval } from "./place-removal.tsx";
import { showPlaces } from "./places.tsx";
import { previewFlags, saveFlags, seeAsRole, showRole, showRoleMay, switchFactor } from "./role.tsx";
import { roleForms } from "./role-forms.tsx";
import { ROLES, showRoles } from "./roles.tsx";
import { enable, endSession, endSessions, seeAsAccount, staffConfirmations } from "./staff-actions.tsx";
import { staffForms } from "./staff-forms.tsx";
import { staffPassword } from "./staff-password.tsx";
import { showStaff } from "./staff-list.tsx";
import { STAFF } from "../../parts/hrefs.ts";
import { showAccount, showMay } from "./staff.tsx";

const ACCOUNT = `${STAFF}/:id`;
const ROLE = `${ROLES}/:code`;

export const teamPageRoutes: readonly ConsoleRoute[] = [
  staffPage(PLACES, showPlaces),
  ...placeForms,
  ...placeRemoval,

  staffPage(STAFF, showStaff),
  staffPage(ACCOUNT, showAccount),
  staffPage(`${ACCOUNT}/may`, showMay),
  ...staffForms,
  ...staffPassword,
  staffForm(`${ACCOUNT}/enable`, enable),
  ...staffConfirmations,
  staffForm(`${ACCOUNT}/sessions/end`, endSession),
  staffForm(`${ACCOUNT}/sessions/end-all`, endSessions),
  staffForm(`${ACCOUNT}/see-as`, seeAsAccount),

  staffPage(ROLES, showRoles),
  staffPage(ROLE, showRole),
  staffForm(ROLE, saveFlags),
  staffForm(`${ROLE}/preview`, previewFlags),
  staffPage(`${ROLE}/may`, showRoleMay),
  ...roleForms,
  staffForm(`${ROLE}/factor`, switchFactor),
  staffForm(`${ROLE}/see-as`, seeAsRole),

  staffForm(SEEING_END, ({ needs, sessionKey, seeing }) => {
    needs.seeing.end(sessionKey);
    const target = seeing?.target;
    if (!target) return seeOther("/console");
    return seeOther("staffId" in target ? `${STAFF}/${target.staffId}` : `${ROLES}/${target.roleCode}`);
  }),
];
