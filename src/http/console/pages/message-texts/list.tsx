import { listRules } from "../../../../domain/around/messages/rules.ts";
import { readyTexts } from "../../../../domain/around/messages/ready/ready.ts";
import {
  addReadyTemplates,
  listTemplates,
  type Template,
} from "../../../../domain/around/messages/templates.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { languages } from "../../../words/languages.ts";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { list } from "../../parts/list.tsx";
import { ispFields } from "../../isp-field.tsx";
import { ticks } from "../../parts/field.tsx";
import { form } from "../../parts/form.tsx";
import { messagePages, MessagesFrame } from "../../parts/messages-frame.tsx";
import { textName } from "../../parts/phrases.ts";

const TEXTS = messagePages.texts;

export function showTexts(visit: StaffVisit): Response {
  const { db, by, view } = visit;
  const words = view.words.messageTexts;
  const texts = groupTexts(listTemplates(db, by));
  const isEmpty = texts.length === 0;
  return page(
    visit,
    <MessagesFrame visit={visit} current="texts" actions={isEmpty ? undefined : buildActions(visit, texts)}>
      <Texts visit={visit} rows={texts}>
        {!isEmpty && <p class="sentence">{words.lead}</p>}
      </Texts>
    </MessagesFrame>,
  );
}

type Text = readonly [Template, ...Template[]];

function groupTexts(templates: readonly Template[]): Text[] {
  const byName = Map.groupBy(templates, ({ ispId, name }) => `${ispId} ${name}`);
  return [...byName.values()].flatMap(([first, ...others]): Text[] => (first ? [[first, ...others]] : []));
}

function buildActions({ by, view }: StaffVisit, texts: readonly Text[]) {
  const words = view.words.messageTexts;
  const there = new Set(texts.flat().map(({ name, language }) => `${language} ${name}`));
  const lacksReady = readyTexts.some(({ name, language }) => !there.has(`${language} ${name}`));
  const isEmpty = texts.length === 0;
  if (!may(by, "message_manage")) return undefined;
  return (
    <>
      {lacksReady && (
        <Button href={`${TEXTS}/ready`} kind={isEmpty ? "solid" : "outline"} drawer>
          {words.ready}
        </Button>
      )}
      <Button href={`${TEXTS}/new`} kind={isEmpty ? "outline" : "solid"} icon="plus">
        {words.new}
      </Button>
    </>
  );
}

export const Texts = list<Text>((visit, texts) => {
  const { db, by, view } = visit;
  const words = view.words.messageTexts;
  const names: Readonly<Record<string, string>> = view.words.outbox.languages;
  const rules = listRules(db, by);
  const usedBy = ([{ name, ispId }]: Text) =>
    rules.filter((rule) => rule.template === name && rule.ispId === ispId).map((rule) => rule.name);
  return {
    name: view.words.messages.titles.texts,
    call: "listTemplates",
    columns: [
      {
        title: words.text,
        cell: (text) => (
          <a href={`${TEXTS}/${(text.find(({ language }) => language === "en") ?? text[0]).id}`}>
            <bdi>{textName(view.words, text[0].name)}</bdi>
          </a>
        ),
        narrow: "lead",
      },
      {
        title: words.inLanguages,
        cell: (text) =>
          text.length === languages.length
            ? words.allLanguages(text.length)
            : text.map(({ language }) => names[language] ?? language).join(view.words.list.comma),
        kind: "wrap",
      },
      {
        title: words.usedBy,
        cell: (text) =>
          usedBy(text).length === 0 ? words.notUsed : <bdi>{usedBy(text).join(view.words.list.comma)}</bdi>,
        narrow: "low",
        kind: "soft-text",
      },
    ],
    empty: { icon: "edit", title: words.none, text: words.noneText, first: buildActions(visit, texts) },
  };
});

export const readyForm = form({
  path: `${TEXTS}/ready`,
  permit: "addReadyTemplates",
  of: () => undefined,
  content: (visit) => {
    const words = visit.view.words.messageTexts;
    return {
      title: words.ready,
      lead: words.readyLead,
      back: TEXTS,
      place: "messages",
      leaves: true,
      submit: words.readyAdd,
      fields: [
        ...ticks(
          "language",
          languages.map(({ tag, name }) => ({ value: tag, label: <bdi lang={tag}>{name}</bdi> })),
        ),
        ...ispFields(visit),
      ],
    };
  },
  save: ({ db, by, now }, _, { language = "", isp_id: isp }) =>
    addReadyTemplates(db, by, { ispId: Number(isp) || null, languages: language.split(", ") }, { now }),
  done: ({ view }, added) => view.words.messageTexts.readyDone(added),
});
