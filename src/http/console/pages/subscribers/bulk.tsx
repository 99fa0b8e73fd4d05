import { told } from "../../attempt.ts";
import { listChoices } from "../../../../domain/goods/subscribers/choices.ts";
import type { Trial, Tried } from "../../../../domain/around/bulk/try.ts";
import { messageChoices, NO_SMS } from "../../../../domain/around/messages/by-which.ts";
import type { FieldErrors } from "../../../../domain/core/errors/errors.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Icon } from "../../../pages/icons.tsx";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Check, Field, Select } from "../../../pages/parts/field.tsx";
import type { StaffVisit } from "../../guard.ts";
import { durationFault, durationField, durationText } from "../../parts/duration.ts";
import { LetterFields, NoChannel } from "../../parts/letter.tsx";
import { outageHref, SUBSCRIBERS, BULK, smsOnHref } from "../../parts/hrefs.ts";
import { ManyLetters } from "./many-letters.tsx";
import { placeFields, type BulkSelection } from "./selection.ts";

const NAMED = 8;

interface BulkProps {
  visit: StaffVisit;
  selection: BulkSelection;
  /** null: a choice is missing. */
  trial: Trial | null;
  faults: FieldErrors;
  formKey: string;
  problem?: string | undefined;
}

export function BulkForm({ visit, selection, trial, faults, formKey, problem }: BulkProps) {
  const { view, formToken } = visit;
  const words = view.words.subscribers.bulk;
  // without a channel there is nothing to send
  const letters = selection.operation === "message" ? messageChoices(visit.db, visit.by) : undefined;
  const isMute = letters?.channels.length === 0;
  return (
    <form
      method="post"
      action={BULK}
      hx-post={`${BULK}/preview`}
      hx-trigger="change, input delay:300ms"
      hx-target="#trial"
      hx-select="#trial"
      hx-validate="false"
      hx-swap="outerHTML"
      hx-sync="this:replace"
    >
      <div class="drawer-body">
        <FormToken value={formToken} />
        <input type="hidden" name="operation" value={selection.operation} />
        <input type="hidden" name="ids" value={selection.ids.join(",")} />
        <input type="hidden" name="key" value={formKey} />
        {selection.outage !== null && <input type="hidden" name="outage" value={selection.outage} />}
        {problem !== undefined && <Note kind="bad">{problem}</Note>}
        <Fields visit={visit} selection={selection} faults={faults} letters={letters} />
        <div id="trial" class="stack">
          {trial !== null && <Result view={view} selection={selection} trial={trial} />}
          {trial !== null && selection.operation === "message" && (
            <ManyLetters visit={visit} values={selection.values} trial={trial} />
          )}
          {!isMute && <p class="hint">{words.notes[selection.operation]}</p>}
          <div class="actions ends">
            <a class="button quiet" href={backHref(selection)} data-close>
              {words.cancel}
            </a>
            {!isMute && (
              <>
                <noscript>
                  <button class="button" formaction={`${BULK}/preview`}>
                    {words.preview}
                  </button>
                </noscript>
                <Button kind="solid" disabled={trial !== null && reached(trial) === 0}>
                  {words.start[selection.operation](
                    view.format.number(trial === null ? selection.ids.length : reached(trial)),
                  )}
                </Button>
              </>
            )}
          </div>
        </div>
      </div>
    </form>
  );
}

export const backHref = ({ outage }: Pick<BulkSelection, "outage">) =>
  outage === null ? SUBSCRIBERS : outageHref(outage);

/** How many it reaches, as far as tried. */
const reached = ({ tried, total }: Trial) =>
  tried.filter(({ outcome }) => outcome.kind === "done").length + total - tried.length;

type FieldsProps = Pick<BulkProps, "visit" | "selection" | "faults"> & {
  letters: ReturnType<typeof messageChoices> | undefined;
};

function Fields({ visit, selection: { operation, values }, faults, letters }: FieldsProps) {
  const words = visit.view.words.subscribers.bulk;
  if (operation === "extend") return <Extension visit={visit} values={values} faults={faults} />;
  if (operation === "message") {
    if (!letters || letters.channels.length === 0) return <NoChannel visit={visit} />;
    return <LetterFields visit={visit} {...letters} values={values} faults={faults} />;
  }
  const name = placeFields[operation];
  if (name === null) return null;
  const choices = listChoices(visit.db, visit.by);
  const rows = {
    package: choices.packages.filter(({ status }) => status === 1),
    router: choices.nas,
    area: choices.areas,
    salesperson: choices.salespersons.filter(({ status }) => status === 1),
    sms: [
      { id: 1, name: words.smsOn },
      { id: 0, name: words.smsOff },
    ],
    auto_renew: [
      { id: 1, name: words.renewsOn },
      { id: 0, name: words.renewsOff },
    ],
    disable: [],
    enable: [],
  }[operation];
  return (
    <Select
      name={name}
      label={words.to}
      value={values[name] ?? ""}
      fault={faults[name]?.join(visit.view.words.list.comma)}
      options={[
        { value: "", label: words.choosePlace },
        ...rows.map(({ id, name: label }) => ({ value: id, label })),
      ]}
      attributes={{ required: true }}
    />
  );
}

function Extension({
  visit: { view },
  values,
  faults,
}: Pick<FieldsProps, "visit" | "faults"> & { values: BulkSelection["values"] }) {
  const words = view.words.subscribers.bulk;
  return (
    <>
      <Field
        {...durationField(view, "day")}
        name="duration"
        label={words.by}
        value={values["duration"] ?? durationText(view, 86_400)}
        required
        fault={faults["hours"] && durationFault(view, "day")}
      />
      <Field
        name="reason"
        label={words.reason}
        help={words.reasonHelp}
        value={values["reason"] ?? ""}
        required
        fault={faults["reason"]?.join(view.words.list.comma)}
        attributes={{ maxlength: 500 }}
      />
      <Check name="trust" label={words.trust} checked={values["trust"] === "1"} />
    </>
  );
}

type ResultProps = { view: StaffVisit["view"]; selection: BulkSelection; trial: Trial };

function Result({ view, selection: { operation }, trial: { tried, total } }: ResultProps) {
  const { format, words } = view;
  const phrases = words.subscribers.bulk;
  const will = tried.filter(({ outcome }) => outcome.kind === "done");
  const wont = tried.filter(({ outcome }) => outcome.kind !== "done");
  const more = total - tried.length;
  const ended = operation === "extend" ? will.filter(({ hasEnded }) => hasEnded).length : 0;
  return (
    <div class="bulk-result">
      {will.length > 0 && (
        <Named
          tone="good"
          title={phrases.will[operation](format.number(will.length))}
          lead={ended === 0 ? undefined : phrases.hadEnded(ended)}
          view={view}
          lines={will.map((one) => willLine(one, view))}
        />
      )}
      {wont.length > 0 && (
        <Named
          tone="bad"
          title={
            operation === "message"
              ? words.messageWriting.many.wont(wont.length)
              : wont.length === 1
                ? phrases.wontOne
                : phrases.wont(wont.length)
          }
          lead={operation === "message" && wont.length > NAMED ? describeReasons(wont, view) : undefined}
          view={view}
          lines={wont.map((one) => wontLine(one, view))}
        />
      )}
      {operation === "message" && <SwitchOn view={view} wont={wont} />}
      {more > 0 && <p class="hint">{phrases.untried(more)}</p>}
    </div>
  );
}

/** Offers to switch text messages on where a number is known. */
function SwitchOn({ view, wont }: { view: StaffVisit["view"]; wont: readonly Tried[] }) {
  const ids = wont.flatMap(({ id, outcome }) =>
    outcome.kind === "refused" && outcome.message === NO_SMS ? [id] : [],
  );
  if (ids.length === 0) return null;
  return <Button href={smsOnHref(ids)}>{view.words.subscribers.bulk.switchOn(ids.length)}</Button>;
}

interface NamedProps {
  tone: "good" | "bad";
  title: string;
  lead?: string | undefined;
  lines: readonly string[];
  view: StaffVisit["view"];
}

function Named({ tone, title, lead, lines, view }: NamedProps) {
  return (
    <section>
      <h2 class="dotted">
        <span class={`disc ${tone}`}>
          <Icon name={tone === "good" ? "check" : "close"} />
        </span>
        {title}
      </h2>
      {lead !== undefined && <p class="hint">{lead}</p>}
      <ul>
        {lines.slice(0, NAMED).map((line) => (
          <li>{line}</li>
        ))}
        {lines.length > NAMED && (
          <li class="soft-text">{view.words.subscribers.bulk.andMore(lines.length - NAMED)}</li>
        )}
      </ul>
    </section>
  );
}

/** Counts by reason, beyond the named ones. */
function describeReasons(wont: readonly Tried[], view: StaffVisit["view"]): string {
  const { words } = view;
  const counts = new Map<string, number>();
  for (const { outcome } of wont)
    if (outcome.kind === "refused") {
      const why = told(view, outcome.message);
      counts.set(why, (counts.get(why) ?? 0) + 1);
    }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, NAMED)
    .map(([why, count]) => words.messageWriting.many.reason(count, why))
    .join(words.list.semicolon);
}

function willLine({ name, outcome, hasEnded }: Tried, { format, words }: StaffVisit["view"]): string {
  const { expiresAt: end, to } = outcome.kind === "done" ? outcome.effect : {};
  if (to) return words.messageWriting.many.goes(name, to);
  if (end === undefined) return name;
  const time = `${format.shortDay(end)}${words.list.comma}${format.timeOfDay(end)}`;
  return hasEnded ? words.subscribers.bulk.again(name, time) : words.subscribers.bulk.until(name, time);
}

function wontLine({ name, outcome }: Tried, view: StaffVisit["view"]): string {
  const { same } = view.words.subscribers.bulk;
  return `${name}${view.words.list.colon}${outcome.kind === "refused" ? told(view, outcome.message) : same}`;
}
