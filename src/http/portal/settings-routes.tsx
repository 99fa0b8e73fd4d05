import { Elysia } from "elysia";
import type { Db } from "../../../db/open.ts";
import { offersPush } from "../../domain/around/messages/push-offered.ts";
import { isLanguageTag } from "../../domain/core/fields/languages.ts";
import { changePortalPassword } from "../../domain/desk/portal/change-password.ts";
import { changeOwnMessages } from "../../domain/desk/portal/own-messages.ts";
import { storedAs } from "../../domain/goods/subscribers/portal-session.ts";
import {
  addOwnPush,
  followOwnPush,
  ownPushDevices,
  removeOwnPush,
} from "../../domain/people/push/devices.ts";
import { vapidKeys } from "../../domain/people/push/vapid.ts";
import { codePoints } from "../../domain/core/fields/text.ts";
import { pushSite } from "../push-site.ts";
import { targetQuery } from "../target.ts";
import { attempt } from "../pages/attempt.ts";
import { describePage } from "./describe-page.ts";
import { type PortalNeeds, signedIn, signedInForm, type Visit } from "./guard.ts";
import { readTextField } from "../pages/text-of.ts";
import { PUSH_FOLLOW } from "./layout.tsx";
import { languageSwitch } from "./language.tsx";
import { SettingsPage } from "./pages/settings.tsx";
import { pageResponse, seeOther } from "../pages/respond.tsx";

const SETTINGS = "/portal/settings";

export function settingsRoutes(needs: PortalNeeds) {
  const { db, subscriberLogins } = needs;
  return new Elysia()
    .get(
      SETTINGS,
      signedIn(needs, (visit) => languageSwitch(visit.request) ?? settings(db, visit)),
      describePage("portalSettings", "The subscriber's account"),
    )
    .post(
      "/portal/settings/password",
      signedInForm(needs, async (visit, input) => {
        const { subscriber, by, sessionId, source, now, view } = visit;
        const { settings: words, signIn } = view.words;
        const current = readTextField(input, "current", 1000);
        const chosen = readTextField(input, "chosen", 1000);
        const length = codePoints(chosen);
        if (length < 8 || length > 128) return settings(db, visit, 422, words.short);
        if (chosen !== readTextField(input, "again", 1000)) return settings(db, visit, 422, words.different);
        const refused = await attempt(async () => {
          subscriberLogins.take(subscriber.username, source);
          const tokenId = storedAs(sessionId);
          await changePortalPassword(db, by, { subscriber, current, chosen, tokenId, source }, { now });
        });
        if (!refused) return seeOther(`${SETTINGS}?done=password`);
        const { kind, retryAfter = 1 } = refused;
        const headers = { "retry-after": String(retryAfter) };
        if (kind === "too_soon") return settings(db, visit, 429, signIn.tooMany(retryAfter), headers);
        if (kind === "overloaded") return settings(db, visit, 503, signIn.busy, headers);
        return settings(db, visit, 422, words.wrong);
      }),
      describePage("portalPassword", "Change the portal password", {
        form: ["current", "chosen", "again"],
        refusals: [429, 503],
      }),
    )
    .post(
      "/portal/settings/push",
      signedInForm(needs, ({ subscriber, by, now, request, sessionId }, input) => {
        const { ispId } = subscriber;
        const userAgent = request.headers.get("user-agent");
        const asked = { site: pushSite(db, request, ispId), userAgent, tokenId: storedAs(sessionId) };
        addOwnPush(db, by, { subscriberId: subscriber.id, input, ...asked }, { now });
        return seeOther(`${SETTINGS}#notifications`);
      }),
      describePage("portalPush", "Show notifications in this browser", {
        form: ["endpoint", "p256dh", "auth"],
      }),
    )
    .post(
      PUSH_FOLLOW,
      signedInForm(needs, ({ by, subscriber, sessionId }, input) => {
        const followed = { endpoint: readTextField(input, "endpoint", 1000), tokenId: storedAs(sessionId) };
        return Response.json({
          is_known: followOwnPush(db, by, { subscriberId: subscriber.id, ...followed }),
        });
      }),
      describePage("portalPushFollow", "Whether this browser shows notifications of the account", {
        form: ["endpoint"],
      }),
    )
    .post(
      "/portal/settings/push/remove",
      signedInForm(needs, ({ by, subscriber }, input) => {
        const id = Number(readTextField(input, "id", 15)) || 0;
        const endpoint = readTextField(input, "endpoint", 1000);
        removeOwnPush(db, by, { subscriberId: subscriber.id, id, endpoint });
        return seeOther(`${SETTINGS}?done=push#notifications`);
      }),
      describePage("portalPushRemove", "Show no more notifications in a browser", {
        form: ["id", "endpoint"],
        optional: ["id", "endpoint"],
      }),
    )
    .post(
      "/portal/settings/messages",
      signedInForm(needs, ({ subscriber, by, now }, input) => {
        const tag = readTextField(input, "language", 16);
        const language = isLanguageTag(tag) ? tag : null;
        const off = readTextField(input, "wanted", 1) !== "1";
        changeOwnMessages(db, by, { subscriberId: subscriber.id, language, off }, { now });
        return seeOther(`${SETTINGS}?done=messages`);
      }),
      describePage("portalMessages", "In which language messages come, and whether they do", {
        form: ["language", "wanted"],
        optional: ["language", "wanted"],
      }),
    );
}

function settings(
  db: Db,
  { view, formToken, subscriber, by, request, secure }: Visit,
  status = 200,
  problem?: string,
  headers?: Record<string, string>,
): Response {
  const done = new URLSearchParams(targetQuery(request)).get("done");
  const { saved, messagesSaved } = view.words.settings;
  const said = new Map([
    ["password", saved],
    ["messages", messagesSaved],
    ["push", view.words.app.removed],
  ]);
  return pageResponse(
    <SettingsPage
      view={view}
      formToken={formToken}
      subscriber={subscriber}
      request={request}
      problem={problem}
      done={said.get(done ?? "")}
      push={
        offersPush(db, subscriber.ispId)
          ? {
              key: vapidKeys(db).publicKey,
              devices: ownPushDevices(db, by, { subscriberId: subscriber.id }),
              isSecure: secure,
            }
          : undefined
      }
    />,
    { status, ...(headers && { headers }) },
  );
}
