import type { Child } from "hono/jsx";
import { consoleStyle, docsSheet } from "../console/assets.ts";
import { Document } from "../pages/document.tsx";
import { Chip } from "../pages/parts/chip.tsx";
import { Empty } from "../pages/parts/empty.tsx";
import { Table } from "../pages/parts/table.tsx";
import { HandbookText, Line, Markdown } from "../pages/prose.tsx";
import type { Written } from "../openapi-schemas.ts";
import { languages } from "../words/languages.ts";
import {
  type Answer,
  type Chapter,
  type Contents,
  type Operation,
  type Parameter,
  recordName,
  recordsWithin,
  searchContents,
} from "./contents.ts";
import { type Caller, makeExamples } from "./examples.ts";
import { findGuide, type Guide, guides } from "./guides.ts";

interface PageProps {
  contents: Contents;
  /** The page that is shown, in the list of pages. */
  slug?: string;
  title: string;
  /** What is looked for. */
  words?: string;
  children: Child;
}

/** A page of the documentation: the list of pages at its side, nothing that runs. */
function DocsPage({ contents, slug, title, words = "", children }: PageProps) {
  return (
    <Document
      title={`${title} · Gatehouse API`}
      kind="console docs"
      styles={[consoleStyle.path, docsSheet.path]}
    >
      <header class="docs-head row">
        <a class="plain strong" href="/docs">
          Gatehouse API
        </a>
        <form class="field" action="/docs/search" role="search">
          <input
            type="search"
            name="q"
            value={words}
            aria-label="Search calls, fields and meanings"
            placeholder="Search"
          />
        </form>
        <a class="docs-pages" href="#pages">
          Pages
        </a>
        <a href="/openapi.json">OpenAPI document</a>
        <a href="/console">Console</a>
      </header>
      <div class="docs-body">
        <nav id="pages" aria-label="Pages">
          <PageList title="Guides" pages={guides()} slug={slug} />
          <PageList title="Calls" pages={[...contents.chapters, eventsPage]} slug={slug} />
        </nav>
        <main class="stack" id="content">
          {children}
        </main>
      </div>
    </Document>
  );
}

function PageList({
  title,
  pages,
  slug,
}: {
  title: string;
  pages: readonly { readonly slug: string; readonly title: string }[];
  slug: string | undefined;
}) {
  return (
    <section>
      <h2 class="label">{title}</h2>
      <ul>
        {pages.map((page) => (
          <li>
            <a href={`/docs/${page.slug}`} {...(page.slug === slug && { "aria-current": "page" })}>
              {page.title}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

const eventsPage = { slug: "events", title: "Events" };

/** The page of an address below /docs; undefined where there is none. `slug` is empty for the first one. */
export function docsPage(contents: Contents, slug: string, caller: Caller): Child | undefined {
  if (slug === "") return <Index contents={contents} />;
  if (slug === eventsPage.slug) return <Events contents={contents} />;
  const guide = guides().find((one) => one.slug === slug);
  if (guide) return <GuidePage contents={contents} guide={guide} />;
  const chapter = contents.chapters.find((one) => one.slug === slug);
  return chapter && <ChapterPage contents={contents} chapter={chapter} caller={caller} />;
}

/** The page where a reader begins: how to call, and every call there is, so that the search of a browser finds it. */
function Index({ contents }: { contents: Contents }) {
  return (
    <DocsPage contents={contents} title="Begin">
      <h1>Gatehouse API</h1>
      <Markdown text={contents.introduction} />
      {contents.chapters.map((chapter) => (
        <section class="stack near">
          <h2>
            <a href={`/docs/${chapter.slug}`}>{chapter.title}</a>
          </h2>
          <ul class="docs-calls">
            {chapter.operations.map((operation) => (
              <CallLine chapter={chapter} operation={operation} />
            ))}
          </ul>
        </section>
      ))}
    </DocsPage>
  );
}

function CallLine({ chapter, operation }: { chapter: Chapter; operation: Operation }) {
  return (
    <li>
      <a href={`/docs/${chapter.slug}#${operation.id}`}>
        <Line text={operation.summary} />
      </a>
      <Address operation={operation} />
    </li>
  );
}

function Address({ operation: { method, path } }: { operation: Operation }) {
  return (
    <code class="mono breaks">
      {method} {path}
    </code>
  );
}

function wayTo(page: string) {
  const guide = findGuide(page);
  return guide === undefined ? undefined : { href: `/docs/${guide}` };
}

function GuidePage({ contents, guide }: { contents: Contents; guide: Guide }) {
  return (
    <DocsPage contents={contents} slug={guide.slug} title={guide.title}>
      <h1>{guide.title}</h1>
      <p class="hint">{guide.opening}</p>
      <HandbookText language={languages[0]} text={guide.text} linkTo={wayTo} />
    </DocsPage>
  );
}

/** What is found by words, each with its chapter. */
export function SearchPage({ contents, words }: { contents: Contents; words: string }) {
  const found = searchContents(contents, words);
  return (
    <DocsPage contents={contents} title={words === "" ? "Search" : words} words={words}>
      <h1>{words === "" ? "Search" : `Calls with ${words}`}</h1>
      {found.length === 0 ? (
        <Empty
          icon="search"
          title="Nothing is found"
          text="Try one word of a call, a field or a permission, such as payment or isp_id."
        />
      ) : (
        <ul class="docs-calls">
          {found.map(({ chapter, operation }) => (
            <CallLine chapter={chapter} operation={operation} />
          ))}
        </ul>
      )}
    </DocsPage>
  );
}

function ChapterPage({
  contents,
  chapter,
  caller,
}: {
  contents: Contents;
  chapter: Chapter;
  caller: Caller;
}) {
  const schemas = chapter.operations.flatMap(({ body, answers }) => [
    ...answers.flatMap(({ media }) => (media ? [media.schema] : [])),
    ...(body ? [withinBody(contents, body.schema)] : []),
  ]);
  return (
    <DocsPage contents={contents} slug={chapter.slug} title={chapter.title}>
      <h1>{chapter.title}</h1>
      <Markdown text={chapter.description} />
      <ul class="docs-calls">
        {chapter.operations.map((operation) => (
          <CallLine chapter={chapter} operation={operation} />
        ))}
      </ul>
      {chapter.operations.map((operation) => (
        <OperationCard contents={contents} operation={operation} caller={caller} />
      ))}
      <Records contents={contents} from={schemas} />
    </DocsPage>
  );
}

/** Fields of a body stand with their call; records that are within it, among the others. */
function withinBody({ schemas }: Contents, body: Written): Written {
  const { properties = {} } = schemas[recordName(body) ?? ""] ?? body;
  return { properties };
}

function OperationCard({
  contents,
  operation,
  caller,
}: {
  contents: Contents;
  operation: Operation;
  caller: Caller;
}) {
  const { id, summary, description, parameters, body, answers } = operation;
  const [done, ...refusals] = answers;
  return (
    <section class="card stack near" id={id}>
      <header class="band">
        <h2>
          <a class="plain" href={`#${id}`}>
            <Line text={summary} />
          </a>
        </h2>
        <Address operation={operation} />
      </header>
      <Markdown text={description} />
      {parameters.length > 0 && <Parameters parameters={parameters} />}
      {body && <Fields contents={contents} title="Fields" schema={body.schema} />}
      <h3>Try it</h3>
      {makeExamples(operation, caller).map(({ title, text }, index) => (
        <details open={index === 0}>
          <summary>{title}</summary>
          <pre class="quoted mono">{text}</pre>
        </details>
      ))}
      {done && <Done answer={done} />}
      {refusals.length > 0 && <Refusals answers={refusals} />}
    </section>
  );
}

function Parameters({ parameters }: { parameters: readonly Parameter[] }) {
  return (
    <Table caption="Parameters" columns={[{ title: "Parameter" }, { title: "Is" }, { title: "Means" }]}>
      {parameters.map(({ name, in: where, required = false, schema, description = "" }) => (
        <FieldRow
          name={name}
          isRequired={required}
          kind={`${describeKind(schema)}, ${places[where] ?? where}`}
          text={description}
        />
      ))}
    </Table>
  );
}

const places: Readonly<Record<string, string>> = {
  query: "in the address",
  path: "in the path",
  header: "a header",
};

function FieldRow({
  name,
  isRequired,
  kind,
  text,
}: {
  name: string;
  isRequired: boolean;
  kind: Child;
  text: string;
}) {
  return (
    <tr>
      <td>
        <code class="mono breaks">{name}</code> {isRequired && <Chip tone="warn">required</Chip>}
      </td>
      <td>{kind}</td>
      <td>
        <Markdown text={text} />
      </td>
    </tr>
  );
}

/** The fields of a record, or what it is where it has none. */
function Fields({ contents, title, schema }: { contents: Contents; title: string; schema: Written }) {
  const name = recordName(schema);
  const record = name === undefined ? schema : (contents.schemas[name] ?? schema);
  const { properties = {} } = record;
  const required = (record["required"] as readonly string[] | undefined) ?? [];
  if (Object.keys(properties).length === 0) return <p class="hint">{describeKind(record)}</p>;
  return (
    <Table caption={title} columns={[{ title: "Field" }, { title: "Is" }, { title: "Means" }]}>
      {Object.entries(properties).map(([field, value]) => {
        const known = resolveField(contents, value);
        return (
          <FieldRow
            name={field}
            isRequired={required.includes(field)}
            kind={describeKind(known)}
            text={String(known["description"] ?? "")}
          />
        );
      })}
    </Table>
  );
}

/** A field as it is: what has a name in the document and no fields of its own is said where it stands. */
function resolveField({ schemas }: Contents, field: Written): Written {
  const named = schemas[recordName(field) ?? ""];
  return named && !named.properties ? { ...named, ...field, $ref: undefined } : field;
}

/** What a value is, in words, with the way to its record. */
function describeKind(schema: Written): Child {
  const name = recordName(schema);
  if (name !== undefined) return <a href={`#${name}`}>{name}</a>;
  const { type = [], items } = schema;
  const ways = schema["oneOf"] as readonly Written[] | undefined;
  if (ways) return ways.map((way, index) => [index > 0 && " or ", describeKind(way)]);
  if (items) return ["list of ", describeKind(items)];
  const words = listWords(schema);
  const types = [type].flat();
  if (types.join() === "null") return "null";
  const nullable = types.includes("null") ? ", or null" : "";
  if (words) return `${words.map((word) => JSON.stringify(word)).join(" | ")}${nullable}`;
  const main = types.filter((one) => one !== "null").join(" or ");
  const bounds = describeBounds(schema);
  return `${main || "anything"}${bounds === "" ? "" : ` ${bounds}`}${nullable}`;
}

/** The words that it is one of; one that may be cleared has them in its pattern. */
function listWords({ enum: values, pattern }: Written): readonly unknown[] | undefined {
  if (Array.isArray(values)) return values.filter((one) => one !== null);
  return /^\^\$\|\^\(([\w|-]+)\)\$$/.exec(String(pattern))?.[1]?.split("|");
}

function describeBounds({ minimum, maximum, maxLength }: Written): string {
  if (minimum !== undefined && maximum !== undefined) return `${String(minimum)} to ${String(maximum)}`;
  if (minimum !== undefined) return `from ${String(minimum)}`;
  if (maximum !== undefined) return `up to ${String(maximum)}`;
  return maxLength === undefined ? "" : `of up to ${String(maxLength)}`;
}

function Done({ answer: { status, description, media } }: { answer: Answer }) {
  return (
    <>
      <h3>Answers {status}</h3>
      <Markdown text={description} />
      {media && <p>{describeKind(media.schema)}</p>}
      {media?.example !== undefined && (
        <details>
          <summary>An answer</summary>
          <pre class="quoted mono">
            {typeof media.example === "string" ? media.example : JSON.stringify(media.example, null, 2)}
          </pre>
        </details>
      )}
    </>
  );
}

/** What the document calls `default`, in words. */
const statusText = ({ status }: Pick<Answer, "status">) => (status === "default" ? "any other" : status);

function Refusals({ answers }: { answers: readonly Answer[] }) {
  return (
    <details>
      <summary>What else it answers: {answers.map(statusText).join(", ")}</summary>
      <Table caption="Refusals" columns={[{ title: "Status" }, { title: "When" }, { title: "Body" }]}>
        {answers.map(({ status, description, media }) => (
          <tr>
            <td>{statusText({ status })}</td>
            <td>
              <Markdown text={description} />
            </td>
            <td>{media && describeKind(media.schema)}</td>
          </tr>
        ))}
      </Table>
    </details>
  );
}

/** Each record that calls of the page lead to. */
function Records({ contents, from }: { contents: Contents; from: readonly Written[] }) {
  const names = recordsWithin(contents.schemas, from)
    .filter((name) => contents.schemas[name]?.properties ?? contents.schemas[name]?.items)
    .toSorted();
  return (
    <>
      {names.map((name) => (
        <section class="card stack near" id={name}>
          <h2>{name}</h2>
          <Fields contents={contents} title={name} schema={contents.schemas[name] ?? {}} />
        </section>
      ))}
    </>
  );
}

/** What programs are told of, by type. */
function Events({ contents }: { contents: Contents }) {
  const { events } = contents;
  return (
    <DocsPage contents={contents} slug={eventsPage.slug} title={eventsPage.title}>
      <h1>{eventsPage.title}</h1>
      <p>
        What a webhook is told of. <a href="/docs/guide-webhooks">Webhooks</a> says how it arrives and how it
        is verified.
      </p>
      <Table caption="Events" columns={[{ title: "Type" }, { title: "When" }, { title: "Says" }]}>
        {events.map(({ type, summary, schema }) => (
          <tr>
            <td>
              <code class="mono">{type}</code>
            </td>
            <td>{summary}</td>
            <td>{describeKind(schema)}</td>
          </tr>
        ))}
      </Table>
      <Records contents={contents} from={events.map(({ schema }) => schema)} />
    </DocsPage>
  );
}
