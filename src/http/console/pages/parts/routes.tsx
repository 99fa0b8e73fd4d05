import { page } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import { staffPage } from "../../guard.ts";
import { Parts } from "./parts.tsx";

/** Every part of the pages in every state, to look at. */
export const partsRoutes = [
  staffPage("/console/parts", (visit) =>
    page(
      visit,
      <Frame visit={visit} title="Parts" place={null}>
        <Parts />
      </Frame>,
    ),
  ),
];
