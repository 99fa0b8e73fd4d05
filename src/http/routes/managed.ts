import { conditional } from "../conditional.ts";
import type { Managed } from "../operation.ts";
import { activationOperations } from "./activation.ts";
import { addressPoolOperations } from "./address-pools.ts";
import { apiKeyOperations } from "./api-keys.ts";
import { auditOperations } from "./audit.ts";
import { bulkOperations } from "./bulk.ts";
import { cardBatchOperations } from "./card-batches.ts";
import { cardRedeemOperations } from "./card-redeem.ts";
import { cardOperations } from "./cards.ts";
import { channelOperations } from "./channels.ts";
import { closingOperations } from "./closings.ts";
import { feedOperations } from "./feeds.ts";
import { incomingOperations } from "./incoming-payments.ts";
import { invoiceOperations } from "./invoices.ts";
import { loginOperations } from "./logins.ts";
import { messageTemplateOperations } from "./message-templates.ts";
import { writingOperations } from "./message-writing.ts";
import { messageOperations } from "./messages.ts";
import { moveOperations } from "./moves.ts";
import { nasOperations } from "./nas.ts";
import { configOperations } from "./nas-config.ts";
import { radsecOperations } from "./nas-radsec.ts";
import { outageOperations } from "./outages.ts";
import { packageOperations } from "./packages.ts";
import { paymentReceiveOperations } from "./payment-receive.ts";
import { paymentSourceOperations } from "./payment-sources.ts";
import { paymentOperations } from "./payments.ts";
import { placeOperations } from "./places.ts";
import { reportOperations } from "./reports.ts";
import { roleOperations } from "./roles.ts";
import { sessionOperations } from "./sessions.ts";
import { settingOperations } from "./settings.ts";
import { staffOperations } from "./staff.ts";
import { subscriberCareOperations } from "./subscriber-care.ts";
import { subscriberFindOperations } from "./subscriber-find.ts";
import { subscriberOfficeOperations } from "./subscriber-office.ts";
import { subscriberOperations } from "./subscribers.ts";
import { termOperations } from "./term.ts";
import { topUpOperations } from "./top-up.ts";
import { walletOperations } from "./wallets.ts";
import { webhookOperations } from "./webhooks.ts";

/** Every call of staff and programs, in the order of the document. */
export const managedOperations: readonly Managed[] = conditional([
  ...roleOperations,
  ...activationOperations,
  ...topUpOperations,
  ...termOperations,
  ...sessionOperations,
  ...outageOperations,
  ...loginOperations,
  ...subscriberOperations,
  ...subscriberCareOperations,
  ...bulkOperations,
  ...moveOperations,
  ...placeOperations,
  ...packageOperations,
  ...addressPoolOperations,
  ...nasOperations,
  ...radsecOperations,
  ...configOperations,
  ...staffOperations,
  ...apiKeyOperations,
  ...settingOperations,
  ...auditOperations,
  ...subscriberFindOperations,
  ...subscriberOfficeOperations,
  ...reportOperations,
  ...paymentOperations,
  ...cardBatchOperations,
  ...cardOperations,
  ...walletOperations,
  ...closingOperations,
  ...invoiceOperations,
  ...cardRedeemOperations,
  ...feedOperations,
  ...webhookOperations,
  ...paymentSourceOperations,
  ...incomingOperations,
  ...paymentReceiveOperations,
  ...messageOperations,
  ...writingOperations,
  ...messageTemplateOperations,
  ...channelOperations,
]);
