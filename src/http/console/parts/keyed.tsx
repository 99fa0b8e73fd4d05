import type { Child } from "hono/jsx";
import type { DomainError, FieldErrors } from "../../../domain/core/errors/errors.ts";
import type { Input } from "../../../domain/core/fields/fields.ts";
import type { UnusualAmount } from "../../../domain/desk/payments/unusual.ts";
import { Note } from "../../pages/note.tsx";
import { drawer } from "../answers.tsx";
import type { StaffVisit } from "../guard.ts";
import { asUnusualAmount } from "../unusual.tsx";
import { DrawerForm } from "../drawer-form.tsx";
import { FormKey } from "./once.tsx";

export interface Refusal {
  readonly problem: string;
  readonly faults: FieldErrors;
  /** Not a refusal yet: asks whether the amount is meant. */
  readonly unusual?: UnusualAmount | undefined;
}

export type ReadValue = (name: string) => string;

export const valuesIn =
  (input: Input): ReadValue =>
  (name) => {
    const value = input[name];
    return typeof value === "string" ? value.slice(0, 500) : "";
  };

interface KeyedFormProps {
  visit: StaffVisit;
  action: string;
  values: ReadValue;
  refusal: Refusal | undefined;
  /** Another page follows in any case. */
  leaves?: boolean;
  foot: Child;
  children: Child;
}

/** A form that moves money: its key makes a double press happen once. */
export function KeyedForm({
  visit,
  action,
  values,
  refusal,
  leaves = false,
  foot,
  children,
}: KeyedFormProps) {
  return (
    <DrawerForm action={action} visit={visit} leaves={leaves}>
      <FormKey value={values("key")} />
      <div class="drawer-body">
        {refusal !== undefined && !refusal.unusual && <Note kind="bad">{refusal.problem}</Note>}
        {children}
      </div>
      <footer class="drawer-foot">{foot}</footer>
    </DrawerForm>
  );
}

/** The drawer with the typed values and the refusal. */
export function refusedDrawer(
  visit: StaffVisit,
  refused: DomainError,
  show: (refusal: Refusal) => Parameters<typeof drawer>[1],
): Response {
  const { message, fields } = refused;
  const problem = visit.view.words.pay.notTaken(message);
  const refusal = { problem, faults: fields ?? {}, unusual: asUnusualAmount(refused) };
  return drawer(visit, { ...show(refusal), status: visit.isPart ? 200 : 422 });
}
