import { sampleCode } from "../../../../domain/cards/paper.ts";
import { paperBatch, printableBatch } from "../../../../domain/cards/print.ts";
import { mostAtOnce, sheets } from "../../../../domain/cards/sheets.ts";
import type { CardBatch } from "../../../../domain/cards/standing.ts";
import { may } from "../../../../domain/staff/actor.ts";
import { pathId } from "../../../form.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Field, Select } from "../../../pages/parts/field.tsx";
import { page, part } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { CARDS, type Chosen, chosenLook, Lacks, Sample } from "./look.tsx";
import { showSheets } from "./sheets.tsx";
import { given } from "./ticket.tsx";

const found = ({ db, by, params }: StaffVisit) =>
  printableBatch(db, by, { batchId: pathId("batch", params["id"] ?? null) });

/** What is to be printed, and how; with a range in the address the cards themselves, which is when their codes are opened. */
export function printBatch(visit: StaffVisit): Response {
  const { query } = visit;
  return query.has("from") || query.has("to") ? showSheets(visit) : choose(visit);
}

/** The card beside the form, while paper and template are chosen; with the form where somebody opens it by itself. */
export function showSample(visit: StaffVisit): Response {
  if (!visit.isPart) return choose(visit);
  const batch = found(visit);
  return part(visit, <Shown visit={visit} chosen={chosenLook(visit, batch)} code={sampleCode(batch)} />);
}

function choose(visit: StaffVisit): Response {
  const { view } = visit;
  const batch = found(visit);
  const { cardPrint: words } = view.words;
  const chosen = chosenLook(visit, batch);
  const title = words.title(paperBatch(batch));
  const [what] = given(chosen.look);
  return page(
    visit,
    <Frame visit={visit} title={title} place="cards">
      <div class="page-head">
        <h1>{title}</h1>
        <div class="actions">
          <Button href={`${CARDS}/templates`}>{words.templates}</Button>
          <Button href={`${CARDS}/batches/${batch.id}/codes.csv`} icon="download">
            {words.file}
          </Button>
        </div>
      </div>
      <div class="stack">
        <p class="sentence">{words.lead(view.format.number(batch.quantity), view.format.name(what))}</p>
        <div class="columns card-columns">
          <Form visit={visit} chosen={chosen} batch={batch} />
          <Card title={words.sample} lead={words.sampleLead}>
            <Shown visit={visit} chosen={chosen} code={sampleCode(batch)} />
          </Card>
        </div>
      </div>
    </Frame>,
  );
}

function Shown({ visit, chosen: { look }, code }: { visit: StaffVisit; chosen: Chosen; code: string }) {
  return (
    <div id="print-sample" class="stack">
      <Sample look={look} code={code} />
      <Lacks visit={visit} look={look} />
    </div>
  );
}

interface FormProps {
  visit: StaffVisit;
  chosen: Chosen;
  batch: CardBatch;
}

function Form({ visit: { view, by }, chosen: { look, templates }, batch: { id, quantity } }: FormProps) {
  const path = `${CARDS}/batches/${id}/print`;
  const { cardPrint: words } = view.words;
  const { template, sheet } = look;
  const most = mostAtOnce(sheet);
  const numbers = { inputmode: "numeric", autocomplete: "off", min: 1, max: quantity } as const;
  return (
    <form
      method="get"
      action={path}
      class="stack"
      hx-get={`${path}/sample`}
      hx-trigger="change from:this"
      hx-target="#print-sample"
      hx-swap="outerMorph"
      hx-sync="this:replace"
    >
      <Card title={words.print}>
        <div class="stack">
          <Select
            name="sheet"
            label={words.sheet}
            value={sheet}
            options={sheets.map((value) => ({ value, label: words.sheets[value] }))}
          />
          <Select
            name="template"
            label={words.template}
            value={template.id ?? ""}
            options={[
              { value: "", label: words.usual },
              ...templates.map((one) => ({ value: one.id ?? "", label: one.name })),
            ]}
          />
          <Field name="from" label={words.from} type="number" value={1} required attributes={numbers} />
          <Field
            name="to"
            label={words.to}
            type="number"
            value={quantity}
            {...(quantity > most && { help: words.toHelp(view.format.number(most)) })}
            required
            attributes={numbers}
          />
          {may(by, "card_make") && (
            <div class="actions">
              <Button kind="solid" size="large">
                {words.show}
              </Button>
            </div>
          )}
        </div>
      </Card>
    </form>
  );
}
