import type { Child } from "hono/jsx";
import { type Choices, listChoices } from "../../../../../domain/goods/subscribers/choices.ts";
import { requireFreePort, type PortInUse } from "../../../../../domain/service/boxes/port.ts";
import {
  DomainError,
  type Faults,
  type FieldErrors,
  rejectFaults,
} from "../../../../../domain/core/errors/errors.ts";
import { phrase } from "../../../../../domain/core/errors/phrase.ts";
import type { Input } from "../../../../../domain/core/fields/fields.ts";
import { readFields } from "../../../../../domain/core/fields/fields.ts";
import { languageTags } from "../../../../../domain/core/fields/languages.ts";
import { requireFlag } from "../../../../../domain/core/actor/actor.ts";
import { plantFields, setPlant } from "../../../../../domain/goods/subscribers/plant.ts";
import { isEdited, storedFormText as storedText } from "../../../../../domain/goods/subscribers/unchanged.ts";
import { findMobileFault, requiredAtPages } from "../../../../../domain/goods/subscribers/fields.ts";
import { updateSubscriber } from "../../../../../domain/goods/subscribers/update.ts";
import { attemptNow } from "../../../attempt.ts";
import { Check, Field, type Option, Select, TextArea } from "../../../../pages/parts/field.tsx";
import { Fold } from "../../../../pages/parts/fold.tsx";
import { flash } from "../../../answers.tsx";
import { staffForm, staffPage, type StaffVisit } from "../../../guard.ts";
import { can, type PageContext, readPageContext } from "../context.ts";
import { asPortInUse, readSharedPort, SharedPort, SharePort } from "../../../unusual.tsx";
import { formDrawer } from "./form.tsx";

const PATH = "/console/subscribers/:id/edit";

const sections = {
  person: ["name", "nic_number", "mobile_number", "phone_number", "email"],
  contract: ["package_id", "salesperson_id", "auto_renew", "credit_limit"],
  place: ["branch_id", "city_id", "area_id", "subarea_id"],
  line: [
    "connection_type_id",
    "nas_id",
    "static_ip",
    "framed_ipv6_prefix",
    "delegated_ipv6_prefix",
    "circuit_id",
    "remote_id",
    "mac_login",
    "reply_attributes",
  ],
  messages: ["language", "sms_status", "messages_off"],
  plant: [
    ...[
      "address",
      "latitude",
      "longitude",
      "box_number",
      "box_address",
      "uplink_port",
      "fiber_code",
      "fiber_color",
    ],
    ...["switch_board", "switch_port", "backup_connection", "electricity_socket", "cable_type"],
  ],
} as const satisfies Record<string, readonly string[]>;
type Section = keyof typeof sections;

const first: ReadonlySet<Section> = new Set(["person", "contract"]);

const flagFields = new Set(["mac_login", "auto_renew", "sms_status", "messages_off"]);
/** Multi-line fields with their limits. */
const areas: Readonly<Record<string, number | undefined>> = { address: 500, reply_attributes: 10_000 };
const required = new Set(["connection_type_id", "nas_id", "package_id", "salesperson_id"]);

/** Who may edit the plant alone sees that section. */
function editableSections(context: PageContext): Section[] {
  const names = Object.keys(sections) as Section[];
  return can(context, "subscriber_edit") ? names : names.filter((name) => name === "plant");
}

/** Fields of speed need the packages permission. */
const editableFields = (context: PageContext, section: Section): readonly string[] =>
  can(context, "package_manage")
    ? sections[section]
    : sections[section].filter((name) => name !== "reply_attributes");

const editableNames = (context: PageContext): string[] =>
  editableSections(context).flatMap((section) => editableFields(context, section));

interface Sent {
  readonly values: Readonly<Record<string, string>>;
  readonly faults: FieldErrors;
  readonly isConflict: boolean;
  /** A port in use to confirm. */
  readonly shared?: PortInUse;
}

function editForm(context: PageContext, sent?: Sent): Response {
  const { forms } = context.visit.view.words.subscriber;
  const choices = listChoices(context.visit.db, context.visit.by);
  return formDrawer({
    context,
    to: "edit",
    title: forms.editTitle,
    submit: forms.save,
    status: sent ? 422 : 200,
    beside: sent?.shared && <SharePort view={context.visit.view} confirmation={sent.shared} />,
    children: (
      <>
        {sent?.shared && <SharedPort view={context.visit.view} confirmation={sent.shared} />}
        {sent && !sent.shared && (
          <p class="fault" role="alert">
            {sent.isConflict ? `${forms.conflict} ${forms.conflictText}` : forms.check}
          </p>
        )}
        {editableSections(context).map((section) => (
          <Part context={context} section={section}>
            <div class="fields">
              {editableFields(context, section).map((name) => (
                <OneField context={context} name={name} choices={choices} {...(sent && { sent })} />
              ))}
            </div>
          </Part>
        ))}
      </>
    ),
  });
}

/** Open for the frequent fields; a folded part names its filled ones. */
function Part({ context, section, children }: { context: PageContext; section: Section; children: Child }) {
  const { words } = context.visit.view;
  const { fields, forms } = words.subscriber;
  const title = forms.sections[section];
  if (first.has(section) || !can(context, "subscriber_edit"))
    return (
      <fieldset class="edit-section">
        <legend>{title}</legend>
        {children}
      </fieldset>
    );
  const set = editableFields(context, section).filter(
    (name) => !["", "0"].includes(openedWith(context, name)),
  );
  const labels = set.map((name) => fields[name] ?? name).join(words.list.comma);
  return (
    <Fold
      kind="edit-section"
      summary={
        <>
          <strong>{title}</strong> <span class="soft-text">{labels || words.packages.nothingSet}</span>
        </>
      }
    >
      {children}
    </Fold>
  );
}

interface OneProps {
  context: PageContext;
  name: string;
  choices: Choices;
  sent?: Sent;
}

/** Both kinds of connections, for imports that do not know which. */
const ANY = "any";

function openedWith({ head: { subscriber } }: PageContext, name: string): string {
  if (name === "connection_type_id" && subscriber.anyConnection === 1) return ANY;
  return isEdited(name) ? storedText(subscriber, name) : "";
}

/** Fields shown though empty, for imports may lack them. */
const alwaysThere = new Set(["mobile_number"]);

/** A field, with its original value in a hidden one. */
function OneField(props: OneProps) {
  const { context, name, sent } = props;
  const stored = openedWith(context, name);
  return (
    <div>
      <input type="hidden" name={`was_${name}`} value={stored} />
      <Input {...props} value={sent?.values[name] ?? stored} />
    </div>
  );
}

function Input({ context, name, choices, sent, value }: OneProps & { value: string }) {
  const { fields, forms } = context.visit.view.words.subscriber;
  const label = fields[name] ?? name;
  const fault = sent?.faults[name]?.join(context.visit.view.words.list.semicolon);
  if (flagFields.has(name)) return <Check name={name} label={label} checked={value === "1"} />;
  const longest = areas[name];
  if (longest !== undefined)
    return (
      <TextArea
        name={name}
        label={label}
        value={value}
        fault={fault}
        help={name === "reply_attributes" ? forms.replyHelp : undefined}
        rows={name === "address" ? 2 : 3}
        maxLength={longest}
      />
    );
  const options = buildOptions(context, name, choices);
  const help = alwaysThere.has(name) && openedWith(context, name) === "" ? forms.missing : undefined;
  if (options === undefined)
    return <Field name={name} label={label} value={value} fault={fault} help={help} />;
  const nothing = name === "language" ? context.visit.view.words.outbox.ispLanguage : forms.none;
  const all = required.has(name) && value !== "" ? options : [{ value: "", label: nothing }, ...options];
  return <Select name={name} label={label} value={value} fault={fault} options={all} />;
}

/** undefined: free text. */
function buildOptions({ visit, head }: PageContext, name: string, choices: Choices): Option[] | undefined {
  const { ispId } = head.subscriber;
  const own = (rows: readonly { id: number; ispId: number; name: string }[]) =>
    rows.filter((row) => row.ispId === ispId).map((row) => ({ value: row.id, label: row.name }));
  switch (name) {
    case "package_id":
      return own(
        choices.packages.filter(({ id, status }) => status === 1 || id === head.subscriber.packageId),
      );
    case "salesperson_id":
      return own(choices.salespersons);
    case "nas_id":
      return own(choices.nas);
    case "branch_id":
      return own(choices.branches);
    case "city_id":
      return own(choices.cities);
    case "area_id":
      return own(choices.areas);
    case "subarea_id":
      return own(choices.subareas);
    case "language": {
      const { languages } = visit.view.words.outbox;
      return languageTags.map((value) => ({ value, label: languages[value] }));
    }
    case "connection_type_id":
      return kindOptions(visit, head.subscriber.anyConnection === 1);
    default:
      return undefined;
  }
}

/** "Both" only where it is stored. */
function kindOptions({ view }: StaffVisit, isAny: boolean): Option[] {
  const { side } = view.words.subscriber;
  const kinds = side.kinds.map((label, index) => ({ value: index + 1, label }));
  return isAny ? [{ value: ANY, label: side.anyKind }, ...kinds] : kinds;
}

/** Fields that differ from their original. Unticked boxes are not sent. */
function changedIn(context: PageContext, input: Input) {
  const values: Record<string, string> = {};
  const expected: Record<string, string> = {};
  const changes: Record<string, string> = {};
  for (const name of editableNames(context)) {
    const before = input[`was_${name}`];
    if (typeof before !== "string") continue;
    const was = before.replaceAll("\r\n", "\n");
    const sent = input[name];
    const value =
      typeof sent === "string" ? sent.trim().replaceAll("\r\n", "\n") : flagFields.has(name) ? "0" : was;
    values[name] = value;
    if (value === was) continue;
    changes[name] = value;
    if (was !== ANY) expected[name] = was;
    else {
      expected["any_connection"] = "1";
      changes["any_connection"] = "0"; // the kind that is chosen may be the stored one
    }
  }
  return { values, expected, changes };
}

/** Throws `PortInUse` for another line's port unless confirmed. */
function requirePort(
  { visit, head }: PageContext,
  values: Readonly<Record<string, string>>,
  changes: Input,
  sharedPort: string | null,
): void {
  if (!["box_number", "uplink_port", "switch_port"].some((name) => name in changes)) return;
  const { id: subscriberId, ispId } = head.subscriber;
  const port = {
    ispId,
    boxNumber: values["box_number"] ?? "",
    port: values["uplink_port"] || (values["switch_port"] ?? ""),
  };
  requireFreePort(visit.db, visit.by.scope, { port, subscriberId, sharedPort });
}

function save(
  visit: StaffVisit,
  context: PageContext,
  changes: Input,
  expected: Record<string, string>,
): void {
  const { db, by, now } = visit;
  const { id: subscriberId, username } = context.head.subscriber;
  if (can(context, "subscriber_edit")) {
    const faults: Faults = {};
    findMobileFault(changes, faults);
    rejectFaults(faults);
    const record = <R extends object>(record: R) => record;
    updateSubscriber(
      db,
      by,
      { ...changes, username },
      { now, toJson: record, expected, required: requiredAtPages },
    );
    return;
  }
  const faults: Faults = {};
  const plant = readFields(plantFields, changes, faults, { partial: true });
  if (Object.keys(faults).length > 0)
    throw new DomainError("invalid", phrase`check the fields`, { fields: faults });
  setPlant(db, by, { subscriberId, plant, expected }, { now });
}

export const editRoutes = [
  staffPage(PATH, (visit) => {
    const context = readPageContext(visit);
    if (!can(context, "subscriber_plant")) requireFlag(visit.by, "subscriber_edit");
    return editForm(context);
  }),
  staffForm(PATH, (visit, input) => {
    const context = readPageContext(visit);
    if (!can(context, "subscriber_plant")) requireFlag(visit.by, "subscriber_edit");
    const { forms, fields } = visit.view.words.subscriber;
    const { values, expected, changes } = changedIn(context, input);
    const names = Object.keys(changes);
    if (names.length === 0) return flash(visit, { kind: "good", title: forms.unchanged }, context.base);
    const refused = attemptNow(visit, () => {
      requirePort(context, values, changes, readSharedPort(input));
      save(visit, context, changes, expected);
    });
    const shared = asPortInUse(refused);
    if (shared) return editForm(context, { values, faults: {}, isConflict: false, shared });
    if (refused && refused.fields === undefined) throw refused;
    if (refused)
      return editForm(context, {
        values,
        faults: refused.fields ?? {},
        isConflict: refused.kind === "conflict",
      });
    const text = names.map((name) => fields[name] ?? name).join(visit.view.words.list.comma);
    return flash(visit, { kind: "good", title: forms.saved, text }, context.base);
  }),
];
