import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import {
  type TemplateField,
  templateFields,
  templateFieldsFor,
} from "../../../../domain/around/messages/fields.ts";
import { listRules } from "../../../../domain/around/messages/rules.ts";
import { smsLength } from "../../../../domain/around/messages/sms.ts";
import {
  deleteTemplate,
  listTemplates,
  saveTemplate,
  type Template,
  templateById,
} from "../../../../domain/around/messages/templates.ts";
import { previewTemplate, someoneToShow } from "../../../../domain/around/messages/trial.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { pathId } from "../../../form.ts";
import { attempt, attemptNow, storedTold } from "../../attempt.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Field, Select, TextArea } from "../../../pages/parts/field.tsx";
import { languages } from "../../../words/languages.ts";
import { page, part, flash } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { IspField } from "../../isp-field.tsx";
import { form } from "../../parts/form.tsx";
import { messagePages, MessagesFrame } from "../../parts/messages-frame.tsx";
import { sentence } from "../../parts/phrases.ts";
import { findFault, textIn } from "../../parts/refused.ts";
import { sendValues, type Tried, TryIt } from "./try.tsx";

const TEXTS = messagePages.texts;

export interface TextValues {
  readonly name: string;
  readonly language: string;
  readonly subject: string;
  readonly body: string;
  readonly who: string;
  readonly isp_id: string;
}

const readTemplate = ({ db, by, params }: StaffVisit) =>
  templateById(db, by, { id: pathId("text", params["id"] ?? null) });

export function newText(visit: StaffVisit): Response {
  permit(visit.by, "saveTemplate");
  const { query } = visit;
  const param = (name: string) => query.get(name)?.slice(0, 100) ?? "";
  const values = { name: param("name"), language: param("language") || "en", isp_id: param("isp_id") };
  return editor(visit, { values: { ...values, subject: "", body: "", who: "" } });
}

export function editText(visit: StaffVisit): Response {
  const text = readTemplate(visit);
  const { name, language, subject, body, ispId } = text;
  return editor(visit, { text, values: { name, language, subject, body, who: "", isp_id: String(ispId) } });
}

function readValues(input: Input): TextValues {
  const body = input["body"];
  return {
    name: textIn(input, "name"),
    language: textIn(input, "language"),
    who: textIn(input, "who"),
    subject: textIn(input, "subject"),
    isp_id: textIn(input, "isp_id"),
    body: typeof body === "string" ? body.slice(0, 4100).replaceAll("\r\n", "\n") : "",
  };
}

export async function saveText(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view, params } = visit;
  const text = params["id"] === undefined ? undefined : readTemplate(visit);
  const values = readValues(input);
  const { who: _, ...sent } = values;
  const done = await attempt(visit, async () => saveTemplate(db, by, sent, { now }));
  if (done instanceof DomainError) return editor(visit, { ...(text && { text }), values, refused: done });
  return flash(visit, { kind: "good", title: view.words.messageTexts.saved }, `${TEXTS}/${done.id}`);
}

export async function tryText(visit: StaffVisit, input: Input): Promise<Response> {
  const values = readValues(input);
  return editor(visit, { values, tried: await sendValues(visit, values, input) });
}

/** The preview, updated while typing; the whole page without a script. */
export function previewText(visit: StaffVisit, input: Input): Response {
  const values = readValues(input);
  if (visit.isPart) return part(visit, <Preview visit={visit} values={values} />);
  return editor(visit, { values });
}

export const textRemoval = form({
  path: `${TEXTS}/:id/delete`,
  permit: "deleteTemplate",
  of: readTemplate,
  content: ({ view }, { id, name, language }) => {
    const words = view.words.messageTexts;
    return {
      title: words.deleteTitle(view.format.name(name), language),
      back: `${TEXTS}/${id}`,
      submit: words.delete,
      danger: true,
      leaves: true,
      place: "messages",
      text: <p>{words.deleteText}</p>,
    };
  },
  save: ({ db, by, now }, { id }) => deleteTemplate(db, by, { id }, { now }),
  done: ({ view: { words } }) => ({ title: words.messageTexts.deleted, to: TEXTS }),
});

interface EditorProps {
  readonly text?: Template;
  readonly values: TextValues;
  readonly refused?: DomainError;
  readonly tried?: Tried;
}

function editor(visit: StaffVisit, { text, values, refused, tried }: EditorProps): Response {
  const { by, view, formToken } = visit;
  const words = view.words.messageTexts;
  const mayChange = may(by, "message_manage");
  const look = { "hx-post": `${TEXTS}/preview`, "hx-trigger": "input delay:250ms from:this" };
  return page(
    visit,
    <MessagesFrame
      visit={visit}
      current="texts"
      title={values.name === "" ? words.newTitle : view.format.name(values.name)}
      actions={
        text && mayChange ? (
          <Button href={`${TEXTS}/${text.id}/delete`} kind="danger" drawer>
            {words.delete}
          </Button>
        ) : undefined
      }
    >
      <form
        id="text-form"
        class="split"
        method="post"
        action={text ? `${TEXTS}/${text.id}` : `${TEXTS}/new`}
        {...(mayChange && look)}
        hx-target="#text-preview"
        hx-swap="outerMorph"
        hx-sync="this:replace"
      >
        <FormToken value={formToken} />
        <div class="stack">
          {refused && <Note kind="bad">{view.words.frame.notSaved(refused.message)}</Note>}
          <Words visit={visit} values={values} refused={refused} />
          <div class="actions">
            {mayChange && (
              <Button kind="solid" size="large">
                {words.save}
              </Button>
            )}
            <Button href={TEXTS} size="large">
              {view.words.frame.goBack}
            </Button>
          </div>
        </div>
        <div class="stack">
          {mayChange && <Preview visit={visit} values={values} />}
          {mayChange && <TryIt visit={visit} tried={tried} />}
          {values.name !== "" && <Languages visit={visit} values={values} />}
          <Fields visit={visit} values={values} />
        </div>
      </form>
    </MessagesFrame>,
    { status: refused ? 422 : 200 },
  );
}

interface PartProps {
  visit: StaffVisit;
  values: TextValues;
}

function Words({ visit, values, refused }: PartProps & { refused: DomainError | undefined }) {
  const words = visit.view.words.messageTexts;
  return (
    <Card title={words.text}>
      <div class="stack near">
        <Field
          name="name"
          label={words.name}
          help={words.nameHelp}
          value={values.name}
          required={true}
          fault={findFault(refused, "name")}
          attributes={{ maxlength: 60, autocomplete: "off" }}
        />
        <Select
          name="language"
          label={words.language}
          value={values.language}
          options={languages.map(({ tag, name }) => ({ value: tag, label: name }))}
        />
        <IspField visit={visit} value={values.isp_id} fault={findFault(refused, "isp_id")} />
        <Field
          name="subject"
          label={words.subject}
          help={words.subjectHelp}
          value={values.subject}
          fault={findFault(refused, "subject")}
          attributes={{ maxlength: 200, dir: "auto" }}
        />
        <TextArea
          name="body"
          label={words.body}
          value={values.body}
          rows={8}
          maxLength={4000}
          fault={findFault(refused, "body")}
        />
        <Field
          name="who"
          label={words.who}
          help={words.whoHelp}
          value={values.who}
          attributes={{ maxlength: 60, autocomplete: "off" }}
        />
        <button class="button outline" formaction={`${TEXTS}/preview`} formnovalidate>
          <span>{words.show}</span>
        </button>
      </div>
    </Card>
  );
}

function Preview({ visit, values }: PartProps) {
  const words = visit.view.words.messageTexts;
  return (
    <Card title={words.preview} id="text-preview">
      <Sample visit={visit} values={values} />
    </Card>
  );
}

function Sample({ visit, values }: PartProps) {
  const { db, by, now, view } = visit;
  const words = view.words.messageTexts;
  const who = someoneToShow(db, by, { username: values.who.trim() });
  if (values.body.trim() === "") return null;
  if (!who) return <p class="soft-text">{values.who === "" ? words.noneToShow : words.nobody}</p>;
  const { language, subject, body } = values;
  const filled = attemptNow(visit, () =>
    previewTemplate(db, by, { language, subject, body, user_id: who.id }, { now, brand: view.brand }),
  );
  if (filled instanceof DomainError) {
    const faults = Object.values(filled.fields ?? {}).flat();
    return <p class="fault">{sentence(faults[0] ?? filled.message)}</p>;
  }
  const { coding, segments, places, foreign } = smsLength(filled.body);
  return (
    <div class="stack near" lang={language} dir={languages.find(({ tag }) => tag === language)?.dir ?? "ltr"}>
      {filled.subject !== "" && <strong>{filled.subject}</strong>}
      <p class="quoted">{filled.body}</p>
      <p class="hint" lang={view.words.tag} dir={view.words.dir}>
        <bdi>{who.username}</bdi> · {words.length(segments, places)}{" "}
        {coding === "gsm" ? words.gsm : words.ucs2(foreign.join(" "))}
      </p>
    </div>
  );
}

/** Languages of this text, and missing ones. */
function Languages({ visit: { db, by, view }, values }: PartProps) {
  const words = view.words.messageTexts;
  const there = listTemplates(db, by).filter(
    ({ name, ispId }) => name === values.name && (values.isp_id === "" || String(ispId) === values.isp_id),
  );
  const isp = by.scope.ispId === null && values.isp_id !== "" ? `&isp_id=${values.isp_id}` : "";
  return (
    <Card title={words.others}>
      <ul class="stack near">
        {languages.map(({ tag, name }) => {
          const found = there.find(({ language }) => language === tag);
          const fresh = `${TEXTS}/new?name=${encodeURIComponent(values.name)}&language=${tag}${isp}`;
          if (!found && !may(by, "message_manage")) return null;
          return (
            <li>
              <a
                href={found ? `${TEXTS}/${found.id}` : fresh}
                {...(tag === values.language && { "aria-current": "true" })}
              >
                {found ? <bdi lang={tag}>{name}</bdi> : words.add(view.format.name(name))}
              </a>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

/** Fields that all rules of this text know; else all fields. */
function Fields({ visit: { db, by, view }, values }: PartProps) {
  const words = view.words.messageTexts;
  const names = Object.keys(templateFields) as TemplateField[]; // the keys of a constant
  const rules = listRules(db, by).filter(({ template }) => template === values.name);
  const offered = names.filter((name) => rules.every((rule) => templateFieldsFor(rule).includes(name)));
  return (
    <Card title={words.fields} lead={words.fieldsLead}>
      <ul class="stack near">
        {offered.map((name) => (
          <li>
            <code>{`{{${name}}}`}</code> {view.words.told.fields[name]},{" "}
            <span class="soft-text">{words.example(storedTold(view, templateFields[name].example))}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
