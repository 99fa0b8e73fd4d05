import { cardNumber } from "../../../../domain/goods/codes/codes.ts";
import { cardSessions } from "../../../../domain/service/cards/lately.ts";
import { cardById } from "../../../../domain/service/cards/list.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { page } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { ROWS } from "../../log.tsx";
import { pageAsked } from "../../page-links.tsx";
import { Pages } from "../team/paged.tsx";
import { SessionRows } from "./card-lists.tsx";
import { cardHref, cardIdOf } from "./paths.ts";

/** All sessions of a card, the newest first. */
export function showCardSessions(visit: StaffVisit): Response {
  const { db, by, now, query, view } = visit;
  const { id, sessions: total } = cardById(db, by, cardIdOf(visit), { now });
  const offset = (pageAsked(query) - 1) * ROWS;
  const sessions = cardSessions(db, by, { id }, { now, limit: ROWS, offset });
  const { card: say } = view.words.cards;
  const title = say.sessionsTitle(cardNumber(id));
  return page(
    visit,
    <Frame visit={visit} title={title} place="cards">
      <div class="page-head">
        <h1>{title}</h1>
        <div class="actions">
          <Button href={cardHref(id)} icon="back">
            {say.showCard}
          </Button>
        </div>
      </div>
      <div class="stack">
        {sessions.length === 0 ? (
          <div class="card">
            <Empty icon="sessions" title={say.sessions} text={say.noSessions} />
          </div>
        ) : (
          <SessionRows view={view} sessions={sessions} />
        )}
        <Pages visit={visit} total={total} limit={ROWS} path={`${cardHref(id)}/sessions`} />
      </div>
    </Frame>,
  );
}
