import type { Child } from "hono/jsx";
import { FormToken } from "../pages/document.tsx";

interface DrawerFormProps {
  /** Where it is sent. */
  action: string;
  formToken: string;
  id?: string;
  /** Another page follows, whatever comes of it. */
  leaves?: boolean;
  children: Child;
}

/** The form in a drawer: what comes of it stands in its place, and its buttons rest until then. */
export function DrawerForm({ action, formToken, id, leaves = false, children }: DrawerFormProps) {
  const stays = {
    "hx-post": action,
    "hx-target": "#drawer",
    "hx-swap": "innerHTML",
    "hx-disable": "find button",
  };
  return (
    <form {...(id !== undefined && { id })} method="post" action={action} {...(!leaves && stays)}>
      <FormToken value={formToken} />
      {children}
    </form>
  );
}
