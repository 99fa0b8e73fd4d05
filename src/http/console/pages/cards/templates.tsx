import {
  type CardTemplate,
  listCardTemplates,
  templateParts,
} from "../../../../domain/service/cards/templates.ts";
import { may, requireFlag, seesWholeIsp } from "../../../../domain/core/actor/actor.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { page } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { list } from "../../parts/list.tsx";
import { CARDS } from "../../parts/hrefs.ts";

const HREF = `${CARDS}/templates`;

export function showTemplates(visit: StaffVisit): Response {
  const { db, by, view } = visit;
  requireFlag(by, "card_make");
  const { tpl } = view.words.cardPrint;
  const templates = listCardTemplates(db, by);
  const isAny = templates.length > 0;
  return page(
    visit,
    <Frame
      visit={visit}
      title={tpl.title}
      place="cards"
      back={{ href: CARDS, label: view.words.places.cards }}
    >
      <div class="page-head">
        <h1>{tpl.title}</h1>
        {isAny && makesTemplates(visit) && <div class="actions">{newButton(visit)}</div>}
      </div>
      <div class="stack">
        <Templates visit={visit} rows={templates}>
          {isAny && <p class="sentence">{tpl.lead}</p>}
        </Templates>
      </div>
    </Frame>,
  );
}

const makesTemplates = ({ by }: StaffVisit) => may(by, "card_make") && seesWholeIsp(by.scope);

const newButton = (visit: StaffVisit) =>
  makesTemplates(visit) ? (
    <Button href={`${HREF}/new`} kind="solid" icon="plus" dataKey="n" showKey="N">
      {visit.view.words.cardPrint.tpl.new}
    </Button>
  ) : undefined;

export const Templates = list<CardTemplate>((visit) => {
  const { cardPrint } = visit.view.words;
  const { tpl } = cardPrint;
  return {
    name: tpl.title,
    columns: [
      {
        title: tpl.nameColumn,
        cell: ({ id, name }) =>
          makesTemplates(visit) ? (
            <a href={`${HREF}/${id}`}>
              <bdi>{name}</bdi>
            </a>
          ) : (
            <bdi>{name}</bdi>
          ),
        narrow: "lead",
      },
      { title: cardPrint.sheet, cell: ({ sheet }) => cardPrint.sheets[sheet] },
      {
        title: tpl.contains,
        cell: ({ parts }) =>
          templateParts
            .filter((part) => parts[part])
            .map((part) => tpl.parts[part])
            .join(visit.view.words.list.comma),
        narrow: "low",
      },
    ],
    empty: { icon: "card", title: tpl.none, text: tpl.noneText, first: newButton(visit) },
  };
});
