import { cardNumber } from "../../../../domain/goods/codes/codes.ts";
import type { CardSession } from "../../../../domain/service/cards/lately.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { makerOf } from "../../../../domain/goods/devices/maker.ts";
import { Icon } from "../../../pages/icons.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import type { StaffVisit } from "../../guard.ts";
import type { ConsoleView } from "../../view.ts";
import { cardHref } from "./paths.ts";
import type { Shown } from "./verdict.ts";

/** Where it was used, and for how long. */
export function CardSessions({ shown: { view, card, lately } }: { shown: Shown }) {
  const { card: say } = view.words.cards;
  const { format } = view;
  if (lately.sessions.length === 0)
    return (
      <Card title={say.sessions}>
        <p class="hint">{say.noSessions}</p>
      </Card>
    );
  const isMore = card.sessions > lately.sessions.length;
  return (
    <Card
      title={say.sessions}
      kind="with-table"
      {...(isMore && {
        aside: <a href={`${cardHref(card.id)}/sessions`}>{say.allSessions(format.number(card.sessions))}</a>,
      })}
    >
      <SessionRows view={view} sessions={lately.sessions} />
    </Card>
  );
}

/** Sessions of a card. */
export function SessionRows({ view, sessions }: { view: ConsoleView; sessions: readonly CardSession[] }) {
  const { card: say } = view.words.cards;
  const { format, now } = view;
  const columns = [
    { title: say.columns.start },
    { title: say.columns.end },
    { title: say.columns.lasted, end: true },
    { title: say.columns.device },
    { title: say.columns.router },
    { title: say.columns.data, end: true },
  ];
  return (
    <Table caption={say.sessions} columns={columns} kind="short-rows">
      {sessions.map((session) => (
        <tr>
          <td class="lead">{format.near(session.startedAt, now)}</td>
          <td>{session.stoppedAt === null ? say.open : format.near(session.stoppedAt, now)}</td>
          <td class="end">{format.duration(Math.max(0, (session.stoppedAt ?? now) - session.startedAt))}</td>
          <td>
            <Device mac={session.mac} />
          </td>
          <td>
            <Router session={session} />
          </td>
          <td class="end sum">{format.bytes(session.inputOctets + session.outputOctets)}</td>
        </tr>
      ))}
    </Table>
  );
}

function Device({ mac }: { mac: string | null }) {
  if (mac === null) return null;
  return (
    <>
      <span class="mono">{mac}</span> <span class="hint">{makerOf(mac)}</span>
    </>
  );
}

function Router({ session: { nasId, nasName } }: { session: CardSession }) {
  if (nasId === null) return <bdi>{nasName}</bdi>;
  return (
    <a href={`/console/online?router=${nasId}`}>
      <bdi>{nasName}</bdi>
    </a>
  );
}

/** What was decided when somebody tried it. */
export function CardLogins({ visit, shown: { view, card, lately } }: { visit: StaffVisit; shown: Shown }) {
  const { card: say } = view.words.cards;
  const { format, now, words } = view;
  const columns = [
    { title: say.loginColumns.when },
    { title: say.loginColumns.decision },
    { title: say.loginColumns.why },
    { title: say.loginColumns.device },
    { title: say.loginColumns.router },
  ];
  return (
    <Card
      title={say.logins}
      kind="with-table"
      {...(may(visit.by, "session_view") && {
        aside: <a href={`/console/logins?who=${cardNumber(card.id)}`}>{say.allLogins}</a>,
      })}
    >
      <Table caption={say.logins} columns={columns} kind="short-rows">
        {lately.logins.map(({ at, accepted, reason, mac, nasName }) => (
          <tr>
            <td class="lead">{format.near(at, now)}</td>
            <td class={accepted ? "sum good-text" : "sum bad-text"}>
              <Icon name={accepted ? "check" : "close"} /> {accepted ? say.accepted : say.rejected}
            </td>
            <td>{words.matter.reasonOf(reason)}</td>
            <td>
              <Device mac={mac} />
            </td>
            <td>
              <bdi>{nasName}</bdi>
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}
