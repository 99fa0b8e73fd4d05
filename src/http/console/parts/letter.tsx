import type { ChannelChoice } from "../../../domain/around/messages/by-which.ts";
import { handFields } from "../../../domain/around/messages/by-hand.ts";
import type { FieldErrors } from "../../../domain/core/errors/errors.ts";
import type { Preview } from "../../../domain/around/messages/write.ts";
import { may } from "../../../domain/core/actor/actor.ts";
import type { Input } from "../../../domain/core/fields/fields.ts";
import { Field, Select, TextArea } from "../../pages/parts/field.tsx";
import { Empty } from "../../pages/parts/empty.tsx";
import { Button } from "../../pages/parts/button.tsx";
import type { StaffVisit } from "../guard.ts";
import { messagePages } from "./messages-frame.tsx";
import { textName } from "./phrases.ts";

export type LetterValues = Readonly<Partial<Record<(typeof letterNames)[number], string>>>;
export const letterNames = ["channel_id", "template", "subject", "body", "at"] as const;

interface LetterProps {
  visit: StaffVisit;
  channels: readonly ChannelChoice[];
  templates: readonly string[];
  values: LetterValues;
  faults: FieldErrors;
}

/** Channel, and a stored text or own words, which rest while a text is chosen. */
export function LetterFields({ visit, channels, templates, values, faults }: LetterProps) {
  const words = visit.view.words.messageWriting;
  const joinFaults = (name: string) => faults[name]?.join(visit.view.words.list.semicolon);
  return (
    <div class="stack letter">
      <Select
        name="channel_id"
        label={words.channel}
        value={values.channel_id ?? (channels.length === 1 ? (channels[0]?.id ?? "") : "")}
        fault={joinFaults("channel_id")}
        options={[
          ...(channels.length === 1 ? [] : [{ value: "", label: words.chooseChannel }]),
          ...channels.map(({ id, name, isDown, isSms }) => ({
            value: id,
            label: isDown ? words.channelDown(name) : name,
            ...(isSms && { kind: "sms" }),
          })),
        ]}
        attributes={{ required: true }}
      />
      {templates.length > 0 && (
        <Select
          name="template"
          label={words.text}
          value={values.template ?? ""}
          fault={joinFaults("template")}
          options={[
            { value: "", label: words.ownWords },
            ...templates.map((name) => ({ value: name, label: textName(visit.view.words, name) })),
          ]}
        />
      )}
      <div class="stack">
        <Field
          name="subject"
          label={words.subject}
          help={words.subjectHelp}
          value={values.subject ?? ""}
          fault={joinFaults("subject")}
          attributes={{ maxlength: 200 }}
        />
        <TextArea
          name="body"
          label={words.body}
          help={words.bodyHelp}
          value={values.body ?? ""}
          fault={joinFaults("body")}
          rows={5}
          maxLength={4000}
        />
        <details class="folded quiet">
          <summary>{words.fields}</summary>
          <dl class="facts">
            {handFields.map((name) => (
              <div>
                <dt>
                  <code>{`{{${name}}}`}</code>
                </dt>
                <dd>{visit.view.words.told.fields[name]}</dd>
              </div>
            ))}
          </dl>
        </details>
      </div>
      <Field
        name="at"
        label={words.at}
        type="datetime-local"
        help={words.atHelp}
        value={values.at ?? ""}
        fault={joinFaults("send_at")}
      />
    </div>
  );
}

export function NoChannel({ visit }: Pick<LetterProps, "visit">) {
  const words = visit.view.words.messageWriting;
  return (
    <>
      <Empty icon="chat" title={words.none} text={words.noneHelp} />
      {may(visit.by, "message_manage") && (
        <p class="actions">
          <Button href={messagePages.channels}>{words.addChannel}</Button>
        </p>
      )}
    </>
  );
}

export function LetterPreview({
  view,
  title,
  letter,
}: Pick<StaffVisit, "view"> & { title: string; letter: Preview }) {
  const { words, format } = view;
  const phrases = words.messageWriting;
  const { to, subject, body, language, characters, parts, isSms } = letter;
  const name = new Intl.DisplayNames(words.tag, { type: "language" }).of(language) ?? language;
  return (
    <section class="stack near">
      <h2>{title}</h2>
      <p class="hint">
        <bdi>{to === "" ? phrases.goesToNoAddress(name) : phrases.goesTo(format.name(to), name)}</bdi>
      </p>
      <div class="quoted" lang={language} dir="auto">
        {subject !== "" && !isSms && <strong>{subject}</strong>}
        <p>{body}</p>
      </div>
      <p class="hint">
        {[phrases.characters(characters), ...(isSms ? [phrases.parts(parts)] : [])].join(
          view.words.list.comma,
        )}
      </p>
    </section>
  );
}

/** The message fields of a form; own words are dropped while a stored text is chosen. */
export function letterValues(input: Input): LetterValues {
  const values: Partial<Record<(typeof letterNames)[number], string>> = {};
  for (const name of letterNames) {
    const value = input[name];
    if (typeof value === "string") values[name] = value.trim();
  }
  return values;
}

/** The fields of a letter as the operation takes them, without empty ones. */
export function toLetter(values: LetterValues): Record<string, string> {
  const { channel_id: channelId = "", template = "", subject = "", body = "", at = "" } = values;
  const chosen = template === "" ? { subject, body } : { template };
  const sendAt = at === "" ? "" : `${at.replace("T", " ")}${at.length === 16 ? ":00" : ""}`;
  const all = { channel_id: channelId, ...chosen, send_at: sendAt };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""));
}

export const isWritten = ({ channel_id: channelId, template, body }: LetterValues) =>
  Boolean(channelId) && Boolean(template || body);

export function describeRate({ words }: StaffVisit["view"], perMinute: number): string {
  const phrases = words.messageWriting;
  return perMinute % 60 === 0 ? phrases.perSecond(perMinute / 60) : phrases.perMinute(perMinute);
}
