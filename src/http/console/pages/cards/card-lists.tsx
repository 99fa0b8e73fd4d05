import { cardNumber } from "../../../../domain/goods/codes/codes.ts";
import type { CardLogin, CardSession } from "../../../../domain/service/cards/lately.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { makerIn } from "../../parts/device.tsx";
import type { ConsoleWords } from "../../../words/console.ts";
import { Icon } from "../../../pages/icons.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import type { StaffVisit } from "../../guard.ts";
import { list } from "../../parts/list.tsx";
import { cardHref } from "../../parts/hrefs.ts";
import type { CardContext } from "./verdict.ts";

export function CardSessions({
  visit,
  context: { view, card, lately },
}: {
  visit: StaffVisit;
  context: CardContext;
}) {
  const { card: phrases } = view.words.cards;
  const isMore = card.sessions > lately.sessions.length;
  return (
    <Card
      title={phrases.sessions}
      {...(isMore && {
        aside: <a href={`${cardHref(card.id)}/sessions`}>{phrases.allSessions(card.sessions)}</a>,
      })}
    >
      <Sessions visit={{ ...visit, view }} rows={lately.sessions} />
    </Card>
  );
}

export const Sessions = list<CardSession>(({ view: { words, format }, now }) => {
  const { card: phrases } = words.cards;
  return {
    name: phrases.sessions,
    columns: [
      { title: phrases.columns.start, cell: ({ startedAt }) => format.near(startedAt, now), narrow: "lead" },
      {
        title: phrases.columns.end,
        cell: ({ stoppedAt }) => (stoppedAt === null ? phrases.open : format.near(stoppedAt, now)),
      },
      {
        title: phrases.columns.lasted,
        cell: ({ startedAt, stoppedAt }) => format.duration(Math.max(0, (stoppedAt ?? now) - startedAt)),
        end: true,
      },
      { title: phrases.columns.device, cell: ({ mac }) => <Device words={words} mac={mac} /> },
      { title: phrases.columns.router, cell: (session) => <Router session={session} /> },
      {
        title: phrases.columns.data,
        cell: ({ inputOctets, outputOctets }) => format.bytes(inputOctets + outputOctets),
        end: true,
        narrow: "sum",
      },
    ],
    empty: phrases.noSessions,
  };
});

function Device({ words, mac }: { words: ConsoleWords; mac: string | null }) {
  if (mac === null) return null;
  return (
    <>
      <span class="mono">{mac}</span> <span class="hint">{makerIn(words, mac)}</span>
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

export function CardLogins({
  visit,
  context: { view, card, lately },
}: {
  visit: StaffVisit;
  context: CardContext;
}) {
  const { card: phrases } = view.words.cards;
  return (
    <Card
      title={phrases.logins}
      {...(may(visit.by, "session_view") && {
        aside: <a href={`/console/logins?who=${cardNumber(card.id)}`}>{phrases.allLogins}</a>,
      })}
    >
      <Logins visit={{ ...visit, view }} rows={lately.logins} />
    </Card>
  );
}

export const Logins = list<CardLogin>(({ view: { words, format }, now }) => {
  const { card: phrases } = words.cards;
  return {
    name: phrases.logins,
    columns: [
      { title: phrases.loginColumns.when, cell: ({ at }) => format.near(at, now), narrow: "lead" },
      {
        title: phrases.loginColumns.decision,
        cell: ({ accepted }) => (
          <>
            <Icon name={accepted ? "check" : "close"} /> {accepted ? phrases.accepted : phrases.rejected}
          </>
        ),
        narrow: "sum",
        kind: ({ accepted }) => (accepted ? "good-text" : "bad-text"),
      },
      { title: phrases.loginColumns.why, cell: ({ reason }) => words.diagnosis.reasonOf(reason) },
      { title: phrases.loginColumns.device, cell: ({ mac }) => <Device words={words} mac={mac} /> },
      { title: phrases.loginColumns.router, cell: ({ nasName }) => <bdi>{nasName}</bdi> },
    ],
    empty: phrases.noSessions,
  };
});
