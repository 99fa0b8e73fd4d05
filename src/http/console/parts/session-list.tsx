import type { ListedSession } from "../../../domain/people/staff/console-sessions.ts";
import { Action } from "../../pages/parts/button.tsx";
import { Chip } from "../../pages/parts/chip.tsx";
import type { StaffVisit } from "../guard.ts";
import { browserName } from "../../pages/browser.ts";

interface SessionListProps {
  visit: StaffVisit;
  sessions: readonly ListedSession[];
  action: string;
}

/** Sign-ins of an account; all but the current one can be ended. */
export function SessionList({ visit, sessions, action }: SessionListProps) {
  const { view, formToken, sessionKey, now } = visit;
  const words = view.words.me;
  return (
    <ul class="rows">
      {sessions.map(({ key, source, seenAt, createdAt, userAgent }) => (
        <li class="session">
          <div>
            <strong>{browserName(userAgent) ?? words.unknownBrowser}</strong>
            {key === sessionKey && <Chip tone="good">{words.here}</Chip>}
            <p class="hint">
              {words.from} <bdi>{source}</bdi> · {words.since} {view.format.timeNear(createdAt, now)} ·{" "}
              {words.seen} {view.format.timeNear(seenAt, now)}
            </p>
          </div>
          {key !== sessionKey && (
            <Action
              action={action}
              formToken={formToken}
              fields={{ session: key }}
              size="small"
              kind="danger"
            >
              {words.end}
            </Action>
          )}
        </li>
      ))}
    </ul>
  );
}
