import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { fieldsOf, type TemplateField, templateFields } from "../../../../domain/around/messages/fields.ts";
import { listRules } from "../../../../domain/around/messages/rules.ts";
import { smsLength } from "../../../../domain/around/messages/sms.ts";
import {
  deleteTemplate,
  listTemplates,
  saveTemplate,
  type Template,
  templateOfId,
} from "../../../../domain/around/messages/templates.ts";
import { previewTemplate, someoneToShow } from "../../../../domain/around/messages/trial.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { pathId } from "../../../form.ts";
import { attempt, attemptNow } from "../../attempt.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Field, Select, TextArea } from "../../../pages/parts/field.tsx";
import { languages } from "../../../words/languages.ts";
import { page, part, said } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { IspField } from "../../isp-field.tsx";
import { messagePages, MessagesFrame } from "../messages/head.tsx";
import { sentence } from "../subscriber/say.ts";
import { faultOf, formDrawer, typedIn } from "../team/form.tsx";
import { sendTyped, type Tried, TryIt } from "./try.tsx";

const TEXTS = messagePages.texts;

export interface Typed {
  readonly name: string;
  readonly language: string;
  readonly subject: string;
  readonly body: string;
  readonly who: string;
  readonly isp_id: string;
}

const textOf = ({ db, by, params }: StaffVisit) =>
  templateOfId(db, by, { id: pathId("text", params["id"] ?? null) });

export function newText(visit: StaffVisit): Response {
  permit(visit.by, "saveTemplate");
  const { query } = visit;
  const asked = (name: string) => query.get(name)?.slice(0, 100) ?? "";
  const typed = { name: asked("name"), language: asked("language") || "en", isp_id: asked("isp_id") };
  return editor(visit, { typed: { ...typed, subject: "", body: "", who: "" } });
}

export function editText(visit: StaffVisit): Response {
  const text = textOf(visit);
  const { name, language, subject, body, ispId } = text;
  return editor(visit, { text, typed: { name, language, subject, body, who: "", isp_id: String(ispId) } });
}

function typedOf(input: Input): Typed {
  const body = input["body"];
  return {
    ...{ name: typedIn(input, "name"), language: typedIn(input, "language"), who: typedIn(input, "who") },
    ...{ subject: typedIn(input, "subject"), isp_id: typedIn(input, "isp_id") },
    body: typeof body === "string" ? body.slice(0, 4100).replaceAll("\r\n", "\n") : "",
  };
}

export async function saveText(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view, params } = visit;
  const text = params["id"] === undefined ? undefined : textOf(visit);
  const typed = typedOf(input);
  const { who: _, ...sent } = typed;
  const done = await attempt(visit, async () => saveTemplate(db, by, sent, { now }));
  if (done instanceof DomainError) return editor(visit, { ...(text && { text }), typed, refused: done });
  return said(visit, { kind: "good", title: view.words.messageTexts.saved }, `${TEXTS}/${done.id}`);
}

/** Sends the text as it is typed, with what is the subscriber's, to somebody who looks at it there. */
export async function tryText(visit: StaffVisit, input: Input): Promise<Response> {
  const typed = typedOf(input);
  return editor(visit, { typed, tried: await sendTyped(visit, typed, input) });
}

/** The part beside the form, as it is typed; without a script the whole page. */
export function previewText(visit: StaffVisit, input: Input): Response {
  const typed = typedOf(input);
  if (visit.isPart) return part(visit, <Preview visit={visit} typed={typed} />);
  return editor(visit, { typed });
}

export function askRemoval(visit: StaffVisit): Response {
  permit(visit.by, "deleteTemplate");
  const { id, name, language } = textOf(visit);
  const words = visit.view.words.messageTexts;
  return formDrawer(visit, {
    title: words.deleteTitle(visit.view.format.name(name), language),
    ...{ action: `${TEXTS}/${id}/delete`, back: `${TEXTS}/${id}`, danger: true, leaves: true },
    ...{ submit: words.delete, place: "messages", children: <p>{words.deleteText}</p> },
  });
}

export async function remove(visit: StaffVisit): Promise<Response> {
  const { db, by, now, view } = visit;
  const words = view.words.messageTexts;
  const { id } = textOf(visit);
  const done = await attempt(visit, async () => deleteTemplate(db, by, { id }, { now }));
  if (done instanceof DomainError)
    return said(visit, { kind: "bad", title: words.notDone, text: sentence(done.message) }, `${TEXTS}/${id}`);
  return said(visit, { kind: "good", title: words.deleted }, TEXTS);
}

interface EditorProps {
  readonly text?: Template;
  readonly typed: Typed;
  readonly refused?: DomainError;
  readonly tried?: Tried;
}

function editor(visit: StaffVisit, { text, typed, refused, tried }: EditorProps): Response {
  const { by, view, formToken } = visit;
  const words = view.words.messageTexts;
  const mayChange = may(by, "message_manage");
  const look = { "hx-post": `${TEXTS}/preview`, "hx-trigger": "input delay:250ms from:this" };
  return page(
    visit,
    <MessagesFrame
      visit={visit}
      current="texts"
      title={typed.name === "" ? words.newTitle : view.format.name(typed.name)}
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
        class="columns"
        method="post"
        action={text ? `${TEXTS}/${text.id}` : `${TEXTS}/new`}
        {...(mayChange && look)}
        hx-target="#text-preview"
        hx-swap="outerMorph"
        hx-sync="this:replace"
      >
        <FormToken value={formToken} />
        <div class="stack">
          {refused && <Note kind="bad">{words.notSaved(refused.message)}</Note>}
          <Words visit={visit} typed={typed} refused={refused} />
          <div class="actions">
            {mayChange && (
              <Button kind="solid" size="large">
                {words.save}
              </Button>
            )}
            <Button href={TEXTS} size="large">
              {words.back}
            </Button>
          </div>
        </div>
        <div class="stack">
          {mayChange && <Preview visit={visit} typed={typed} />}
          {mayChange && <TryIt visit={visit} tried={tried} />}
          {typed.name !== "" && <Languages visit={visit} typed={typed} />}
          <Fields visit={visit} typed={typed} />
        </div>
      </form>
    </MessagesFrame>,
    { status: refused ? 422 : 200 },
  );
}

interface PartProps {
  visit: StaffVisit;
  typed: Typed;
}

function Words({ visit, typed, refused }: PartProps & { refused: DomainError | undefined }) {
  const words = visit.view.words.messageTexts;
  return (
    <Card title={words.text}>
      <div class="stack-small">
        <Field
          {...{ name: "name", label: words.name, help: words.nameHelp, value: typed.name, required: true }}
          fault={faultOf(refused, "name")}
          attributes={{ maxlength: 60, autocomplete: "off" }}
        />
        <Select
          {...{ name: "language", label: words.language, value: typed.language }}
          options={languages.map(({ tag, name }) => ({ value: tag, label: name }))}
        />
        <IspField visit={visit} typed={typed.isp_id} fault={faultOf(refused, "isp_id")} />
        <Field
          {...{ name: "subject", label: words.subject, help: words.subjectHelp, value: typed.subject }}
          fault={faultOf(refused, "subject")}
          attributes={{ maxlength: 200, dir: "auto" }}
        />
        <TextArea
          {...{ name: "body", label: words.body, value: typed.body, rows: 8, maxLength: 4000 }}
          fault={faultOf(refused, "body")}
        />
        <Field
          {...{ name: "who", label: words.who, help: words.whoHelp, value: typed.who }}
          attributes={{ maxlength: 60, autocomplete: "off" }}
        />
        <button class="button outline" formaction={`${TEXTS}/preview`} formnovalidate>
          <span>{words.show}</span>
        </button>
      </div>
    </Card>
  );
}

/** The text with a real subscriber, and how long it is. */
function Preview({ visit, typed }: PartProps) {
  const words = visit.view.words.messageTexts;
  return (
    <Card title={words.preview} id="text-preview">
      <Shown visit={visit} typed={typed} />
    </Card>
  );
}

function Shown({ visit, typed }: PartProps) {
  const { db, by, now, view } = visit;
  const words = view.words.messageTexts;
  const who = someoneToShow(db, by, { username: typed.who.trim() });
  if (typed.body.trim() === "") return null;
  if (!who) return <p class="soft-text">{typed.who === "" ? words.noneToShow : words.nobody}</p>;
  const { language, subject, body } = typed;
  const filled = attemptNow(visit, () =>
    previewTemplate(db, by, { language, subject, body, user_id: who.id }, { now }),
  );
  if (filled instanceof DomainError) {
    const faults = Object.values(filled.fields ?? {}).flat();
    return <p class="fault">{sentence(faults[0] ?? filled.message)}</p>;
  }
  const { coding, segments, places, foreign } = smsLength(filled.body);
  const { format } = view;
  return (
    <div
      class="stack-small"
      lang={language}
      dir={languages.find(({ tag }) => tag === language)?.dir ?? "ltr"}
    >
      {filled.subject !== "" && <strong>{filled.subject}</strong>}
      <p class="text-shown">{filled.body}</p>
      <p class="hint" lang={view.words.tag} dir={view.words.dir}>
        <bdi>{who.username}</bdi> · {words.length(format.number(segments), format.number(places))}{" "}
        {coding === "gsm" ? words.gsm : words.ucs2(foreign.join(" "))}
      </p>
    </div>
  );
}

/** The languages of this text, those that it lacks too. */
function Languages({ visit: { db, by, view }, typed }: PartProps) {
  const words = view.words.messageTexts;
  const there = listTemplates(db, by).filter(
    ({ name, ispId }) => name === typed.name && (typed.isp_id === "" || String(ispId) === typed.isp_id),
  );
  const isp = by.scope.ispId === null && typed.isp_id !== "" ? `&isp_id=${typed.isp_id}` : "";
  return (
    <Card title={words.others}>
      <ul class="text-fields">
        {languages.map(({ tag, name }) => {
          const found = there.find(({ language }) => language === tag);
          const fresh = `${TEXTS}/new?name=${encodeURIComponent(typed.name)}&language=${tag}${isp}`;
          if (!found && !may(by, "message_manage")) return null;
          return (
            <li>
              <a
                href={found ? `${TEXTS}/${found.id}` : fresh}
                {...(tag === typed.language && { "aria-current": "true" })}
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

/** What may stand in the text: of the rules that send it what all of them know, else everything. */
function Fields({ visit: { db, by, view }, typed }: PartProps) {
  const words = view.words.messageTexts;
  const names = Object.keys(templateFields) as TemplateField[]; // the keys of a constant
  const rules = listRules(db, by).filter(({ template }) => template === typed.name);
  const offered = names.filter((name) => rules.every((rule) => fieldsOf(rule).includes(name)));
  return (
    <Card title={words.fields} lead={words.fieldsLead}>
      <ul class="text-fields">
        {offered.map((name) => (
          <li>
            <code>{`{{${name}}}`}</code> {templateFields[name].says},{" "}
            <span class="soft-text">{words.example(templateFields[name].example)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
