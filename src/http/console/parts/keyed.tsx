import type { Child } from "hono/jsx";
import type { DomainError, FieldErrors } from "../../../domain/core/errors/errors.ts";
import type { Input } from "../../../domain/core/fields/fields.ts";
import type { UnusualAmount } from "../../../domain/desk/payments/unusual.ts";
import { Note } from "../../pages/note.tsx";
import { drawer } from "../answers.tsx";
import type { StaffVisit } from "../guard.ts";
import { unusualOf } from "../unusual.tsx";
import { DrawerForm } from "../drawer-form.tsx";
import { FormKey } from "./once.tsx";

/** Why a form was not done. */
export interface Refusal {
  readonly problem: string;
  readonly faults: FieldErrors;
  /** It is no refusal yet: it is asked whether the amount is meant. */
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
  /** Another page follows, whatever comes of it. */
  leaves?: boolean;
  foot: Child;
  children: Child;
}

/** A form in a drawer that moves money: it has a key, so that a double press does it once. */
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

/** The same drawer again with what was typed and why it was not done. */
export function refusedDrawer(
  visit: StaffVisit,
  refused: DomainError,
  show: (refusal: Refusal) => Parameters<typeof drawer>[1],
): Response {
  const { message, fields } = refused;
  const problem = visit.view.words.pay.notTaken(message);
  const refusal = { problem, faults: fields ?? {}, unusual: unusualOf(refused) };
  return drawer(visit, { ...show(refusal), status: visit.isPart ? 200 : 422 });
}
