import type { Child } from "hono/jsx";
import { Button } from "../../../../pages/parts/button.tsx";
import { drawer } from "../../../answers.tsx";
import type { PageContext } from "../context.ts";
import { DrawerForm } from "../../../drawer-form.tsx";

interface Props {
  context: PageContext;
  to: string;
  title: string;
  status?: number;
  submit?: string | undefined;
  beside?: Child;
  /** The page beneath changes. */
  changed?: boolean;
  children: Child;
}

/** A drawer about this subscriber. */
export function formDrawer({
  context,
  to,
  title,
  status = 200,
  submit,
  beside,
  changed = false,
  children,
}: Props): Response {
  const { visit, base } = context;
  const action = `${base}/${to}`;
  return drawer(visit, {
    title,
    status,
    changed,
    ...formAbout(context),
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

/** Subject and return page of declared forms. */
export function formAbout({ visit, base, head }: PageContext) {
  const { name, username } = head.subscriber;
  const lead = <bdi>{visit.view.words.subscriber.forms.forWhom(name, username)}</bdi>;
  return { lead, back: base, place: "subscribers" as const };
}

export function readText(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}
