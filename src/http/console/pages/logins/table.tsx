import type { Decision } from "../../../../domain/service/access/decisions.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { Icon, type IconName } from "../../../pages/icons.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import { figuresOf } from "../../figures.ts";
import type { StaffVisit } from "../../guard.ts";
import { cardHrefOf } from "../../parts/hrefs.ts";
import { Device } from "../../parts/device.tsx";
import { type LoginsQuery, hrefOf } from "./query.ts";
import { outcomeOf, Phrases } from "./phrases.tsx";

const icons: Readonly<Record<ReturnType<typeof outcomeOf>, IconName>> = {
  in: "check",
  pay: "money",
  out: "close",
};
const DAY = 86_400;

export function DecisionTable({
  visit,
  query,
  rows,
}: {
  visit: StaffVisit;
  query: LoginsQuery;
  rows: readonly Decision[];
}) {
  const { columns, table } = visit.view.words.logins;
  const heads = [
    { title: columns.time },
    { title: <span class="unseen">{columns.result}</span>, kind: "result-cell" },
    { title: columns.name },
    { title: columns.decided },
    { title: columns.often, end: true },
    { title: columns.router, low: true, kind: "router-cell" },
    { title: columns.device },
  ];
  return (
    <div class="logins-table">
      <Table caption={table} columns={heads}>
        {rows.map((decision) => (
          <Row visit={visit} query={query} decision={decision} />
        ))}
      </Table>
    </div>
  );
}

function Row({ visit, query, decision }: { visit: StaffVisit; query: LoginsQuery; decision: Decision }) {
  const { words, format } = visit.view;
  const { logins } = words;
  const outcome = outcomeOf(decision);
  const often = decision.refusedInHour > 1 ? format.number(decision.refusedInHour) : undefined;
  return (
    <tr id={`login-${decision.id}`} class={outcome}>
      <td class="when-cell">
        <time>{timeOf(visit, decision)}</time>
      </td>
      <td class="result-cell">
        <span class={`mark-of ${outcome}`}>
          <Icon name={icons[outcome]} />
        </span>
        <span class="unseen">{logins.states[outcome]}</span>
      </td>
      <td class="name-cell">
        <Who visit={visit} query={query} decision={decision} />
      </td>
      <td class={outcome === "in" ? "said-cell soft-text" : "said-cell"}>
        <Phrases visit={visit} decision={decision} />
      </td>
      <td class="end often-cell">
        {often !== undefined && <strong title={logins.timesHint(often)}>{logins.times(often)}</strong>}
      </td>
      <td class="low soft-text router-cell">{decision.nasName ?? decision.nasAddress}</td>
      <td class="device-cell">
        <Device mac={decision.mac} />
      </td>
    </tr>
  );
}

function timeOf({ view, now }: StaffVisit, { at }: Decision): string {
  const figures = figuresOf(view);
  return now - at < DAY ? figures.clock(at) : `${figures.day(at)} ${figures.time(at)}`;
}

/** The person, one press away; of a name that is nobody's, its other tries. */
function Who({ visit, query, decision }: { visit: StaffVisit; query: LoginsQuery; decision: Decision }) {
  const { subscriberId, name, username } = decision;
  const card = cardHrefOf(visit.by, decision);
  if (card !== undefined)
    return (
      <a class="name mono" href={card}>
        {username}
      </a>
    );
  if (subscriberId === null)
    return (
      <a class="name mono" dir="auto" href={hrefOf(query, { username, mac: undefined })}>
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
