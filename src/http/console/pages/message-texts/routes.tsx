import { type ConsoleRoute, staffForm, staffPage } from "../../guard.ts";
import { messagePages } from "../messages/head.tsx";
import { askRemoval, editText, newText, previewText, remove, saveText, tryText } from "./editor.tsx";
import { addReady, askReady, showTexts } from "./list.tsx";

const TEXTS = messagePages.texts;

/** What people are told. */
export const messageTextRoutes: readonly ConsoleRoute[] = [
  staffPage(TEXTS, showTexts),
  staffPage(`${TEXTS}/ready`, askReady),
  staffForm(`${TEXTS}/ready`, addReady),
  staffPage(`${TEXTS}/new`, newText),
  staffForm(`${TEXTS}/new`, saveText),
  staffForm(`${TEXTS}/preview`, previewText),
  staffForm(`${TEXTS}/try`, tryText),
  staffPage(`${TEXTS}/:id`, editText),
  staffForm(`${TEXTS}/:id`, saveText),
  staffPage(`${TEXTS}/:id/delete`, askRemoval),
  staffForm(`${TEXTS}/:id/delete`, remove),
];
