import { languageTags, type LanguageTag } from "../../../core/fields/languages.ts";
import type { Trigger } from "../fields.ts";
import type { Ready, ReadyName } from "./names.ts";
import { ar } from "./ar.ts";
import { bn } from "./bn.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { hi } from "./hi.ts";
import { id } from "./id.ts";
import { pt } from "./pt.ts";
import { ru } from "./ru.ts";
import { sw } from "./sw.ts";
import { ur } from "./ur.ts";

/** Triggers of the ready texts. */
export const readyRules: Readonly<Record<ReadyName, Trigger & { readonly offset?: number }>> = {
  welcome: { on: "event", eventType: "subscriber.created" },
  payment_receipt: { on: "event", eventType: "payment.received" },
  expires_soon: { on: "expiry", offset: -3 * 86_400 },
  expired: { on: "event", eventType: "subscriber.expired" },
  quota_80: { on: "event", eventType: "quota.80" },
  password_changed: { on: "event", eventType: "subscriber.password_changed" },
  online_again: { on: "event", eventType: "subscriber.activated" },
  router_silent: { on: "event", eventType: "router.silent" },
  router_back: { on: "event", eventType: "router.back" },
  payment_unmatched: { on: "event", eventType: "payment.unmatched" },
};

const byLanguage: Readonly<Record<LanguageTag, Ready>> = { en, id, es, fr, sw, pt, ru, ar, ur, hi, bn };

/** The ready texts in every language of subscribers. */
export const readyTexts = languageTags.flatMap((language) =>
  Object.entries(byLanguage[language]).map(([name, { subject, body }]) => ({
    name,
    language,
    subject,
    body,
  })),
);
