import { sampleCode } from "../../../../domain/service/cards/printed.ts";
import { CLEAR_SYMBOLS } from "../../../../domain/goods/codes/codes.ts";
import { sheets } from "../../../../domain/service/cards/sheets.ts";
import {
  type CardTemplate,
  cardTemplateById,
  createCardTemplate,
  deleteCardTemplate,
  readTemplate,
  templateParts,
  templateWords,
  updateCardTemplate,
  usualTemplate,
} from "../../../../domain/service/cards/templates.ts";
import { DomainError, type Faults, type FieldErrors } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { requireFlag, requireWholeIsp } from "../../../../domain/core/actor/actor.ts";
import { pathId } from "../../../form.ts";
import { attempt } from "../../attempt.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Check, Field, Select } from "../../../pages/parts/field.tsx";
import { page, part, flash } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { chooseIsp, IspField } from "../../isp-field.tsx";
import { form } from "../../parts/form.tsx";
import { Sample, templateLook } from "./look.tsx";
import { brandFor } from "../../parts/isp-view.ts";
import { CARDS } from "../../parts/hrefs.ts";

const HREF = `${CARDS}/templates`;
const wordNames = ["heading", "line_1", "line_2"] as const;

const found = ({ db, by, params }: StaffVisit) =>
  cardTemplateById(db, by, { id: pathId("template", params["id"] ?? null) });

/** Begins with the values of the default one. */
export function newTemplate(visit: StaffVisit): Response {
  requireFlag(visit.by, "card_make");
  requireWholeIsp(visit.by, "templates of cards");
  return editor(visit, { template: usualTemplate });
}

export function editTemplate(visit: StaffVisit): Response {
  requireWholeIsp(visit.by, "templates of cards");
  return editor(visit, { template: found(visit) });
}

export async function create(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const done = await attempt(visit, async () => createCardTemplate(db, by, toInput(input), { now }));
  if (done instanceof DomainError)
    return editor(visit, { template: overlaid(usualTemplate, input), refused: done, isp: input["isp_id"] });
  const { tpl } = view.words.cardPrint;
  return flash(visit, { kind: "good", title: tpl.made(done.name), text: tpl.madeText }, HREF);
}

export async function save(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const before = found(visit);
  const id = before.id ?? 0;
  const done = await attempt(visit, async () =>
    updateCardTemplate(db, by, { id, input: toInput(input) }, { now }),
  );
  if (done instanceof DomainError) return editor(visit, { template: overlaid(before, input), refused: done });
  return flash(visit, { kind: "good", title: view.words.cardPrint.tpl.saved(done.name) }, HREF);
}

/** Explains what deleting does. */
export const templateRemoval = form({
  path: `${HREF}/:id/delete`,
  of: (visit) => {
    requireWholeIsp(visit.by, "templates of cards");
    return found(visit);
  },
  content: ({ view }, { id, name }) => {
    const { tpl } = view.words.cardPrint;
    return {
      title: tpl.removeOf(view.format.name(name)),
      place: "cards",
      back: `${HREF}/${id}`,
      submit: tpl.remove,
      danger: true,
      leaves: true,
      text: <p>{tpl.removeLead}</p>,
    };
  },
  save: ({ db, by, now }, { id }) => deleteCardTemplate(db, by, { id: id ?? 0 }, { now }),
  done: ({ view: { words } }, { name }) => {
    const { tpl } = words.cardPrint;
    return { title: tpl.removed(name), text: tpl.removedText, to: HREF };
  },
});

/** Renders the typed template. */
export function preview(visit: StaffVisit, input: Input): Response {
  requireFlag(visit.by, "card_make");
  return part(
    visit,
    <SampleCard visit={visit} template={overlaid(usualTemplate, input)} isp={input["isp_id"]} />,
  );
}

/** The input with unticked boxes, which browsers do not send. */
function toInput(input: Input): Input {
  const parts = templateParts.map((name) => [name, input[name] === "1" ? 1 : 0] as const);
  return { ...input, ...Object.fromEntries(parts) };
}

/** The template with typed values, where they are valid. */
function overlaid(template: CardTemplate, input: Input): CardTemplate {
  const faults: Faults = {};
  const read = readTemplate(toInput(input), template, faults);
  const name = input["name"];
  return typeof name === "string" ? { ...read, name: name.slice(0, 200) } : read;
}

interface Edited {
  readonly template: CardTemplate;
  readonly refused?: DomainError;
  /** An operator's choice. */
  readonly isp?: unknown;
}

function chooseIspId(visit: StaffVisit, { ispId }: CardTemplate, chosen: unknown): number {
  return ispId ?? chooseIsp(visit, chosen) ?? 0;
}

function editor(visit: StaffVisit, { template, refused, isp }: Edited): Response {
  const { view, formToken } = visit;
  const { tpl, back } = view.words.cardPrint;
  const isNew = template.id === null;
  const title = isNew ? tpl.new : tpl.editTitle(view.format.name(template.name));
  const action = isNew ? `${HREF}/new` : `${HREF}/${template.id}`;
  return page(
    visit,
    <Frame
      visit={visit}
      title={title}
      place="cards"
      back={{ href: HREF, label: view.words.cardPrint.templates }}
    >
      <div class="page-head">
        <h1>{title}</h1>
        {!isNew && (
          <div class="actions">
            <Button href={`${action}/delete`} kind="danger" drawer>
              {tpl.remove}
            </Button>
          </div>
        )}
      </div>
      <form
        class="split card-columns"
        method="post"
        action={action}
        hx-post={`${HREF}/sample`}
        hx-trigger="input delay:250ms from:this"
        hx-target="#template-sample"
        hx-swap="outerMorph"
        hx-sync="this:replace"
      >
        <FormToken value={formToken} />
        <div class="stack">
          {refused && <Note kind="bad">{tpl.notSaved(refused.message)}</Note>}
          <Fields visit={visit} template={template} faults={refused?.fields ?? {}} isp={isp} />
          <div class="actions">
            <Button kind="solid" size="large">
              {isNew ? tpl.make : tpl.save}
            </Button>
            <Button href={HREF} size="large">
              {back}
            </Button>
          </div>
        </div>
        <SampleCard visit={visit} template={template} isp={isp} />
      </form>
    </Frame>,
    { status: refused ? 422 : 200 },
  );
}

function SampleCard({ visit, template, isp }: { visit: StaffVisit; template: CardTemplate; isp: unknown }) {
  const { cardPrint } = visit.view.words;
  const code = sampleCode({ prefix: "", length: 8, alphabet: CLEAR_SYMBOLS });
  return (
    <div id="template-sample">
      <Card title={cardPrint.sample} lead={cardPrint.sampleLead}>
        <Sample look={templateLook(visit, template, chooseIspId(visit, template, isp))} code={code} />
      </Card>
    </div>
  );
}

interface FieldsProps {
  visit: StaffVisit;
  template: CardTemplate;
  faults: FieldErrors;
  isp: unknown;
}

function Fields({ visit, template, faults, isp }: FieldsProps) {
  const { view } = visit;
  const { cardPrint } = view.words;
  const { tpl } = cardPrint;
  const fault = (name: string) => faults[name]?.join(" ");
  const usualName = brandFor(visit, chooseIspId(visit, template, isp)).name;
  return (
    <>
      <Card title={tpl.content}>
        <div class="stack">
          {template.id === null && <IspField visit={visit} value={isp} fault={fault("isp_id")} />}
          <Field
            name="name"
            label={tpl.name}
            help={tpl.nameHelp}
            fault={fault("name")}
            value={template.name}
            required
            attributes={{ maxlength: 60, autocomplete: "off" }}
          />
          <Select
            name="sheet"
            label={cardPrint.sheet}
            value={template.sheet}
            fault={fault("sheet")}
            options={sheets.map((value) => ({ value, label: cardPrint.sheets[value] }))}
          />
          <fieldset class="stack near">
            <legend class="legend">{tpl.contains}</legend>
            {templateParts.map((name) => (
              <Check name={name} label={tpl.parts[name]} checked={template.parts[name]} />
            ))}
          </fieldset>
        </div>
      </Card>
      <Card title={tpl.words}>
        <div class="stack">
          <p class="hint">{tpl.wordsHelp}</p>
          {wordNames.map((name) => (
            <Field
              name={name}
              label={tpl[name]}
              {...(name === "heading" && { help: tpl.headingHelp(view.format.name(usualName)) })}
              fault={fault(name)}
              value={template.words[name]}
              attributes={{ maxlength: templateWords[name], autocomplete: "off", dir: "auto" }}
            />
          ))}
        </div>
      </Card>
    </>
  );
}
