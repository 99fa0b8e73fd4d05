import { BrandMark } from "../../pages/brand.tsx";
import { Document } from "../../pages/document.tsx";
import type { Child } from "hono/jsx";
import { consoleScript, consoleStyle, htmxScript } from "../assets.ts";
import type { ConsoleView } from "../view.ts";

export interface EntryProps {
  view: ConsoleView;
  title: string;
  /** The host name, shown below the card. */
  host?: string | undefined;
  children: Child;
}

/** A page of one card before sign-in. */
export function Entry({ view, title, host = "", children }: EntryProps) {
  return (
    <Document
      lang={view.words.tag}
      dir={view.words.dir}
      brand={view.brand}
      title={title}
      kind="console entry"
      styles={[consoleStyle.path]}
      libraries={[htmxScript.path]}
      scripts={[consoleScript.path]}
      head={<meta name="htmx-config" content='{"includeIndicatorCSS":false}' />}
    >
      <main class="entry-card" id="content">
        <BrandMark brand={view.brand} />
        {children}
      </main>
      {host !== "" && <footer class="hint">{view.words.signIn.on(host)}</footer>}
    </Document>
  );
}
