import { seeOther } from "../../../pages/respond.tsx";
import { type ConsoleRoute, staffForm, staffPage } from "../../guard.ts";
import { SEEING_END } from "../../seeing.ts";
import { addPlace, editPlace, newPlace, savePlace } from "./place-forms.tsx";
import { PLACES } from "./place-links.ts";
import { askRemoval, removePlace } from "./place-removal.tsx";
import { showPlaces } from "./places.tsx";
import { previewFlags, saveFlags, seeAsRole, showRole, showRoleMay, switchFactor } from "./role.tsx";
import {
  addRole,
  askCopy,
  askDeletion,
  askName,
  copyRole,
  newRole,
  removeRole,
  rename,
} from "./role-forms.tsx";
import { ROLES, showRoles } from "./roles.tsx";
import {
  askSure,
  disable,
  enable,
  endSession,
  endSessions,
  resetFactor,
  seeAsAccount,
} from "./staff-actions.tsx";
import { addAccount, editAccount, newAccount, saveAccount } from "./staff-forms.tsx";
import { askPassword, setPassword } from "./staff-password.tsx";
import { STAFF, showStaff } from "./staff-list.tsx";
import { showAccount, showMay } from "./staff.tsx";

const PLACE = `${PLACES}/:kind/:id`;
const ACCOUNT = `${STAFF}/:id`;
const ROLE = `${ROLES}/:code`;

/** Where people live, who works for the ISP, and what they may do. */
export const teamPageRoutes: readonly ConsoleRoute[] = [
  staffPage(PLACES, showPlaces),
  staffPage(`${PLACES}/new`, newPlace),
  staffForm(`${PLACES}/new`, addPlace),
  staffPage(PLACE, editPlace),
  staffForm(PLACE, savePlace),
  staffPage(`${PLACE}/remove`, askRemoval),
  staffForm(`${PLACE}/remove`, removePlace),

  staffPage(STAFF, showStaff),
  staffPage(`${STAFF}/new`, newAccount),
  staffForm(`${STAFF}/new`, addAccount),
  staffPage(ACCOUNT, showAccount),
  staffPage(`${ACCOUNT}/edit`, editAccount),
  staffForm(`${ACCOUNT}/edit`, saveAccount),
  staffPage(`${ACCOUNT}/may`, showMay),
  staffPage(`${ACCOUNT}/password`, askPassword),
  staffForm(`${ACCOUNT}/password`, setPassword),
  staffPage(`${ACCOUNT}/disable`, (visit) => askSure(visit, "disable")),
  staffForm(`${ACCOUNT}/disable`, disable),
  staffForm(`${ACCOUNT}/enable`, enable),
  staffPage(`${ACCOUNT}/factor`, (visit) => askSure(visit, "factor")),
  staffForm(`${ACCOUNT}/factor`, resetFactor),
  staffForm(`${ACCOUNT}/sessions/end`, endSession),
  staffForm(`${ACCOUNT}/sessions/end-all`, endSessions),
  staffForm(`${ACCOUNT}/see-as`, seeAsAccount),

  staffPage(ROLES, showRoles),
  staffPage(`${ROLES}/new`, newRole),
  staffForm(`${ROLES}/new`, addRole),
  staffPage(ROLE, showRole),
  staffForm(ROLE, saveFlags),
  staffForm(`${ROLE}/preview`, previewFlags),
  staffPage(`${ROLE}/may`, showRoleMay),
  staffPage(`${ROLE}/copy`, askCopy),
  staffForm(`${ROLE}/copy`, copyRole),
  staffPage(`${ROLE}/rename`, askName),
  staffForm(`${ROLE}/rename`, rename),
  staffPage(`${ROLE}/delete`, askDeletion),
  staffForm(`${ROLE}/delete`, removeRole),
  staffForm(`${ROLE}/factor`, switchFactor),
  staffForm(`${ROLE}/see-as`, seeAsRole),

  staffForm(SEEING_END, ({ needs, sessionKey, seeing }) => {
    needs.seeing.end(sessionKey);
    const target = seeing?.target;
    if (!target) return seeOther("/console");
    return seeOther("staffId" in target ? `${STAFF}/${target.staffId}` : `${ROLES}/${target.roleCode}`);
  }),
];
