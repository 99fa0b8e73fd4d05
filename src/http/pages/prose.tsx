import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import type { LanguageName } from "../words/languages.ts";

/** Markdown of ours as HTML; what looks like a tag in it is text. */
export function toHtml(markdown: string): string {
  return Bun.markdown.html(markdown, { noHtmlBlocks: true, noHtmlSpans: true });
}

export function Markdown({ text }: { text: string }) {
  return <div class="prose stack near">{raw(toHtml(text))}</div>;
}

/** Markdown within a line. */
export function Line({ text }: { text: string }) {
  return (
    <>
      {raw(
        toHtml(text)
          .replace(/^<p>/, "")
          .replace(/<\/p>\s*$/, ""),
      )}
    </>
  );
}

interface Shown {
  /** In which the page is written. */
  language: LanguageName;
  /** The whole page, with what is known of the reader filled in. */
  text: string;
  /** Attributes of a link to another page; undefined: no page here, so that its words alone are shown. */
  linkTo: (slug: string) => Readonly<Record<string, string>> | undefined;
  /** Where a picture of the handbook stands; undefined: nowhere here, so that it is left out. */
  pictureAt?: (name: string) => string;
  /** Shows a block of commands, the `place`-th of the page, from its HTML; left out: as it is. */
  commands?: (html: string, place: number) => Child;
}

/** A page of the handbook below its title and its opening. */
export function HandbookText({ language: { tag, dir }, text, linkTo, pictureAt, commands }: Shown) {
  const [, , , , ...lines] = text.split("\n");
  let place = 0;
  const html = toHtml(lines.join("\n"))
    .replaceAll(
      /<a href="(?:\.\.\/)*(?:[\w-]+\/)?([\w-]+)\.md">([^]*?)<\/a>/g,
      (_, slug: string, words: string) => {
        const attributes = linkTo(slug);
        return attributes ? String(<a {...attributes}>{raw(words)}</a>) : words;
      },
    )
    .replaceAll(
      /<p><img src="(?:\.\.\/)+pictures\/([\w-]+\.webp)" alt="([^"]*)" ?\/?><\/p>/g,
      (_, name: string, alt: string) =>
        pictureAt
          ? String(<img src={pictureAt(name)} alt={alt} width="1100" height="700" loading="lazy" />)
          : "",
    )
    .replaceAll(/<pre><code class="language-(?:sh|rsc)">([^]*?)<\/code><\/pre>/g, (block, code: string) =>
      commands ? String(commands(code, ++place)) : block,
    )
    .replaceAll("<pre><code", '<pre tabindex="0"><code'); // what is wider than a phone is gone through by keys
  return (
    <div class="prose stack" lang={tag} dir={dir}>
      {raw(html)}
    </div>
  );
}
