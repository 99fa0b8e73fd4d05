import { cardNumber } from "../../../../domain/goods/codes/codes.ts";
import { cardSessions } from "../../../../domain/service/cards/lately.ts";
import { cardById } from "../../../../domain/service/cards/list.ts";
import { page } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { pageIn, ROWS } from "../../parts/pager.tsx";
import { Sessions } from "./card-lists.tsx";
import { cardIdOf } from "./paths.ts";
import { cardHref } from "../../parts/hrefs.ts";

export function showCardSessions(visit: StaffVisit): Response {
  const { db, by, now, query, view } = visit;
  const card = cardById(db, by, cardIdOf(visit), { now });
  const { id, sessions: total } = card;
  const offset = (pageIn(query, { total, limit: ROWS }) - 1) * ROWS;
  const sessions = cardSessions(db, by, card, { limit: ROWS, offset });
  const { card: phrases } = view.words.cards;
  const title = phrases.sessionsTitle(cardNumber(id));
  return page(
    visit,
    <Frame visit={visit} title={title} place="cards" back={{ href: cardHref(id), label: phrases.showCard }}>
      <div class="page-head">
        <h1>{title}</h1>
      </div>
      <div class={sessions.length === 0 ? "card" : "stack"}>
        <Sessions visit={{ ...visit, view }} rows={sessions} total={total} limit={ROWS} />
      </div>
    </Frame>,
  );
}
