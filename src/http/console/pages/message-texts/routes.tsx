import { type ConsoleRoute, staffForm, staffPage } from "../../guard.ts";
import { messagePages } from "../../parts/messages-frame.tsx";
import { editText, newText, previewText, saveText, textRemoval, tryText } from "./editor.tsx";
import { readyForm, showTexts } from "./list.tsx";

const TEXTS = messagePages.texts;

export const messageTextRoutes: readonly ConsoleRoute[] = [
  staffPage(TEXTS, showTexts),
  ...readyForm,
  staffPage(`${TEXTS}/new`, newText),
  staffForm(`${TEXTS}/new`, saveText),
  staffForm(`${TEXTS}/preview`, previewText),
  staffForm(`${TEXTS}/try`, tryText),
  staffPage(`${TEXTS}/:id`, editText),
  staffForm(`${TEXTS}/:id`, saveText),
  ...textRemoval,
];
