import type { DomainError } from "../../../../domain/core/errors/errors.ts";
import { addressKinds } from "../../../../domain/around/messages/channel-fields.ts";
import { bodyKinds, methods, tlsModes } from "../../../../domain/around/messages/channel-settings.ts";
import { Check, Field, Select, TextArea } from "../../../pages/parts/field.tsx";
import type { StaffVisit } from "../../guard.ts";
import { faultOf } from "../team/form.tsx";

export interface FieldsProps {
  visit: StaffVisit;
  typed: Readonly<Record<string, string>>;
  refused: DomainError | undefined;
}

const plain = { autocomplete: "off", spellcheck: "false" } as const;

/** One line of a channel's settings. */
function Line({ visit, typed, refused, name, label, help }: FieldsProps & LineWords) {
  void visit;
  return (
    <Field
      {...{ name, label, fault: faultOf(refused, name), value: typed[name] ?? "", attributes: plain }}
      {...(help !== undefined && { help })}
    />
  );
}
interface LineWords {
  name: string;
  label: string;
  help?: string;
}

export function SmtpFields(props: FieldsProps) {
  const { visit, typed, refused } = props;
  const words = visit.view.words.messageChannels;
  return (
    <div class="channel-fields">
      <Line {...props} name="host" label={words.host} help={words.hostHelp} />
      <Line {...props} name="port" label={words.port} help={words.portHelp} />
      <Select
        {...{ name: "tls", label: words.tls, fault: faultOf(refused, "tls") }}
        value={typed["tls"] ?? "starttls"}
        options={tlsModes.map((value) => ({ value, label: words.tlsModes[value] }))}
      />
      <Line {...props} name="user" label={words.user} help={words.userHelp} />
      <Line {...props} name="from" label={words.from} help={words.fromHelp} />
      <Line {...props} name="reply_to" label={words.replyTo} help={words.replyToHelp} />
    </div>
  );
}

/** `without` are those that stand elsewhere on the page. */
export function HttpFields({ without = [], ...props }: FieldsProps & { without?: readonly string[] }) {
  const { visit, typed, refused } = props;
  const words = visit.view.words.messageChannels;
  return (
    <div class="channel-fields">
      <Select
        {...{ name: "method", label: words.method, fault: faultOf(refused, "method") }}
        value={typed["method"] ?? "POST"}
        options={methods.map((value) => ({ value, label: value }))}
      />
      <Select
        {...{ name: "body_kind", label: words.bodyKind, fault: faultOf(refused, "body_kind") }}
        value={typed["body_kind"] ?? "none"}
        options={bodyKinds.map((value) => ({ value, label: words.bodyKinds[value] }))}
      />
      {!without.includes("url") && <Url {...props} />}
      <Lines {...props} name="headers" label={words.headers} help={words.headersHelp} />
      {!without.includes("body") && <Body {...props} />}
      <Line {...props} name="success" label={words.success} help={words.successHelp} />
      <Line {...props} name="match" label={words.match} help={words.matchHelp} />
    </div>
  );
}

export function Url(props: FieldsProps) {
  const { url, urlHelp } = props.visit.view.words.messageChannels;
  return (
    <div class="channel-wide">
      <Line {...props} name="url" label={url} help={urlHelp} />
    </div>
  );
}

export function Body(props: FieldsProps) {
  const { body, bodyHelp } = props.visit.view.words.messageChannels;
  return <Lines {...props} name="body" label={body} help={bodyHelp} />;
}

function Lines({ typed, refused, name, label, help }: FieldsProps & LineWords & { help: string }) {
  return (
    <div class="channel-wide">
      <TextArea
        {...{ name, label, help, fault: faultOf(refused, name), value: typed[name] ?? "" }}
        rows={Math.min(14, Math.max(3, (typed[name] ?? "").split("\n").length + 1))}
        maxLength={8000}
      />
    </div>
  );
}

/** What every channel has; the last is an Admin's. */
export function CommonFields(props: FieldsProps & { kind: string }) {
  const { visit, typed, refused, kind } = props;
  const words = visit.view.words.messageChannels;
  return (
    <div class="channel-fields">
      <Line {...props} name="name" label={words.name} />
      <Line {...props} name="per_minute" label={words.pace} help={words.paceHelp} />
      {kind === "smtp" ? (
        <input type="hidden" name="address" value="email" />
      ) : (
        <>
          <Select
            {...{ name: "address", label: words.address, fault: faultOf(refused, "address") }}
            value={typed["address"] ?? "mobile"}
            options={addressKinds.map((value) => ({ value, label: words.addresses[value] }))}
          />
          <div class="channel-wide">
            <Check name="is_sms" label={words.isSms} checked={typed["is_sms"] === "1"} />
            <Check name="passes_id" label={words.passesId} checked={typed["passes_id"] === "1"} />
          </div>
        </>
      )}
      {visit.by.admin && (
        <div class="channel-wide">
          <Check name="allow_local" label={words.local} checked={typed["allow_local"] === "1"} />
          <p class="hint">{words.localHelp}</p>
        </div>
      )}
    </div>
  );
}
