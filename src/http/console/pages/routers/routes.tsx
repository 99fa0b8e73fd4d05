import { staffForm, staffPage } from "../../guard.ts";
import { forgetLatch, removePage, removeRouter, replaceSecret, secretPage, takeAddress } from "./actions.tsx";
import { apiSetupPage, leaveSetup, lookAtRouter, makeItSo } from "./api-setup.tsx";
import { addRouter, editPage, editRouter, newPage } from "./form.tsx";
import { hotspotPage, hotspotZip, sendHotspot } from "./hotspot.tsx";
import { routersFile, routersPage } from "./list.tsx";
import { loginTestRoutes } from "./login.tsx";
import { makeRadsec, radsecFile, radsecPage, revokeCertificate, revokePage } from "./radsec.tsx";
import { routerPage } from "./router.tsx";
import { askForSetup, leaveCoa, setupPage } from "./setup.tsx";
import { PATH } from "./state.ts";
import { testRouter } from "./test-card.tsx";

const ONE = `${PATH}/:id`;

/** Routers: how each one stands, a new one until it speaks, and what can be done about it. */
export const routersPageRoutes = [
  staffPage(PATH, routersPage),
  staffPage(`${PATH}.csv`, routersFile),
  staffPage(`${PATH}/new`, (visit) => newPage(visit)),
  staffForm(`${PATH}/new`, addRouter),
  ...loginTestRoutes,
  staffPage(ONE, routerPage),
  staffPage(`${ONE}/setup`, setupPage),
  staffPage(`${ONE}/radsec`, (visit) => radsecPage(visit)),
  staffForm(`${ONE}/radsec`, makeRadsec),
  staffForm(`${ONE}/radsec/:certificate/file`, radsecFile),
  staffPage(`${ONE}/radsec/:certificate/revoke`, revokePage),
  staffForm(`${ONE}/radsec/:certificate/revoke`, revokeCertificate),
  staffPage(`${ONE}/api-setup`, (visit) => apiSetupPage(visit)),
  staffForm(`${ONE}/api-setup`, lookAtRouter),
  staffForm(`${ONE}/api-setup/yes`, makeItSo),
  staffForm(`${ONE}/api-setup/no`, leaveSetup),
  staffPage(`${ONE}/hotspot`, hotspotPage),
  staffPage(`${ONE}/hotspot.zip`, hotspotZip),
  staffForm(`${ONE}/hotspot`, sendHotspot),
  staffForm(`${ONE}/ask`, askForSetup),
  staffForm(`${ONE}/leave`, leaveCoa),
  staffForm(`${ONE}/address`, takeAddress),
  staffForm(`${ONE}/test`, testRouter),
  staffPage(`${ONE}/edit`, (visit) => editPage(visit)),
  staffForm(`${ONE}/edit`, editRouter),
  staffForm(`${ONE}/forget`, forgetLatch),
  staffPage(`${ONE}/secret`, secretPage),
  staffForm(`${ONE}/secret`, replaceSecret),
  staffPage(`${ONE}/remove`, removePage),
  staffForm(`${ONE}/remove`, removeRouter),
];
