import type { Child } from "hono/jsx";
import type { DomainError, FieldErrors } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { drawer } from "../../answers.tsx";
import { DrawerForm } from "../../drawer-form.tsx";
import type { StaffVisit } from "../../guard.ts";
import { sentence } from "../subscriber/say.ts";

interface FormProps {
  title: string;
  lead?: Child;
  /** Where it is sent. */
  action: string;
  /** The page beneath. */
  back: string;
  /** What was wrong with it as it was sent. */
  refused?: DomainError | undefined;
  /** The words of the button that sends it; absent: there is nothing to send. */
  submit?: string;
  /** Another page follows, whatever comes of it. */
  leaves?: boolean;
  /** What it does cannot be taken back. */
  danger?: boolean;
  /** Further buttons. */
  beside?: Child;
  /** Something was done. */
  changed?: boolean;
  /** Where it is without a script. */
  place?: "settings" | "money" | "messages";
  children: Child;
}

/** A form beside the page; a page of its own without a script. */
export function formDrawer(visit: StaffVisit, props: FormProps): Response {
  const {
    title,
    lead,
    action,
    back,
    refused,
    submit,
    danger = false,
    leaves = false,
    beside,
    changed = false,
    place = "settings",
  } = props;
  return drawer(visit, {
    ...{ title, lead, back, changed, place, status: refused ? 422 : 200 },
    children: (
      <DrawerForm action={action} visit={visit} leaves={leaves}>
        <div class="drawer-body">
          {refused && unnamed(refused) && <Note kind="bad">{sentence(refused.message)}</Note>}
          {props.children}
        </div>
        {(submit !== undefined || beside !== undefined) && (
          <div class="drawer-foot">
            {submit !== undefined && (
              <Button kind={danger ? "danger" : "solid"} size="large">
                {submit}
              </Button>
            )}
            {beside}
          </div>
        )}
      </DrawerForm>
    ),
  });
}

/** Whether a refusal is of no field, so that it has to be said above them. */
function unnamed({ fields }: DomainError): boolean {
  return Object.keys(fields ?? {}).length === 0;
}

/** What is wrong with a field, in words. */
export function faultOf(refused: DomainError | undefined, name: string): string | undefined {
  const faults: FieldErrors = refused?.fields ?? {};
  const message = faults[name]?.[0];
  return message === undefined ? undefined : sentence(message);
}

/** Fields of a form as they were typed, shortened to what any of them may have. */
export function typedIn(input: Input, name: string): string {
  const value = input[name];
  return typeof value === "string" ? value.slice(0, 1000) : "";
}
