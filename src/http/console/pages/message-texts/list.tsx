import { type Input, RepeatedField } from "../../../../domain/core/fields/fields.ts";
import { listRules } from "../../../../domain/around/messages/rules.ts";
import { readyTexts } from "../../../../domain/around/messages/ready/ready.ts";
import { addReadyTemplates, listTemplates } from "../../../../domain/around/messages/templates.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Check } from "../../../pages/parts/field.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import { languages } from "../../../words/languages.ts";
import { page, said } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { IspField } from "../../isp-field.tsx";
import { messagePages, MessagesFrame } from "../messages/head.tsx";
import { formDrawer, typedIn } from "../team/form.tsx";
import { textName } from "../message-rules/shown.ts";

const TEXTS = messagePages.texts;

/** What people are told, with the languages that each is written in. */
export function showTexts(visit: StaffVisit): Response {
  const { db, by, view } = visit;
  const words = view.words.messageTexts;
  const names: Readonly<Record<string, string>> = view.words.outbox.languages;
  const texts = [...Map.groupBy(listTemplates(db, by), ({ ispId, name }) => `${ispId} ${name}`).values()];
  const rules = listRules(db, by);
  const mayChange = may(by, "message_manage");
  const isEmpty = texts.length === 0;
  const there = new Set(texts.flat().map(({ name, language }) => `${language} ${name}`));
  const lacksReady = readyTexts.some(({ name, language }) => !there.has(`${language} ${name}`));
  const actions = mayChange && (
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
  return page(
    visit,
    <MessagesFrame visit={visit} current="texts" actions={isEmpty ? undefined : actions}>
      {isEmpty ? (
        <section class="card">
          <Empty icon="edit" title={words.none} text={words.noneText}>
            {actions}
          </Empty>
        </section>
      ) : (
        <>
          <p class="sentence">{words.lead}</p>
          <Table
            caption={view.words.messages.titles.texts}
            columns={[
              { title: words.text },
              { title: words.inLanguages },
              { title: words.usedBy, low: true },
            ]}
            kind="short-rows"
          >
            {texts.map((each) => {
              const [first] = each;
              const used = rules.filter(
                ({ template, ispId }) => template === first?.name && ispId === first.ispId,
              );
              return (
                <tr>
                  <td class="lead">
                    <a href={`${TEXTS}/${(each.find(({ language }) => language === "en") ?? first)?.id}`}>
                      <bdi>{textName(view.words, first?.name ?? "")}</bdi>
                    </a>
                  </td>
                  <td class="wrap">
                    {each.length === languages.length
                      ? words.allLanguages(view.format.number(each.length))
                      : each.map(({ language }) => names[language] ?? language).join(", ")}
                  </td>
                  <td class="low soft-text">
                    {used.length === 0 ? words.notUsed : <bdi>{used.map(({ name }) => name).join(", ")}</bdi>}
                  </td>
                </tr>
              );
            })}
          </Table>
        </>
      )}
    </MessagesFrame>,
  );
}

export function askReady(visit: StaffVisit): Response {
  const { by, view } = visit;
  permit(by, "addReadyTemplates");
  const words = view.words.messageTexts;
  return formDrawer(visit, {
    ...{ title: words.ready, lead: words.readyLead, action: `${TEXTS}/ready`, back: TEXTS, leaves: true },
    ...{ submit: words.readyAdd, place: "messages" },
    children: (
      <>
        {languages.map(({ tag, name }) => (
          <Check name="language" value={tag} label={<bdi lang={tag}>{name}</bdi>} checked />
        ))}
        <IspField visit={visit} />
      </>
    ),
  });
}

export function addReady(visit: StaffVisit, input: Input): Response {
  const { db, by, now, view } = visit;
  const { language } = input;
  const ticked = language instanceof RepeatedField ? language.values : [language];
  const chosen = ticked.filter((one) => typeof one === "string");
  const ispId = Number(typedIn(input, "isp_id")) || null;
  const added = addReadyTemplates(db, by, { ispId, languages: chosen }, { now });
  return said(
    visit,
    { kind: "good", title: view.words.messageTexts.readyDone(view.format.number(added)) },
    TEXTS,
  );
}
