import { type ConsoleRoute, staffForm, staffPage } from "../../guard.ts";
import { sendAgain, test, webhookConfirmations } from "./actions.tsx";
import { showDelivery } from "./delivery.tsx";
import { webhookForms } from "./form.tsx";
import { showWebhooks } from "./list.tsx";
import { revealSecret, secretRotation } from "./secret.tsx";
import { WEBHOOKS } from "../../parts/hrefs.ts";
import { showWebhook } from "./webhook.tsx";

const HOOK = `${WEBHOOKS}/:id`;

export const webhooksPageRoutes: readonly ConsoleRoute[] = [
  staffPage(WEBHOOKS, showWebhooks),
  ...webhookForms,
  staffPage(HOOK, showWebhook),
  staffForm(`${HOOK}/test`, test),
  staffForm(`${HOOK}/secret`, revealSecret),
  ...secretRotation,
  ...webhookConfirmations,
  staffPage(`${HOOK}/deliveries/:delivery`, showDelivery),
  staffForm(`${HOOK}/deliveries/:delivery/again`, sendAgain),
];
