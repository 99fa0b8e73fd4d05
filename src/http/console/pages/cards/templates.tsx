import {
  type CardTemplate,
  listCardTemplates,
  templateParts,
} from "../../../../domain/service/cards/templates.ts";
import { may, requireFlag, seesWholeIsp } from "../../../../domain/core/actor/actor.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import { page } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { CARDS } from "./paths.ts";

const HREF = `${CARDS}/templates`;

/** How the cards of the ISP may look. */
export function showTemplates(visit: StaffVisit): Response {
  const { db, by, view } = visit;
  requireFlag(by, "card_make");
  const { tpl } = view.words.cardPrint;
  const templates = listCardTemplates(db, by);
  const makes = may(by, "card_make") && seesWholeIsp(by.scope);
  const button = makes && (
    <Button href={`${HREF}/new`} kind="solid" icon="plus" dataKey="n" showKey="N">
      {tpl.new}
    </Button>
  );
  return page(
    visit,
    <Frame visit={visit} title={tpl.title} place="cards">
      <div class="page-head">
        <h1>{tpl.title}</h1>
        {templates.length > 0 && button && <div class="actions">{button}</div>}
      </div>
      {templates.length === 0 ? (
        <section class="card">
          <Empty icon="card" title={tpl.none} text={tpl.noneText}>
            {button || undefined}
          </Empty>
        </section>
      ) : (
        <div class="stack">
          <p class="sentence">{tpl.lead}</p>
          <Rows visit={visit} templates={templates} makes={makes} />
        </div>
      )}
    </Frame>,
  );
}

interface RowsProps {
  visit: StaffVisit;
  templates: readonly CardTemplate[];
  makes: boolean;
}

function Rows({ visit: { view }, templates, makes }: RowsProps) {
  const { cardPrint } = view.words;
  const { tpl } = cardPrint;
  return (
    <Table
      caption={tpl.title}
      columns={[{ title: tpl.nameColumn }, { title: cardPrint.sheet }, { title: tpl.contains, low: true }]}
      kind="short-rows"
    >
      {templates.map(({ id, name, sheet, parts }) => (
        <tr>
          <td class="lead">
            {makes ? (
              <a href={`${HREF}/${id}`}>
                <bdi>{name}</bdi>
              </a>
            ) : (
              <bdi>{name}</bdi>
            )}
          </td>
          <td>{cardPrint.sheets[sheet]}</td>
          <td class="low">
            {templateParts
              .filter((part) => parts[part])
              .map((part) => tpl.parts[part])
              .join(", ")}
          </td>
        </tr>
      ))}
    </Table>
  );
}
