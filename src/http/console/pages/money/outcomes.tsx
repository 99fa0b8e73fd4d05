import { told } from "../../attempt.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Standing } from "../../../../domain/desk/payments/preview.ts";
import { Check, TextArea } from "../../../pages/parts/field.tsx";
import type { ConsoleView } from "../../view.ts";
import type { Refusal, ReadValue } from "../../parts/keyed.tsx";

interface Way {
  readonly label: string;
  readonly standing: Standing | DomainError;
}

interface OutcomesProps {
  view: ConsoleView;
  values: ReadValue;
  refusal: Refusal | undefined;
  /** The choice: 0 money alone, 1 the service too. */
  name: string;
  hadService: boolean;
  alone: Way;
  /** null: it has no service. */
  too: Way | null;
}

/** Ways to give money back, each with its result, and the reason. */
export function Outcomes({ view, values, refusal, name, hadService, alone, too }: OutcomesProps) {
  const { money } = view.words;
  const isToo = values(name) === "1";
  const shared = { view, name, hadService };
  return (
    <>
      <fieldset class="outcomes">
        <legend class="legend">{money.whatHappens}</legend>
        <Outcome {...shared} {...alone} value="0" checked={!isToo} />
        {too && <Outcome {...shared} {...too} value="1" checked={isToo} />}
      </fieldset>
      <TextArea
        name="reason"
        label={money.reason}
        value={values("reason")}
        maxLength={500}
        fault={refusal?.faults["reason"]?.[0]}
        help={money.reasonHelp}
      />
    </>
  );
}

interface OutcomeProps {
  view: ConsoleView;
  name: string;
  value: string;
  label: string;
  standing: Standing | DomainError;
  hadService: boolean;
  checked: boolean;
}

function Outcome({ view, name, value, label, standing, hadService, checked }: OutcomeProps) {
  const { money } = view.words;
  if (standing instanceof DomainError)
    return (
      <div class="outcome">
        <strong class="soft-text">{label}</strong>
        <p class="hint">{money.notPossible(told(view, standing.phrases.message))}</p>
      </div>
    );
  return (
    <div class="outcome">
      <Check type="radio" name={name} value={value} checked={checked} label={<strong>{label}</strong>} />
      <p class="hint">{standingWords(view, standing, hadService)}</p>
    </div>
  );
}

function standingWords(
  { words: { list, money }, format }: ConsoleView,
  { balance, open, service }: Standing,
  hadService: boolean,
): string {
  const owed = open.reduce((sum, invoice) => sum + invoice.open, 0);
  const numbers = open.map(({ number }) => format.name(number ?? "")).join(list.comma);
  return [
    money.balanceThen(format.amount(balance)),
    owed > 0 ? money.openThen(numbers, format.amount(owed)) : "",
    service
      ? money.serviceThen(format.name(service.packageName), format.time(service.expiresAt))
      : hadService
        ? money.noServiceThen
        : "",
  ]
    .filter(Boolean)
    .join(" ");
}
