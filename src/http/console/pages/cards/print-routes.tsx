import { type ConsoleRoute, staffForm, staffPage } from "../../guard.ts";
import { BATCHES, CARDS } from "../../parts/hrefs.ts";
import { printBatch, printCard, showSample } from "./print.tsx";
import { codesFile, printAgain, showSheets } from "./show-sheets.tsx";
import { create, editTemplate, newTemplate, preview, save, templateRemoval } from "./template.tsx";
import { showTemplates } from "./templates.tsx";

const BATCH = `${BATCHES}/:id`;
const TEMPLATES = `${CARDS}/templates`;

export const cardPrintRoutes: readonly ConsoleRoute[] = [
  staffPage(`${BATCH}/print`, printBatch),
  staffForm(`${BATCH}/print`, showSheets),
  staffForm(`${BATCH}/print/sample`, showSample),
  staffForm(`${BATCH}/codes.csv`, codesFile),
  staffPage(`${CARDS}/:id/print`, printCard),
  staffForm(`${CARDS}/:id/print`, printAgain),
  staffPage(TEMPLATES, showTemplates),
  staffPage(`${TEMPLATES}/new`, newTemplate),
  staffForm(`${TEMPLATES}/new`, create),
  staffForm(`${TEMPLATES}/sample`, preview),
  staffPage(`${TEMPLATES}/:id`, editTemplate),
  staffForm(`${TEMPLATES}/:id`, save),
  ...templateRemoval,
];
