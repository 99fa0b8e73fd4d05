import { DomainError, type Faults } from "../../../../domain/core/errors/errors.ts";
import { phrase } from "../../../../domain/core/errors/phrase.ts";
import { type Input, readFields, text } from "../../../../domain/core/fields/fields.ts";
import type { FormField } from "../../parts/field.tsx";
import type { ConsoleView } from "../../view.ts";

/** Throws `invalid` without one. */
export function readReason(input: Input): string {
  const faults: Faults = {};
  const { reason } = readFields({ reason: text(200) }, input, faults, { required: ["reason"] });
  if (!reason) throw new DomainError("invalid", phrase`say why`, { fields: faults });
  return reason;
}

export const reasonField = ({ words: { cards } }: ConsoleView): FormField => ({
  name: "reason",
  label: cards.batch.reason,
  help: cards.batch.reasonHelp,
  max: 200,
  attributes: { autofocus: true },
});
