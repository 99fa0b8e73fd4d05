import type { JSX } from "hono/jsx/jsx-runtime";
import { Document } from "../../pages/document.tsx";
import { Button } from "../../pages/parts/button.tsx";
import { Segments } from "../../pages/parts/tabs.tsx";
import { page } from "../answers.tsx";
import { consoleScript, consoleStyle } from "../assets.ts";
import type { StaffVisit } from "../guard.ts";
import { SeeingBar } from "../seeing-bar.tsx";
import type { PaperSize } from "../../pages/print/sheet.tsx";
import type { ConsoleView } from "../view.ts";

interface Printed {
  title: string;
  back: string;
  view: ConsoleView;
  printout: (size: PaperSize) => JSX.Element;
}

/** A page with the printout alone, in its page size. */
export function printPage(visit: StaffVisit, { title, back, view, printout }: Printed): Response {
  const { query, path } = visit;
  const names = view.words.paper;
  const size: PaperSize = query.get("paper") === "a4" ? "a4" : "roll";
  const params = [...query].filter(([name]) => name !== "paper" && name !== "print");
  const sizes = (["roll", "a4"] as const).map((name) => ({
    href: `${path}?${new URLSearchParams([...params, ["paper", name]])}`,
    label: names.sizes[name],
    current: name === size,
  }));
  return page(
    visit,
    <Document
      lang={view.words.tag}
      dir={view.words.dir}
      brand={view.brand}
      title={title}
      kind="printed"
      styles={[consoleStyle.path]}
      scripts={[consoleScript.path]}
      root={query.get("print") === "1" ? { "data-print-now": "yes" } : {}}
    >
      <SeeingBar visit={visit} />
      <nav class="paper-tools no-print">
        <Button href={back} icon="back">
          {names.back}
        </Button>
        <Segments label={names.print} tabs={sizes} />
        <button type="button" class="button solid" hidden data-print>
          {names.print}
        </button>
      </nav>
      <main>
        <h1 class="unseen">{title}</h1>
        {printout(size)}
      </main>
    </Document>,
  );
}
