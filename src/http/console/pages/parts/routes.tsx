import { page } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import { staffPage } from "../../guard.ts";
import { Parts } from "./parts.tsx";

export const partsRoutes = [
  staffPage("/console/parts", (visit) =>
    page(
      visit,
      <Frame visit={visit} title="Parts" place={null}>
        <Parts words={visit.view.words} />
      </Frame>,
    ),
  ),
];
