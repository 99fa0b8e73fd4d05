import { cardById } from "../../../../domain/service/cards/list.ts";
import { sampleCode } from "../../../../domain/service/cards/printed.ts";
import { printedBatch, printableBatch } from "../../../../domain/service/cards/print.ts";
import { mostAtOnce, sheets } from "../../../../domain/service/cards/sheets.ts";
import { cardNumber } from "../../../../domain/goods/codes/codes.ts";
import type { CardBatch } from "../../../../domain/service/cards/standing.ts";
import type { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Field, Select } from "../../../pages/parts/field.tsx";
import { page, part } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { type ReadValue, valuesIn } from "../../parts/keyed.tsx";
import { type Chosen, chosenLook, Lacks, Sample } from "./look.tsx";
import { newKey } from "./opened-once.ts";
import { readBatchId, readCardId } from "./paths.ts";
import { batchHref, cardHref, CARDS } from "../../parts/hrefs.ts";
import { ticketValues } from "./ticket.tsx";

/** The print form and its fault. */
interface Printing {
  readonly batch: CardBatch;
  /** A single lost card; undefined: a range. */
  readonly cardId?: number;
  readonly refused?: DomainError;
}

const queryValues =
  ({ query }: StaffVisit): ReadValue =>
  (name) =>
    query.get(name) ?? "";

export function printBatch(visit: StaffVisit): Response {
  const batch = printableBatch(visit.db, visit.by, { batchId: readBatchId(visit) });
  return choose(visit, { batch }, queryValues(visit));
}

export function printCard(visit: StaffVisit): Response {
  const { db, by, now } = visit;
  const { id, batchId } = cardById(db, by, readCardId(visit), { now });
  return choose(visit, { batch: printableBatch(db, by, { batchId }), cardId: id }, queryValues(visit));
}

/** The sample, for the chosen paper and template, and how many fit into one printing. */
export function showSample(visit: StaffVisit, input: Input): Response {
  const batch = printableBatch(visit.db, visit.by, { batchId: readBatchId(visit) });
  const chosen = chosenLook(visit, batch, valuesIn(input));
  return part(
    visit,
    <>
      <SampleCard visit={visit} chosen={chosen} code={sampleCode(batch)} />
      <ToHelp visit={visit} chosen={chosen} batch={batch} isBeside />
    </>,
  );
}

export function choose(visit: StaffVisit, printing: Printing, values: ReadValue): Response {
  const { view } = visit;
  const { batch, cardId, refused } = printing;
  const { cardPrint: words } = view.words;
  const chosen = chosenLook(visit, batch, values);
  const title =
    cardId === undefined ? words.title(printedBatch(batch)) : words.againTitle(cardNumber(cardId));
  const [what] = ticketValues(chosen.look);
  const back =
    cardId === undefined
      ? { href: batchHref(batch.id), label: view.words.cards.batch.title(printedBatch(batch)) }
      : { href: cardHref(cardId), label: cardNumber(cardId) };
  return page(
    visit,
    <Frame visit={visit} title={title} place="cards" back={back}>
      <div class="page-head">
        <h1>{title}</h1>
        <div class="actions">
          <Button href={`${CARDS}/templates`}>{words.templates}</Button>
          {cardId === undefined && <CodesFile visit={visit} batch={batch} />}
        </div>
      </div>
      <div class="stack">
        <p class="sentence">
          {cardId === undefined ? words.lead(batch.quantity, view.format.name(what)) : words.againLead}
        </p>
        {refused && <Note kind="bad">{words.notShown(refused.message)}</Note>}
        <div class="split card-columns">
          <Form visit={visit} chosen={chosen} printing={printing} values={values} />
          <Card title={words.sample} lead={words.sampleLead}>
            <SampleCard visit={visit} chosen={chosen} code={sampleCode(batch)} />
          </Card>
        </div>
      </div>
    </Frame>,
    { status: refused ? 422 : 200 },
  );
}

/** All codes as a file, for printers with software of their own. */
function CodesFile({ visit: { view, formToken }, batch }: { visit: StaffVisit; batch: CardBatch }) {
  return (
    <form class="action" method="post" action={`${batchHref(batch.id)}/codes.csv`}>
      <FormToken value={formToken} />
      <Button icon="download">{view.words.cardPrint.file}</Button>
    </form>
  );
}

function SampleCard({ visit, chosen: { look }, code }: { visit: StaffVisit; chosen: Chosen; code: string }) {
  return (
    <div id="print-sample" class="stack">
      <Sample look={look} code={code} />
      <Lacks visit={visit} look={look} />
    </div>
  );
}

/** Cards of one page, where the batch has more; `isBeside`: an update in place. */
function ToHelp({
  visit: { view },
  chosen: { look },
  batch,
  isBeside = false,
}: {
  visit: StaffVisit;
  chosen: Chosen;
  batch: CardBatch;
  isBeside?: boolean;
}) {
  const most = mostAtOnce(look.sheet);
  return (
    <span id="to-most" {...(isBeside && { "hx-swap-oob": "true" })}>
      {batch.quantity > most && view.words.cardPrint.toHelp(most)}
    </span>
  );
}

interface FormProps {
  visit: StaffVisit;
  chosen: Chosen;
  printing: Printing;
  values: ReadValue;
}

function Form({ visit, chosen, printing: { batch, cardId, refused }, values }: FormProps) {
  const { view, formToken } = visit;
  const { cardPrint: words } = view.words;
  const { look, templates } = chosen;
  const numbers = { inputmode: "numeric", autocomplete: "off", min: 1, max: batch.quantity } as const;
  return (
    <form
      method="post"
      action={`${cardId === undefined ? batchHref(batch.id) : cardHref(cardId)}/print`}
      class="stack"
      hx-post={`${batchHref(batch.id)}/print/sample`}
      hx-trigger="change from:this"
      hx-target="#print-sample"
      hx-swap="outerMorph"
      hx-sync="this:replace"
    >
      <FormToken value={formToken} />
      <input type="hidden" name="key" value={newKey()} />
      <Card title={words.print}>
        <div class="stack">
          <Select
            name="sheet"
            label={words.sheet}
            value={look.sheet}
            options={sheets.map((value) => ({ value, label: words.sheets[value] }))}
          />
          <Select
            name="template"
            label={words.template}
            value={look.template.id ?? ""}
            options={[
              { value: "", label: words.usual },
              ...templates.map((one) => ({ value: one.id ?? "", label: one.name })),
            ]}
          />
          {cardId === undefined && (
            <div class="fields">
              <Field
                name="from"
                label={words.from}
                type="number"
                value={values("from") || 1}
                fault={refused?.fields?.["from"]?.[0]}
                required
                attributes={numbers}
              />
              <Field
                name="to"
                label={words.to}
                type="number"
                value={values("to") || batch.quantity}
                fault={refused?.fields?.["to"]?.[0]}
                help={<ToHelp visit={visit} chosen={chosen} batch={batch} />}
                required
                attributes={numbers}
              />
            </div>
          )}
          <div class="actions">
            <Button kind="solid" size="large" icon="print">
              {cardId === undefined ? words.show : words.showOne}
            </Button>
          </div>
        </div>
      </Card>
    </form>
  );
}
