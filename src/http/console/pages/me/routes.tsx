import { PUSH_FOLLOW } from "../../assets.ts";
import { ME } from "../../parts/hrefs.ts";
import {
  endConsoleSession,
  endOtherConsoleSessions,
  listConsoleSessions,
} from "../../../../domain/people/staff/console-sessions.ts";
import { addStaffPush, followStaffPush, removeStaffPush } from "../../../../domain/people/push/devices.ts";
import { changeOwnPassword } from "../../../../domain/people/staff/own-password.ts";
import { setOwnPreference } from "../../../../domain/people/staff/preferences.ts";
import { recoveryCodesLeft } from "../../../../domain/people/staff/second-factor.ts";
import { pushSite } from "../../../push-site.ts";
import { readTextField } from "../../../pages/text-of.ts";
import { flash } from "../../answers.tsx";
import { consoleLanguages } from "../../../words/languages.ts";
import { staffForm } from "../../guard.ts";
import { form } from "../../parts/form.tsx";
import { consoleViewFor } from "../../view.ts";
import { byOwnPassword } from "../../parts/proof.ts";
import { factorRoutes } from "./factor-routes.tsx";
import { MePage } from "./me.tsx";

const ownPasswordForm = form({
  path: `${ME}/password`,
  on: ME,
  of: () => undefined,
  content: (visit) => {
    const { db, by, now, account, hasKeys, view } = visit;
    const { me: words } = view.words;
    const field = { as: "password", required: true } as const;
    return {
      title: words.title,
      back: ME,
      submit: words.changePassword,
      text: (
        <>
          <p class="hint">{words.passwordLead}</p>
          <input type="hidden" name="username" autocomplete="username" value={account.username} />
        </>
      ),
      fields: [
        {
          ...field,
          name: "current",
          label: words.current,
          max: 1000,
          attributes: { autocomplete: "current-password" },
        },
        {
          ...field,
          name: "chosen",
          faultOf: "password",
          label: words.chosen,
          help: words.chosenHelp,
          max: 128,
          attributes: { autocomplete: "new-password", minlength: 8 },
        },
      ],
      frame: (children) => (
        <MePage
          visit={visit}
          sessions={listConsoleSessions(db, by, { staffId: account.id }, { now })}
          codesLeft={recoveryCodesLeft(db, by, account)}
          keys={hasKeys()}
        >
          {children}
        </MePage>
      ),
    };
  },
  save: (visit, _, { current = "", chosen: password = "" }) => {
    const { db, by, now, sessionKey: key } = visit;
    return byOwnPassword(visit, "current", () =>
      changeOwnPassword(db, by, { current, password, key }, { now }),
    );
  },
  done: ({ view: { words } }) => ({ title: words.me.passwordChanged, text: words.me.passwordChangedText }),
});

export const meRoutes = [
  ...ownPasswordForm,
  staffForm(`${ME}/sessions/end`, (visit, input) => {
    const { db, by, now, account, view } = visit;
    endConsoleSession(db, by, { staffId: account.id, key: readTextField(input, "session", 100) }, { now });
    return flash(visit, { kind: "good", title: view.words.me.ended }, ME);
  }),
  staffForm(`${ME}/sessions/end-others`, (visit) => {
    const { db, by, now, account, sessionKey: key, view } = visit;
    const ended = endOtherConsoleSessions(db, by, { staffId: account.id, key }, { now });
    return flash(visit, { kind: "good", title: view.words.me.endedMany(ended) }, ME);
  }),
  staffForm(`${ME}/keys`, (visit, input) => {
    const { db, by, view } = visit;
    const on = readTextField(input, "keys", 3) !== "off";
    setOwnPreference(db, by, { key: "keys", value: on });
    return flash(visit, { kind: "good", title: on ? view.words.me.keysNowOn : view.words.me.keysNowOff }, ME);
  }),
  staffForm(`${ME}/push`, (visit, input) => {
    const { db, by, now, request, sessionKey: tokenId, view } = visit;
    const userAgent = request.headers.get("user-agent");
    const asked = { site: pushSite(db, request, by.scope.ispId), userAgent, tokenId };
    addStaffPush(db, by, { input, ...asked }, { now });
    return flash(visit, { kind: "good", title: view.words.me.push.added }, ME);
  }),
  staffForm(PUSH_FOLLOW, ({ db, by, sessionKey: tokenId }, input) =>
    Response.json({
      is_known: followStaffPush(db, by, { endpoint: readTextField(input, "endpoint", 1000), tokenId }),
    }),
  ),
  staffForm(`${ME}/push/remove`, (visit, input) => {
    const { db, by, view } = visit;
    const id = Number(readTextField(input, "id", 15)) || 0;
    removeStaffPush(db, by, { id, endpoint: readTextField(input, "endpoint", 1000) });
    return flash(visit, { kind: "good", title: view.words.me.push.removed }, ME);
  }),
  staffForm(`${ME}/language`, (visit, input) => {
    const { db, by, request, now } = visit;
    const asked = readTextField(input, "language", 20);
    const tag = consoleLanguages().some((language) => language.tag === asked) ? asked : "";
    setOwnPreference(db, by, { key: "language", value: tag });
    const view = consoleViewFor(db, { request, now, reader: by });
    return flash(visit, { kind: "good", title: view.words.me.languageSaved }, ME);
  }),
  ...factorRoutes,
];
