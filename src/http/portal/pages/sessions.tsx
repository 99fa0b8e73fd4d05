import { durationOf, type SessionItem } from "../../../domain/desk/portal/history.ts";
import type { Page } from "../paged.ts";
import { Shell, type View } from "../layout.tsx";
import { Pager } from "../../pages/pager.tsx";

interface SessionsProps {
  view: View;
  formToken: string;
  history: Page<SessionItem>;
}

export function SessionsPage({ view, formToken, history }: SessionsProps) {
  const { sessions: words, home } = view.words;
  return (
    <Shell view={view} title={words.title} place="sessions" formToken={formToken}>
      <h1>{words.title}</h1>
      <p class="lead">{words.lead}</p>
      {history.items.length === 0 ? (
        <p class="card empty">{words.none}</p>
      ) : (
        <div class="card list">
          <table class="rows sessions">
            <thead>
              <tr>
                <th scope="col">{words.start}</th>
                <th scope="col">{words.end}</th>
                <th scope="col">{words.duration}</th>
                <th scope="col">{words.address}</th>
                <th scope="col" class="number">
                  {home.down}
                </th>
                <th scope="col" class="number">
                  {home.up}
                </th>
                <th scope="col">{words.ending}</th>
              </tr>
            </thead>
            <tbody>
              {history.items.map((session) => (
                <Session view={view} session={session} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Pager view={view} href="/portal/sessions" page={history.page} pages={history.pages} />
    </Shell>
  );
}

function Session({ view, session }: { view: View; session: SessionItem }) {
  const { words, format, now } = view;
  const { sessions, home } = words;
  const endings: Readonly<Record<string, string>> = words.endings;
  const { startedAt, stoppedAt, address, prefix, down, up, cause } = session;
  return (
    <tr>
      <th scope="row" data-label={sessions.start}>
        {format.time(startedAt)}
      </th>
      <td data-label={sessions.end}>
        {stoppedAt === null ? <span class="chip on">{sessions.now}</span> : format.time(stoppedAt)}
      </td>
      <td data-label={sessions.duration}>{format.duration(durationOf(session, now))}</td>
      <td data-label={sessions.address}>
        <bdi>{address ?? prefix ?? "–"}</bdi>
      </td>
      <td data-label={home.down} class="number">
        {format.bytes(down)}
      </td>
      <td data-label={home.up} class="number">
        {format.bytes(up)}
      </td>
      <td data-label={sessions.ending} {...(stoppedAt === null && { class: "void" })}>
        {stoppedAt === null ? "" : (endings[cause ?? ""] ?? "–")}
      </td>
    </tr>
  );
}
