import { staffPage } from "../../guard.ts";
import { actionRoutes } from "./actions.tsx";
import { cardRoutes } from "./forms/card.tsx";
import { deviceRoutes } from "./forms/device.tsx";
import { editRoutes } from "./forms/edit.tsx";
import { messageRoutes } from "./forms/message.tsx";
import { noteRoutes } from "./forms/note.tsx";
import { passwordRoutes } from "./forms/password.tsx";
import { renewRoutes } from "./forms/renew.tsx";
import { sureRoutes } from "./forms/sure.tsx";
import { extendRoutes } from "./forms/extend.tsx";
import { topUpRoutes } from "./forms/top-up.tsx";
import { changesTab, loginsTab, moneyTab, sessionsTab } from "./lists.tsx";
import { overview } from "./overview.tsx";
import { statementPage } from "./statement.tsx";

const PAGE = "/console/subscribers/:id";

export const subscriberRoutes = [
  staffPage(PAGE, overview),
  staffPage(`${PAGE}/sessions`, sessionsTab),
  staffPage(`${PAGE}/logins`, loginsTab),
  staffPage(`${PAGE}/money`, moneyTab),
  staffPage(`${PAGE}/changes`, changesTab),
  staffPage(`${PAGE}/statement`, statementPage),
  ...[...actionRoutes, ...renewRoutes, ...extendRoutes, ...topUpRoutes, ...noteRoutes, ...messageRoutes],
  ...[...passwordRoutes, ...deviceRoutes, ...cardRoutes, ...editRoutes, ...sureRoutes],
];
