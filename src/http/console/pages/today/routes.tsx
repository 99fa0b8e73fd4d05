import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { verbatim } from "../../../../domain/core/errors/phrase.ts";
import { seeOther } from "../../../pages/respond.tsx";
import { page, part } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import { type ConsoleRoute, staffPage } from "../../guard.ts";
import { hoursResponse } from "./hours.ts";
import { parts, Today } from "./page.tsx";

export const todayRoutes: readonly ConsoleRoute[] = [
  staffPage("/console", (visit) =>
    page(
      visit,
      <Frame visit={visit} title={visit.view.words.today.title} place="today">
        <Today visit={visit} />
      </Frame>,
    ),
  ),
  staffPage("/console/today/hours", hoursResponse),
  ...Object.entries(parts).map(([name, { show: Show, isFor }]) =>
    staffPage(`/console/today/${name}`, (visit) => {
      if (!isFor(visit)) throw new DomainError("forbidden", verbatim(visit.view.words.errors[403].text));
      return visit.isPart ? part(visit, <Show visit={visit} />) : seeOther("/console");
    }),
  ),
];
