import { requireApplianceAdmin } from "../../../../domain/core/actor/actor.ts";
import { isLanguageTag } from "../../../../domain/core/fields/languages.ts";
import { dataFolderOf } from "../../../../domain/core/files/files.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { tagsIn } from "../../../../domain/core/settings/language-settings.ts";
import { setting } from "../../../../domain/core/settings/settings.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { phrase } from "../../../../domain/core/errors/phrase.ts";
import { changeSetting } from "../../../../domain/machine/settings/change.ts";
import { writePatiently } from "../../../../../db/open.ts";
import { Action } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { countIn, type LanguageStanding, standings } from "../../../words/standing.ts";
import { faultSentence } from "../../../words/own-faults.ts";
import { type OwnFault, ownWords, takeOwnWords, wordsFolder } from "../../../words/own.ts";
import { flash, page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { LANGUAGES } from "../../parts/hrefs.ts";
import { list } from "../../parts/list.tsx";
import { SettingsFrame } from "../../parts/settings-frame.tsx";

/** How complete each language is, what own words there are, and which of them are not used. */
export function showLanguages(visit: StaffVisit): Response {
  const { db, by, view, formToken } = visit;
  requireApplianceAdmin(db, by);
  const { languages: words } = view.words;
  const { faults } = ownWords();
  return page(
    visit,
    <SettingsFrame visit={visit} current="languages">
      <div class="stack">
        <Languages visit={visit} rows={standings()} />
        <Card title={words.own}>
          <div class="stack">
            <p class="hint">
              {words.ownLead(view.format.name("es/portal.json"), view.format.name("3/es/portal.json"))}
            </p>
            <p class="mono breaks">{wordsFolder(dataFolderOf(db))}</p>
            <Faults visit={visit} rows={faults} />
            <Action action={`${LANGUAGES}/read`} formToken={formToken} icon="renew">
              {words.readAnew}
            </Action>
          </div>
        </Card>
      </div>
    </SettingsFrame>,
  );
}

export const Languages = list<LanguageStanding>((visit) => {
  const { view, db } = visit;
  const { languages: words } = view.words;
  const { format } = view;
  const read = new Set(tagsIn(setting(db, "languages_read")));
  return {
    name: view.words.settings.tabs.languages,
    columns: [
      {
        title: words.language,
        narrow: "lead",
        cell: ({ language: { tag, name, dir } }) => (
          <bdi lang={tag} dir={dir}>
            {name}
          </bdi>
        ),
      },
      {
        title: words.translated,
        end: true,
        cell: ({ translated, messages }) => words.of(format.number(translated), format.number(messages)),
      },
      { title: words.own, end: true, cell: ({ own }) => format.number(own), narrow: "low" },
      { title: words.faulty, end: true, cell: ({ faults }) => format.number(faults), narrow: "low" },
      {
        title: words.read,
        cell: ({ language: { tag } }) =>
          tag === "en" ? (
            words.original
          ) : !isLanguageTag(tag) ? (
            ""
          ) : read.has(tag) ? (
            <Chip tone="good">{words.readsWell}</Chip>
          ) : (
            <Chip tone="warn">{words.unread}</Chip>
          ),
      },
      {
        title: <span class="unseen">{words.sayWell}</span>,
        end: true,
        narrow: "act",
        kind: "row-act",
        cell: ({ language: { tag } }) =>
          tag !== "en" && isLanguageTag(tag) && <Mark visit={visit} tag={tag} isRead={read.has(tag)} />,
      },
    ],
    empty: words.language,
  };
});

function Mark({
  visit: { view, formToken },
  tag,
  isRead,
}: {
  visit: StaffVisit;
  tag: string;
  isRead: boolean;
}) {
  const { languages: words } = view.words;
  return (
    <Action
      action={`${LANGUAGES}/reads`}
      formToken={formToken}
      fields={{ language: tag, well: isRead ? "" : "1" }}
    >
      {isRead ? words.takeBack : words.sayWell}
    </Action>
  );
}

export const Faults = list<OwnFault>(({ view }) => {
  const { languages: words } = view.words;
  return {
    name: words.faulty,
    columns: [
      { title: words.file, cell: ({ file }) => file, kind: "mono breaks", narrow: "lead" },
      { title: words.key, cell: ({ key }) => key, kind: "mono breaks" },
      { title: words.wrong, cell: (fault) => faultSentence(fault, words) },
    ],
    empty: words.noFaults,
  };
});

/** A native speaker has read the language and found it well, or it is not so any more. */
export async function markLanguage(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const { languages: words } = view.words;
  const language = String(input["language"]);
  const isWell = input["well"] === "1";
  requireApplianceAdmin(db, by);
  if (!isLanguageTag(language)) throw new DomainError("not_found", phrase`there is no such language`);
  await writePatiently(db, (tx) => {
    const others = tagsIn(setting(tx, "languages_read")).filter((tag) => tag !== language);
    const value = [...others, ...(isWell ? [language] : [])].join(", ");
    changeSetting(tx, by, { key: "languages_read", value }, { now });
  });
  return flash(visit, { kind: "good", title: isWell ? words.saidWell : words.tookBack }, LANGUAGES);
}

export async function readAnew(visit: StaffVisit): Promise<Response> {
  const { db, by, view } = visit;
  requireApplianceAdmin(db, by);
  const { messages, faults } = await takeOwnWords(dataFolderOf(db));
  const count = countIn([...messages.values()]);
  const { languages: words } = view.words;
  const title = words.readDone(count);
  const left = faults.length > 0 ? words.readFaults(faults.length) : undefined;
  return flash(visit, { kind: left === undefined ? "good" : "wait", title, text: left }, LANGUAGES);
}
