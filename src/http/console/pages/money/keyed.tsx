import { randomBytes } from "node:crypto";
import type { Child } from "hono/jsx";
import type { Tx } from "../../../../../db/open.ts";
import type { DomainError, FieldErrors } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import type { UnusualAmount } from "../../../../domain/desk/payments/unusual.ts";
import { once } from "../../../../domain/core/once/once.ts";
import { attempt } from "../../attempt.ts";
import { Note } from "../../../pages/note.tsx";
import { drawer } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { unusualOf } from "../../unusual.tsx";
import { DrawerForm } from "../../drawer-form.tsx";

/** Why a form was not done. */
export interface Refusal {
  readonly problem: string;
  readonly faults: FieldErrors;
  /** It is no refusal yet: it is asked whether the amount is meant. */
  readonly unusual?: UnusualAmount | undefined;
}

/** What was typed, by the names of the form. */
export type Typed = (name: string) => string;

export const typedIn =
  (input: Input): Typed =>
  (name) => {
    const value = input[name];
    return typeof value === "string" ? value.slice(0, 500) : "";
  };

interface KeyedFormProps {
  visit: StaffVisit;
  action: string;
  typed: Typed;
  refusal: Refusal | undefined;
  /** Another page follows, whatever comes of it. */
  leaves?: boolean;
  /** The buttons. */
  foot: Child;
  children: Child;
}

/** A form in a drawer that moves money: it has a key, so that a double press does it once. */
export function KeyedForm({ visit, action, typed, refusal, leaves = false, foot, children }: KeyedFormProps) {
  return (
    <DrawerForm action={action} visit={visit} leaves={leaves}>
      <FormKey value={typed("key")} />
      <div class="drawer-body">
        {refusal !== undefined && !refusal.unusual && <Note kind="bad">{refusal.problem}</Note>}
        {children}
      </div>
      <footer class="drawer-foot">{foot}</footer>
    </DrawerForm>
  );
}

/** What makes a second press, or a reload of the answer, the same as the first; without a value that was sent: a new one. */
export function FormKey({ value }: { value?: string }) {
  return <input type="hidden" name="key" value={value || randomBytes(16).toString("base64url")} />;
}

/** Does it once for the key of the form: in one transaction with its answer, or the refusal. */
export function doOnce<T>(
  visit: StaffVisit,
  path: string,
  input: Input,
  begin: (tx: Tx) => () => T,
): Promise<T | DomainError> {
  const { db, by, now } = visit;
  const { form_token: _, sure: _sure, key, ...sent } = input; // a question that was answered is no other form
  return attempt(visit, async () =>
    once(db, by, { path, key: typeof key === "string" ? key : "", input: sent }, { now }, begin),
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
