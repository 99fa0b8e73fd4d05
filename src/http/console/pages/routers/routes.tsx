import { staffForm, staffPage } from "../../guard.ts";
import { forgetLatch, routerRemoval, secretForm, takeAddress } from "./actions.tsx";
import { apiSetupPage, leaveSetup, lookAtRouter, makeItSo } from "./api-setup.tsx";
import { configChangesPage, configFile, configPage, keepNow } from "./config.tsx";
import { routerForms } from "./form.tsx";
import { hotspotPage, hotspotZip, sendHotspot } from "./hotspot.tsx";
import { routersFile, routersPage } from "./list.tsx";
import { loginTestRoutes } from "./login.tsx";
import { issue, radsecFile, revocation } from "./radsec.tsx";
import { routerPage } from "./router.tsx";
import { askForSetup, leaveCoa, setupPage } from "./setup.tsx";
import { ROUTERS } from "../../parts/hrefs.ts";
import { mendNow, mendPage } from "./mend.tsx";
import { testRouter } from "./test-card.tsx";
import { dualStackChoice, lookAtOne, meantSo, showAgain } from "./watch.tsx";

const ONE = `${ROUTERS}/:id`;

export const routersPageRoutes = [
  staffPage(ROUTERS, routersPage),
  staffPage(`${ROUTERS}.csv`, routersFile),
  ...routerForms,
  ...loginTestRoutes,
  staffPage(ONE, routerPage),
  staffPage(`${ONE}/setup`, setupPage),
  ...issue,
  staffForm(`${ONE}/radsec/:certificate/file`, radsecFile),
  ...revocation,
  staffPage(`${ONE}/api-setup`, (visit) => apiSetupPage(visit)),
  staffForm(`${ONE}/api-setup`, lookAtRouter),
  staffForm(`${ONE}/api-setup/yes`, makeItSo),
  staffForm(`${ONE}/api-setup/no`, leaveSetup),
  staffPage(`${ONE}/config`, configPage),
  staffForm(`${ONE}/config`, keepNow),
  staffPage(`${ONE}/config/:copy`, configChangesPage),
  staffForm(`${ONE}/config/:copy/file`, configFile),
  staffPage(`${ONE}/hotspot`, hotspotPage),
  staffPage(`${ONE}/hotspot.zip`, hotspotZip),
  staffForm(`${ONE}/hotspot`, sendHotspot),
  staffForm(`${ONE}/ask`, askForSetup),
  staffForm(`${ONE}/leave`, leaveCoa),
  staffForm(`${ONE}/address`, takeAddress),
  staffForm(`${ONE}/test`, testRouter),
  staffForm(`${ONE}/forget`, forgetLatch),
  staffForm(`${ONE}/look`, lookAtOne),
  staffPage(`${ONE}/mend`, mendPage),
  staffForm(`${ONE}/mend`, mendNow),
  ...meantSo,
  ...dualStackChoice,
  staffForm(`${ONE}/findings/:finding/show`, showAgain),
  ...secretForm,
  ...routerRemoval,
];
