import { type ConsoleRoute, staffForm, staffPage } from "../../guard.ts";
import { askDisabling, askRemoval, disable, enable, remove, sendAgain, test } from "./actions.tsx";
import { showDelivery } from "./delivery.tsx";
import { create, editWebhook, newWebhook, save } from "./form.tsx";
import { showWebhooks } from "./list.tsx";
import { askRotation, revealSecret, rotate } from "./secret.tsx";
import { WEBHOOKS } from "./shown.ts";
import { showWebhook } from "./webhook.tsx";

const HOOK = `${WEBHOOKS}/:id`;

/** Who is called of what happens. */
export const webhooksPageRoutes: readonly ConsoleRoute[] = [
  staffPage(WEBHOOKS, showWebhooks),
  staffPage(`${WEBHOOKS}/new`, newWebhook),
  staffForm(`${WEBHOOKS}/new`, create),
  staffPage(HOOK, showWebhook),
  staffPage(`${HOOK}/edit`, editWebhook),
  staffForm(`${HOOK}/edit`, save),
  staffForm(`${HOOK}/test`, test),
  staffForm(`${HOOK}/secret`, revealSecret),
  staffPage(`${HOOK}/rotate`, askRotation),
  staffForm(`${HOOK}/rotate`, rotate),
  staffForm(`${HOOK}/enable`, enable),
  staffPage(`${HOOK}/disable`, askDisabling),
  staffForm(`${HOOK}/disable`, disable),
  staffPage(`${HOOK}/delete`, askRemoval),
  staffForm(`${HOOK}/delete`, remove),
  staffPage(`${HOOK}/deliveries/:delivery`, showDelivery),
  staffForm(`${HOOK}/deliveries/:delivery/again`, sendAgain),
];
