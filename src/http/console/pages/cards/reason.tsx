import { DomainError, type FieldErrors } from "../../../../domain/core/errors/errors.ts";
import { type Input, readFields, text } from "../../../../domain/core/fields/fields.ts";
import { Field } from "../../../pages/parts/field.tsx";
import type { ConsoleView } from "../../view.ts";
import type { Typed } from "../money/keyed.tsx";

/** Why something becomes void, as somebody typed it. Throws `invalid` without one. */
export function reasonOf(input: Input): string {
  const faults: FieldErrors = {};
  const { reason } = readFields({ reason: text(200) }, input, faults, { required: ["reason"] });
  if (!reason) throw new DomainError("invalid", "say why", { fields: faults });
  return reason;
}

export function ReasonField({
  view,
  typed,
  refused,
}: {
  view: ConsoleView;
  typed: Typed;
  refused: DomainError | undefined;
}) {
  const { batch: say } = view.words.cards;
  return (
    <Field
      name="reason"
      label={say.reason}
      value={typed("reason")}
      help={say.reasonHelp}
      fault={refused?.fields?.["reason"]?.[0]}
      attributes={{ maxlength: 200, autofocus: true, autocomplete: "off" }}
    />
  );
}
