import type { ListedSession } from "../../../../domain/people/staff/console-sessions.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Action, Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Field } from "../../../pages/parts/field.tsx";
import { Frame, SignOut } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { SessionList } from "./session-list.tsx";

export interface PasswordFaults {
  current?: string;
  chosen?: string;
}

interface MeProps {
  visit: StaffVisit;
  sessions: readonly ListedSession[];
  /** undefined: there is no second factor. */
  codesLeft: number | undefined;
  keys: boolean;
  faults: PasswordFaults;
}

export function MePage(props: MeProps) {
  const { visit, faults } = props;
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
      <div class="columns">
        <div>
          <Sessions {...props} />
          <Password visit={visit} faults={faults} />
        </div>
        <div>
          <Factor {...props} />
          <Keys {...props} />
        </div>
      </div>
    </Frame>
  );
}

function Password({ visit: { view, formToken, account }, faults }: Pick<MeProps, "visit" | "faults">) {
  const words = view.words.me;
  return (
    <Card title={words.password}>
      <p class="hint">{words.passwordLead}</p>
      <form method="post" action="/console/me/password" class="stack me-form">
        <FormToken value={formToken} />
        <input type="hidden" name="username" autocomplete="username" value={account.username} />
        <div class="fields">
          <Field
            name="current"
            type="password"
            label={words.current}
            fault={faults.current}
            required
            attributes={{ autocomplete: "current-password", maxlength: 1000 }}
          />
          <Field
            name="chosen"
            type="password"
            label={words.chosen}
            help={words.chosenHelp}
            fault={faults.chosen}
            required
            attributes={{ autocomplete: "new-password", minlength: 8, maxlength: 128 }}
          />
        </div>
        <div class="actions">
          <Button>{words.changePassword}</Button>
        </div>
      </form>
    </Card>
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
              <Button href="/console/me/recovery-codes">{words.newCodes}</Button>
              <Button href="/console/me/second-factor/remove" kind="danger">
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
