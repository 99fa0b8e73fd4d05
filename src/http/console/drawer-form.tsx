import type { Child } from "hono/jsx";
import { FormToken } from "../pages/document.tsx";
import type { StaffVisit } from "./guard.ts";

interface DrawerFormProps {
  visit: Pick<StaffVisit, "formToken" | "isPart">;
  action: string;
  id?: string;
  /** Another page follows, whatever comes of it. */
  leaves?: boolean;
  /** What comes of it opens beside the page, where it stands on one. */
  opens?: boolean;
  children: Child;
}

/**
 * The form in a drawer: what comes of it stands in its place, and nothing is sent twice until then. In a drawer that is a page of its own the
 * page goes on to what follows, as without a script: its address may be one that only forms are sent to.
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
