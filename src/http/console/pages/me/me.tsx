import type { Child } from "hono/jsx";
import { offersPush, rulesToldTo } from "../../../../domain/around/messages/push-offered.ts";
import { staffPushDevices } from "../../../../domain/people/push/devices.ts";
import { vapidKeys } from "../../../../domain/people/push/vapid.ts";
import type { ListedSession } from "../../../../domain/people/staff/console-sessions.ts";
import { browserName } from "../../../pages/browser.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Action, Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Frame, SignOut } from "../../frame.tsx";
import { Select } from "../../../pages/parts/field.tsx";
import { tagsIn } from "../../../../domain/core/settings/language-settings.ts";
import { setting } from "../../../../domain/core/settings/settings.ts";
import { consoleLanguages } from "../../../words/languages.ts";
import type { StaffVisit } from "../../guard.ts";
import { ME } from "../../parts/hrefs.ts";
import { SessionList } from "../../parts/session-list.tsx";

const PUSH = `${ME}/push`;

/** Devices to which notifications are sent; a script shows the state that holds. */
function Notifications({ visit }: { visit: StaffVisit }) {
  const { db, by, view, formToken, secure, now } = visit;
  if (!offersPush(db, by.scope.ispId)) return null;
  const { push: words } = view.words.me;
  const devices = staffPushDevices(db, by);
  const told = rulesToldTo(db, by);
  const first = secure ? "unsupported" : "insecure";
  const state = (name: string) => ({ "data-push-state": name, hidden: name !== first });
  return (
    <Card title={words.title} id="notifications">
      <div class="stack" data-push={vapidKeys(db).publicKey}>
        <p class="hint">{told.length === 0 ? words.nothing : words.lead}</p>
        {told.length > 0 && (
          <ul>
            {told.map((name) => (
              <li>
                <bdi>{name}</bdi>
              </li>
            ))}
          </ul>
        )}
        {(["unsupported", "insecure", "denied", "failed"] as const).map((name) => (
          <p class={name === "insecure" ? "hint" : "warn-text"} {...state(name)}>
            {words[name]}
          </p>
        ))}
        <form method="post" action={PUSH} class="stack" data-push-form {...state("off failed")}>
          <FormToken value={formToken} />
          {["endpoint", "p256dh", "auth"].map((name) => (
            <input type="hidden" name={name} />
          ))}
          <p>{words.off}</p>
          <Button kind="solid">{words.get}</Button>
        </form>
        <form method="post" action={`${PUSH}/remove`} class="stack" data-push-end {...state("on")}>
          <FormToken value={formToken} />
          <input type="hidden" name="endpoint" />
          <p>{words.on}</p>
          <Button>{words.stop}</Button>
        </form>
        {devices.length > 0 && <p class="hint">{words.devices}</p>}
        <ul class="rows" hidden={devices.length === 0}>
          {devices.map(({ id, userAgent, createdAt }) => (
            <li class="session">
              <div>
                <strong>{browserName(userAgent) ?? view.words.me.unknownBrowser}</strong>
                <p class="hint">
                  {view.words.me.since} {view.format.timeNear(createdAt, now)}
                </p>
              </div>
              <Action action={`${PUSH}/remove`} formToken={formToken} fields={{ id }} size="small">
                {words.remove}
              </Action>
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}

interface MeProps {
  visit: StaffVisit;
  sessions: readonly ListedSession[];
  codesLeft: number | undefined;
  keys: boolean;
  children: Child;
}

export function MePage(props: MeProps) {
  const { visit, children } = props;
  const words = visit.view.words.me;
  return (
    <Frame visit={visit} title={words.title} place={null}>
      <div class="page-head">
        <div>
          <h1>{visit.account.name}</h1>
          <p class="hint">{words.signedInAs(visit.account.username, visit.source)}</p>
        </div>
        <div class="actions">
          <SignOut visit={visit} />
        </div>
      </div>
      <div class="split">
        <div>
          <Sessions {...props} />
          <Card title={words.password}>{children}</Card>
        </div>
        <div>
          <Factor {...props} />
          <Notifications visit={visit} />
          <Language visit={visit} />
          <Keys {...props} />
        </div>
      </div>
    </Frame>
  );
}

function Factor({ visit: { view }, codesLeft }: MeProps) {
  const words = view.words.me;
  const isOn = codesLeft !== undefined;
  return (
    <Card title={words.factor}>
      <div class="stack">
        <p>{isOn ? words.factorOn : words.factorOff}</p>
        {isOn && <p class={codesLeft < 3 ? "warn-text" : "hint"}>{words.codesLeft(codesLeft)}</p>}
        <p class="hint">{words.programs}</p>
        <div class="actions">
          {isOn ? (
            <>
              <Button href="/console/me/recovery-codes" drawer>
                {words.newCodes}
              </Button>
              <Button href="/console/me/second-factor/remove" kind="danger" drawer>
                {words.remove}
              </Button>
            </>
          ) : (
            <Button href="/console/me/second-factor" kind="solid">
              {words.setUp}
            </Button>
          )}
        </div>
      </div>
    </Card>
  );
}

function Sessions({ visit, sessions }: MeProps) {
  const { view, formToken } = visit;
  const words = view.words.me;
  return (
    <Card
      title={words.sessions}
      aside={
        sessions.length > 1 && (
          <Action action="/console/me/sessions/end-others" formToken={formToken} size="small">
            {words.endOthers}
          </Action>
        )
      }
    >
      <SessionList visit={visit} sessions={sessions} action="/console/me/sessions/end" />
    </Card>
  );
}

function Language({ visit: { view, formToken, db } }: { visit: StaffVisit }) {
  const words = view.words.me;
  const languages = consoleLanguages();
  if (languages.length === 1) return null;
  const options = languages.map(({ tag, name }) => ({ value: tag, label: name }));
  const read = tagsIn(setting(db, "languages_read"));
  const unread = languages.slice(1).filter(({ tag }) => !read.includes(tag));
  return (
    <Card title={words.language}>
      <form method="post" action="/console/me/language" class="stack">
        <FormToken value={formToken} />
        <Select
          name="language"
          label={words.language}
          help={words.languageLead}
          value={view.ownLanguage}
          options={[{ value: "", label: words.languageAuto }, ...options]}
        />
        {unread.length > 0 && (
          <p class="hint">
            {words.languageUnread(unread.map(({ name }) => name).join(view.words.list.comma))}
          </p>
        )}
        <div class="actions">
          <Button>{words.languageSave}</Button>
        </div>
      </form>
    </Card>
  );
}

function Keys({ visit: { view, formToken }, keys }: MeProps) {
  const words = view.words.me;
  return (
    <Card title={words.keys}>
      <div class="stack">
        <p class="hint">{keys ? words.keysOn : words.keysOff}</p>
        <form method="post" action="/console/me/keys">
          <FormToken value={formToken} />
          <Button name="keys" value={keys ? "off" : "on"}>
            {keys ? words.switchKeysOff : words.switchKeysOn}
          </Button>
        </form>
      </div>
    </Card>
  );
}
