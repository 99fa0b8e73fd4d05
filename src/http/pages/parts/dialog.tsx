import type { Child } from "hono/jsx";
import { Icon } from "../icons.tsx";

interface DrawerProps {
  title: string;
  lead?: Child;
  /** Without a script. */
  back: string;
  close: string;
  /** The page's only title. */
  isPage: boolean;
  children: Child;
}

/** A panel beside the page. */
export function Drawer({ title, lead, back, close, isPage, children }: DrawerProps) {
  return (
    <>
      <header class="drawer-head">
        <div>
          {isPage ? <h1>{title}</h1> : <h2 id="drawer-title">{title}</h2>}
          {lead !== undefined && <p class="hint">{lead}</p>}
        </div>
        <a class="button quiet icon-button" href={back} data-close aria-label={close}>
          <Icon name="close" />
        </a>
      </header>
      {children}
    </>
  );
}
