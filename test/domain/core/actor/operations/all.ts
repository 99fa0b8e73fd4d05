import type { Operation } from "../../../../../src/domain/core/actor/permissions.ts";
import type { Call } from "./call.ts";
import { ofAccessBoxes } from "./access-boxes.ts";
import { ofBulk } from "./bulk.ts";
import { ofCards } from "./cards.ts";
import { ofConsole } from "./console.ts";
import { ofLines } from "./lines.ts";
import { ofFindings } from "./findings.ts";
import { ofMessages } from "./messages.ts";
import { ofMoney } from "./money.ts";
import { ofMoves } from "./moves.ts";
import { ofIncoming } from "./incoming.ts";
import { ofOffice } from "./office.ts";
import { ofOthers } from "./others.ts";
import { ofPeople } from "./people.ts";
import { ofReports } from "./reports.ts";
import { ofSubscribers } from "./subscribers.ts";
import { ofRouterPages } from "./routers.ts";
import { ofToday } from "./today.ts";
import { ofUpkeep } from "./upkeep.ts";
import { ofWebhooks } from "./webhooks.ts";

/** A call of every operation. */
export const calls: Record<Operation, Call> = {
  ...ofAccessBoxes,
  ...ofOffice,
  ...ofSubscribers,
  ...ofLines,
  ...ofFindings,
  ...ofBulk,
  ...ofCards,
  ...ofPeople,
  ...ofMoney,
  ...ofReports,
  ...ofRouterPages,
  ...ofToday,
  ...ofMoves,
  ...ofOthers,
  ...ofConsole,
  ...ofUpkeep,
  ...ofIncoming,
  ...ofWebhooks,
  ...ofMessages,
};
