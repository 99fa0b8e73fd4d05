import type { Child } from "hono/jsx";
import type { ListedSession } from "../../../../domain/people/staff/console-sessions.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Action, Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Frame, SignOut } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { SessionList } from "../../parts/session-list.tsx";

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
