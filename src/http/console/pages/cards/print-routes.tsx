import { type ConsoleRoute, staffForm, staffPage } from "../../guard.ts";
import { printBatch, showSample } from "./print.tsx";
import { codesFile, printAgain } from "./sheets.tsx";
import { create, editTemplate, newTemplate, preview, remove, save } from "./template.tsx";
import { showTemplates } from "./templates.tsx";

const CARDS = "/console/cards";
const BATCH = `${CARDS}/batches/:id`;
const TEMPLATES = `${CARDS}/templates`;

/** Cards on paper, and how they look there. */
export const cardPrintRoutes: readonly ConsoleRoute[] = [
  staffPage(`${BATCH}/print`, printBatch),
  staffPage(`${BATCH}/print/sample`, showSample),
  staffPage(`${BATCH}/codes.csv`, codesFile),
  staffPage(`${CARDS}/:id/print`, printAgain),
  staffPage(TEMPLATES, showTemplates),
  staffPage(`${TEMPLATES}/new`, newTemplate),
  staffForm(`${TEMPLATES}/new`, create),
  staffForm(`${TEMPLATES}/sample`, preview),
  staffPage(`${TEMPLATES}/:id`, editTemplate),
  staffForm(`${TEMPLATES}/:id`, save),
  staffForm(`${TEMPLATES}/:id/delete`, remove),
];
