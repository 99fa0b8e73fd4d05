import type { Decision } from "../../../../domain/service/access/decisions.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { Icon, type IconName } from "../../../pages/icons.tsx";
import { cachedFigures } from "../../figures.ts";
import type { StaffVisit } from "../../guard.ts";
import { cardHrefFor } from "../../parts/hrefs.ts";
import { list, PLAIN } from "../../parts/list.tsx";
import { Device } from "../../parts/device.tsx";
import { loginsHref, loginsQuery } from "./query.ts";
import { outcomeOf, Phrases } from "./phrases.tsx";

const icons: Readonly<Record<Outcome, IconName>> = {
  in: "check",
  pay: "money",
  out: "close",
};
const tones: Readonly<Record<Outcome, string>> = { in: "good", pay: "warn", out: "bad" };
const DAY = 86_400;

export const Decisions = list<Decision>((visit) => {
  const { words, format } = visit.view;
  const { logins } = words;
  const { columns } = logins;
  return {
    name: logins.table,
    call: "loginLog",
    kind: PLAIN,
    row: (decision) => ({ id: `login-${decision.id}`, class: outcomeOf(decision) }),
    columns: [
      {
        title: columns.time,
        narrow: "sum",
        cell: (decision) => <time>{formatTimeOrDay(visit, decision)}</time>,
      },
      {
        title: <span class="unseen">{columns.result}</span>,
        name: "result-cell",
        cell: (decision) => <Result visit={visit} outcome={outcomeOf(decision)} />,
      },
      {
        title: columns.name,
        narrow: "lead",
        cell: (decision) => <Who visit={visit} decision={decision} />,
      },
      {
        title: columns.decided,
        name: "said-cell",
        kind: (decision) => (outcomeOf(decision) === "in" ? "soft-text" : ""),
        cell: (decision) => <Phrases visit={visit} decision={decision} />,
      },
      {
        title: columns.often,
        end: true,
        cell: ({ refusedInHour }) =>
          refusedInHour > 1 && (
            <strong title={logins.timesHint(refusedInHour)}>
              {logins.times(format.number(refusedInHour))}
            </strong>
          ),
      },
      {
        title: columns.router,
        name: "router-cell",
        narrow: "low",
        kind: "soft-text",
        cell: ({ nasName, nasAddress }) => nasName ?? nasAddress,
      },
      {
        title: columns.device,
        name: "device-cell",
        cell: ({ mac }) => <Device words={visit.view.words} mac={mac} />,
      },
    ],
    empty: { icon: "leave", ...logins.empty },
  };
});

type Outcome = ReturnType<typeof outcomeOf>;

function Result({ visit, outcome }: { visit: StaffVisit; outcome: Outcome }) {
  return (
    <>
      <span class={`disc ${tones[outcome]}`}>
        <Icon name={icons[outcome]} />
      </span>
      <span class="unseen">{visit.view.words.logins.states[outcome]}</span>
    </>
  );
}

function formatTimeOrDay({ view, now }: StaffVisit, { at }: Decision): string {
  const figures = cachedFigures(view);
  return now - at < DAY ? figures.clock(at) : `${figures.day(at)} ${figures.time(at)}`;
}

/** A link to the person, or for an unknown name to its other tries. */
function Who({ visit, decision }: { visit: StaffVisit; decision: Decision }) {
  const { subscriberId, name, username } = decision;
  const card = cardHrefFor(visit.by, decision);
  if (card !== undefined)
    return (
      <a class="name mono" href={card}>
        {username}
      </a>
    );
  if (subscriberId === null)
    return (
      <a
        class="name mono"
        dir="auto"
        href={loginsHref(loginsQuery(visit.query), { username, mac: undefined })}
      >
        {username}
      </a>
    );
  if (!may(visit.by, "subscriber_view"))
    return (
      <span class="name" dir="auto">
        {name ?? username}
      </span>
    );
  return (
    <a class="name" dir="auto" href={`/console/subscribers/${subscriberId}`} title={username}>
      {name ?? username}
    </a>
  );
}
