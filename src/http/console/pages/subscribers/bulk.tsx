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
import { LetterFields, NoChannel } from "../messages/letter.tsx";
import { outageHref } from "../outages/phrases.ts";
import { BULK, smsOnHref } from "./bulk-bar.tsx";
import { ManyLetters } from "./many-letters.tsx";
import { LIST } from "./query.ts";
import { placeFields, type Wanted } from "./selection.ts";

/** Names that a preview tells. */
const NAMED = 8;

interface BulkProps {
  visit: StaffVisit;
  wanted: Wanted;
  /** What would come of it; null: something is still to be chosen. */
  trial: Trial | null;
  faults: FieldErrors;
  /** Of this form, so that it is done once. */
  formKey: string;
  problem?: string | undefined;
}

/** What is done to many: its fields, who will be reached and who not and why, and the button that does it. */
export function BulkForm({ visit, wanted, trial, faults, formKey, problem }: BulkProps) {
  const { view, formToken } = visit;
  const words = view.words.subscribers.bulk;
  // nobody can be written to: what is shown leads to the channels, and there is nothing to send
  const isMute = wanted.operation === "message" && messageChoices(visit.db, visit.by).channels.length === 0;
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
        <input type="hidden" name="operation" value={wanted.operation} />
        <input type="hidden" name="ids" value={wanted.ids.join(",")} />
        <input type="hidden" name="key" value={formKey} />
        {wanted.outage !== null && <input type="hidden" name="outage" value={wanted.outage} />}
        {problem !== undefined && <Note kind="bad">{problem}</Note>}
        <Fields visit={visit} wanted={wanted} faults={faults} />
        <div id="trial" class="stack">
          {trial !== null && <Result view={view} wanted={wanted} trial={trial} />}
          {trial !== null && wanted.operation === "message" && (
            <ManyLetters visit={visit} typed={wanted.typed} trial={trial} />
          )}
          {!isMute && <p class="hint">{words.notes[wanted.operation]}</p>}
          <div class="actions bulk-actions">
            <a class="button quiet" href={backOf(wanted)} data-close>
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
                  {words.start[wanted.operation](
                    view.format.number(trial === null ? wanted.ids.length : reached(trial)),
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

/** Where whoever leaves the form came from. */
export const backOf = ({ outage }: Pick<Wanted, "outage">) => (outage === null ? LIST : outageHref(outage));

/** How many it would reach, as far as they were tried. */
const reached = ({ tried, total }: Trial) =>
  tried.filter(({ outcome }) => outcome.kind === "done").length + total - tried.length;

type FieldsProps = Pick<BulkProps, "visit" | "wanted" | "faults">;

function Fields({ visit, wanted: { operation, typed }, faults }: FieldsProps) {
  const words = visit.view.words.subscribers.bulk;
  if (operation === "extend") return <Extension visit={visit} typed={typed} faults={faults} />;
  if (operation === "message") {
    const choices = messageChoices(visit.db, visit.by);
    if (choices.channels.length === 0) return <NoChannel visit={visit} />;
    return <LetterFields visit={visit} {...choices} typed={typed} faults={faults} />;
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
      value={typed[name] ?? ""}
      fault={faults[name]?.join(", ")}
      options={[
        { value: "", label: words.choosePlace },
        ...rows.map(({ id, name: label }) => ({ value: id, label })),
      ]}
      attributes={{ required: true }}
    />
  );
}

function Extension({
  visit,
  typed,
  faults,
}: Pick<FieldsProps, "visit" | "faults"> & { typed: Wanted["typed"] }) {
  const words = visit.view.words.subscribers.bulk;
  return (
    <>
      <div class="bulk-length">
        <Field
          name="count"
          label={words.by}
          type="number"
          value={typed["count"] ?? "1"}
          required
          fault={faults["hours"]?.join(", ")}
          attributes={{ min: 1, max: 9999, inputmode: "numeric" }}
        />
        <Select
          name="unit"
          label={"\u00a0"}
          value={typed["unit"] ?? "days"}
          options={[
            { value: "days", label: words.days },
            { value: "hours", label: words.hours },
          ]}
          attributes={{ "aria-label": words.by }}
        />
      </div>
      <Field
        name="reason"
        label={words.reason}
        help={words.reasonHelp}
        value={typed["reason"] ?? ""}
        required
        fault={faults["reason"]?.join(", ")}
        attributes={{ maxlength: 500 }}
      />
      <Check name="trust" label={words.trust} checked={typed["trust"] === "1"} />
    </>
  );
}

type ResultProps = { view: StaffVisit["view"]; wanted: Wanted; trial: Trial };

function Result({ view, wanted: { operation }, trial: { tried, total } }: ResultProps) {
  const { format, words } = view;
  const say = words.subscribers.bulk;
  const will = tried.filter(({ outcome }) => outcome.kind === "done");
  const wont = tried.filter(({ outcome }) => outcome.kind !== "done");
  const more = total - tried.length;
  const ended = operation === "extend" ? will.filter(({ hasEnded }) => hasEnded).length : 0;
  return (
    <div class="bulk-result">
      {will.length > 0 && (
        <Named
          tone="good"
          title={say.will[operation](format.number(will.length))}
          lead={ended === 0 ? undefined : say.hadEnded(format.number(ended), ended === 1)}
          view={view}
          lines={will.map((one) => willLine(one, view))}
        />
      )}
      {wont.length > 0 && (
        <Named
          tone="bad"
          title={
            operation === "message"
              ? words.messageWriting.many.wont(format.number(wont.length))
              : wont.length === 1
                ? say.wontOne
                : say.wont(format.number(wont.length))
          }
          lead={operation === "message" && wont.length > NAMED ? reasonsOf(wont, view) : undefined}
          view={view}
          lines={wont.map((one) => wontLine(one, view))}
        />
      )}
      {operation === "message" && <SwitchOn view={view} wont={wont} />}
      {more > 0 && <p class="hint">{say.untried(format.number(more))}</p>}
    </div>
  );
}

/** Whoever gets no text messages can get them by a press, where a number is known. */
function SwitchOn({ view, wont }: { view: StaffVisit["view"]; wont: readonly Tried[] }) {
  const ids = wont.flatMap(({ id, outcome }) =>
    outcome.kind === "refused" && outcome.message === NO_SMS ? [id] : [],
  );
  if (ids.length === 0) return null;
  return (
    <Button href={smsOnHref(ids)}>
      {view.words.subscribers.bulk.switchOn(view.format.number(ids.length), ids.length === 1)}
    </Button>
  );
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
        <span class={`bulk-mark ${tone}`}>
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
          <li class="soft-text">
            {view.words.subscribers.bulk.andMore(view.format.number(lines.length - NAMED))}
          </li>
        )}
      </ul>
    </section>
  );
}

/** Of how many for which reason, where there are more than are named. */
function reasonsOf(wont: readonly Tried[], { format, words }: StaffVisit["view"]): string {
  const counts = new Map<string, number>();
  for (const { outcome } of wont)
    if (outcome.kind === "refused") counts.set(outcome.message, (counts.get(outcome.message) ?? 0) + 1);
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, NAMED)
    .map(([why, count]) => words.messageWriting.many.reason(format.number(count), why))
    .join("; ");
}

function willLine({ name, outcome, hasEnded }: Tried, { format, words }: StaffVisit["view"]): string {
  const { expiresAt: end, to } = outcome.kind === "done" ? outcome.effect : {};
  if (to) return words.messageWriting.many.goes(name, to);
  if (end === undefined) return name;
  const time = `${format.shortDay(end)}, ${format.timeOfDay(end)}`;
  return hasEnded ? words.subscribers.bulk.again(name, time) : words.subscribers.bulk.until(name, time);
}

function wontLine({ name, outcome }: Tried, { words }: StaffVisit["view"]): string {
  return `${name}: ${outcome.kind === "refused" ? outcome.message : words.subscribers.bulk.same}`;
}
