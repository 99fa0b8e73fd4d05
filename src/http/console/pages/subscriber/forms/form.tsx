import type { Child } from "hono/jsx";
import { Button } from "../../../../pages/parts/button.tsx";
import { drawer } from "../../../answers.tsx";
import type { Shown } from "../shown.ts";
import { DrawerForm } from "../../../drawer-form.tsx";

interface Props {
  shown: Shown;
  /** What follows the path of the page. */
  to: string;
  title: string;
  status?: number;
  /** The words of the button that sends it; absent: there is nothing to send. */
  submit?: string | undefined;
  /** Further buttons, before it. */
  beside?: Child;
  /** What was done is on the page beneath. */
  changed?: boolean;
  children: Child;
}

/** A form about this subscriber, beside its page; a page of its own without a script. */
export function formDrawer({
  shown,
  to,
  title,
  status = 200,
  submit,
  beside,
  changed = false,
  children,
}: Props): Response {
  const { visit, base, head } = shown;
  const { forms } = visit.view.words.subscriber;
  const action = `${base}/${to}`;
  const { name, username } = head.subscriber;
  return drawer(visit, {
    ...{ title, status, changed, place: "subscribers", back: base },
    lead: <bdi>{forms.forWhom(name, username)}</bdi>,
    children: (
      <DrawerForm action={action} visit={visit}>
        <div class="drawer-body">{children}</div>
        {(submit !== undefined || beside !== undefined) && (
          <div class="drawer-foot">
            {submit !== undefined && (
              <Button kind="solid" size="large">
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

/** What a field was sent with, as text. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}
