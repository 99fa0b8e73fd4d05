import { readPicture } from "../../../../handbook/files.ts";
import { handbookLanguage, kinds, type Page, pages } from "../../../../handbook/pages.ts";
import { findPages, type Found, readAll } from "../../../../handbook/search.ts";
import { clientAddress } from "../../../client-address.ts";
import { HttpRefusal } from "../../../errors.ts";
import { Icon } from "../../../pages/icons.tsx";
import { targetPath } from "../../../target.ts";
import type { Messages } from "../../../words/compiled/messages.ts";
import { drawer, page } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import {
  type ConsoleNeeds,
  type ConsoleRequest,
  type ConsoleRoute,
  staffPage,
  type StaffVisit,
} from "../../guard.ts";
import { consoleViewFor } from "../../view.ts";
import type { Reader } from "./known.ts";
import { fillMarkdown, helpHref, pageLanguage, PICTURES, Prose, toReader } from "./page.tsx";

const HELP = "/console/help";
const LONGEST = 100;

export const helpRoutes: readonly ConsoleRoute[] = [
  staffPage(HELP, async (visit) => {
    const { help, tag } = visit.view.words;
    const q = (visit.query.get("q") ?? "").slice(0, LONGEST).trim();
    const found = q === "" ? undefined : await findPages(q, tag);
    if (!found) void readAll(tag); // whoever is here may search next
    return page(
      visit,
      <Frame visit={visit} title={help.title} place={null}>
        <div class="stack">
          <h1>{help.title}</h1>
          <Search visit={visit} q={q} />
          {found ? <Results visit={visit} q={q} found={found} /> : <Index visit={visit} />}
        </div>
      </Frame>,
    );
  }),
  staffPage(`${PICTURES}/:language/:name`, ({ params }) => {
    const picture = readPicture(params["name"] ?? "", params["language"]);
    if (!picture) throw new HttpRefusal(404, "the handbook has no such picture");
    return new Response(picture, {
      headers: { "content-type": "image/webp", "cache-control": "private, max-age=86400" },
    });
  }),
  staffPage(`${HELP}/:page`, (visit) => {
    const { page: name = "" } = visit.params;
    const one = pageNamed(name, visit.view.words.tag);
    return name === one.slug ? shown(visit, one) : asMarkdown(toReader(visit), one);
  }),
  staffPage("/llms.txt", listed),
].map(readByPrograms);

/** What is text answers whoever the API knows, in place of a session: an API key as a Bearer. */
function readByPrograms(route: ConsoleRoute): ConsoleRoute {
  const handle: ConsoleRoute["handle"] = (needs, incoming) => {
    const { headers } = incoming.request;
    const path = targetPath(incoming.request);
    const isText = path.endsWith(".md") || path.endsWith(".txt");
    return isText && headers.has("authorization")
      ? toProgram(needs, incoming)
      : route.handle(needs, incoming);
  };
  return { ...route, handle };
}

async function toProgram(
  { db, clock, trusted, credentials, keyCalls }: ConsoleNeeds,
  { request, server, params }: ConsoleRequest,
): Promise<Response> {
  const address = clientAddress(request, server, trusted);
  const by = await credentials.actor(request.headers.get("authorization"), address, (key) =>
    keyCalls.begin(request, { ...key, address, at: clock() }),
  );
  const { page: name } = params;
  if (name === undefined) return listed();
  const { brand } = consoleViewFor(db, { request, now: clock(), ispId: by.scope.ispId, reader: by });
  return asMarkdown({ db, by, ispId: by.scope.ispId, account: "", brand, request }, pageNamed(name));
}

function pageNamed(name: string, language = "en"): Page {
  const slug = name.replace(/\.md$/, "");
  const one = pages(language).find((each) => each.slug === slug);
  if (!one) throw new HttpRefusal(404, "the handbook has no such page");
  return one;
}

function listed(): Response {
  const list = (kind: string) =>
    pages()
      .filter((one) => one.kind === kind)
      .map(({ slug, title, opening }) => `- [${title}](${HELP}/${slug}.md): ${opening}`);
  const sections = Object.entries(kinds).map(([kind, title]) => `## ${title}\n\n${list(kind).join("\n")}\n`);
  return textResponse(
    "text/plain",
    [
      "# Gatehouse\n",
      "> Subscribers, billing and RADIUS of an internet service provider.\n",
      ...sections,
    ].join("\n"),
  );
}

const asMarkdown = (reader: Reader, one: Page): Response =>
  textResponse("text/markdown", fillMarkdown(reader, one));

function textResponse(type: "text/plain" | "text/markdown", text: string): Response {
  return new Response(text, {
    headers: { "content-type": `${type}; charset=utf-8`, "cache-control": "no-store" },
  });
}

/** The page, beside the one that asks or by itself. */
function shown(visit: StaffVisit, one: Page): Response {
  const { help } = visit.view.words;
  const ways = (
    <p class="row no-print">
      <a href={HELP}>{help.all}</a>
      <a href={`${helpHref(one.slug)}.md`}>{help.markdown}</a>
      <a href="/console/keys">{visit.view.words.frame.keys}</a>
    </p>
  );
  if (visit.isPart)
    return drawer(visit, {
      title: one.title,
      lead: one.opening,
      place: null,
      back: HELP,
      children: (
        <div class="drawer-body">
          {ways}
          <InEnglish visit={visit} page={one} />
          <Prose visit={visit} page={one} />
        </div>
      ),
    });
  return page(
    visit,
    <Frame visit={visit} title={one.title} place={null} back={{ href: HELP, label: help.title }}>
      <article class="stack">
        <InEnglish visit={visit} page={one} />
        <div class="stack close" {...writtenAs(one)}>
          <h1>{one.title}</h1>
          <p class="hint">{one.opening}</p>
        </div>
        <Prose visit={visit} page={one} />
        {ways}
      </article>
    </Frame>,
  );
}

/** Says so of a page that there is not in the reader's language. */
function InEnglish({ visit, page: { language } }: { visit: StaffVisit; page: Page }) {
  const { help, tag } = visit.view.words;
  return language === tag ? null : <p class="hint">{help.inEnglish}</p>;
}

function writtenAs(one: Page) {
  const { tag, dir } = pageLanguage(one);
  return { lang: tag, dir };
}

function Search({ visit, q }: { visit: StaffVisit; q: string }) {
  const { help, tag } = visit.view.words;
  return (
    <form class="field no-print" action={HELP} method="get" role="search">
      <input
        type="search"
        name="q"
        value={q}
        maxLength={LONGEST}
        aria-label={help.search}
        placeholder={help.search}
        autocomplete="off"
      />
      {handbookLanguage(tag) !== tag && <p class="hint">{help.language}</p>}
    </form>
  );
}

function Index({ visit: { view } }: { visit: StaffVisit }) {
  const { tag } = view.words;
  const groups = Map.groupBy(pages(tag), ({ kind, group }) => `${kind} ${group}`);
  return (
    <div class="grid broad">
      {[...groups.values()].map((group) => (
        <section class="stack near">
          <PageHead page={group[0]} words={view.words} />
          <ul class="stack close">
            {group.map((one) => (
              <li>
                <a href={helpHref(one.slug)} {...writtenAs(one)}>
                  {one.title}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

interface HeadProps {
  page: Page | undefined;
  words: Pick<Messages, "help" | "list">;
}

function PageHead({ page: one, words: { help, list } }: HeadProps) {
  if (!one) return null;
  const groups: Readonly<Record<string, string>> = help.groups;
  const group = groups[one.group];
  return (
    <h2>{group === undefined ? help.kinds[one.kind] : `${help.kinds[one.kind]}${list.colon}${group}`}</h2>
  );
}

function Results({ visit: { view }, q, found }: { visit: StaffVisit; q: string; found: readonly Found[] }) {
  const { help } = view.words;
  return (
    <>
      <h2>{help.found(found.length, q)}</h2>
      {found.length === 0 && <p class="hint">{help.nothing}</p>}
      <ul class="card rows">
        {found.map(({ page: one, excerpt }) => (
          <li>
            <Icon name="search" />
            <span class="stack close" {...writtenAs(one)}>
              <a href={helpHref(one.slug)}>{one.title}</a>
              <span class="hint">{excerpt}</span>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
