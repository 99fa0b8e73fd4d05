import type { Child } from "hono/jsx";
import { FormToken } from "../pages/document.tsx";
import type { StaffVisit } from "./guard.ts";

interface DrawerFormProps {
  visit: Pick<StaffVisit, "formToken" | "isPart">;
  action: string;
  id?: string;
  /** Another page follows in any case. */
  leaves?: boolean;
  /** The answer opens beside the page. */
  opens?: boolean;
  children: Child;
}

/**
 * A form in a drawer, replaced by its answer and sent once. In a drawer that is a page of its own it navigates as without a
 * script, for its address may be one that only forms are sent to.
 */
export function DrawerForm({ visit, action, id, leaves = false, opens = false, children }: DrawerFormProps) {
  const stays = {
    "hx-post": action,
    "hx-target": "#drawer",
    "hx-swap": "innerHTML",
  };
  const isBeside = opens || (visit.isPart && !leaves);
  return (
    <form {...(id !== undefined && { id })} method="post" action={action} {...(isBeside && stays)}>
      <FormToken value={visit.formToken} />
      {children}
    </form>
  );
}
