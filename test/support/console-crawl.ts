import type { AnyElysia } from "elysia";
import { type ConsoleSite, consoleSessionOf } from "./console-browser.ts";

export interface CrawledForm {
  readonly action: string;
  readonly method: "GET" | "POST";
  /** Sent by a script, which shows the answer beside the page. */
  readonly isLive: boolean;
  readonly fields: readonly CrawledField[];
}

export interface CrawledField {
  readonly tag: "input" | "select" | "textarea" | "button";
  readonly name: string;
  readonly type: string;
  readonly value: string;
  readonly checked: boolean;
  readonly options: readonly string[];
}

export interface CrawledPage {
  readonly href: string;
  readonly from: string;
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly links: readonly string[];
  readonly forms: readonly CrawledForm[];
}

type Attributes = Readonly<Record<string, string>>;

const unescaped = (text: string) =>
  text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

function attributesOf(tag: string): Attributes {
  const found = [...tag.matchAll(/\s([\w:-]+)(?:="([^"]*)")?/g)];
  return Object.fromEntries(found.map(([, name = "", value = ""]) => [name, unescaped(value)]));
}

/** An address within the console, without its fragment. */
function wayOf(href: string, base: string): string | undefined {
  const url = URL.parse(href, `http://localhost${base}`);
  if (url?.origin !== "http://localhost" || !/^\/console(\/|$)/.test(url.pathname)) return undefined;
  return url.pathname.startsWith("/console/assets/") ? undefined : url.pathname + url.search;
}

/** Addresses of links, buttons and parts that load themselves. */
export function linksOf(html: string, base: string): string[] {
  const tags = [...html.matchAll(/<[a-z][^>]*\s(?:href|src|hx-get|data-zoom)="[^>]*>/g)];
  return tags.flatMap(([tag]) => {
    const { href, src, "hx-get": part, "data-zoom": zoom } = attributesOf(tag);
    return [href, src, part, zoom].flatMap((one) => (one === undefined ? [] : (wayOf(one, base) ?? [])));
  });
}

export function formsOf(html: string, base: string): CrawledForm[] {
  const outer = html.replaceAll(/<form\b[\s\S]*?<\/form>/g, "");
  const forms = [...html.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/g)].flatMap(([text]) => {
    const of = attributesOf(/^<form\b[^>]*>/.exec(text)?.[0] ?? "");
    const id = of["id"] ?? "";
    const apart = id === "" ? [] : fieldsOf(outer).filter(({ form }) => form === id);
    const fields = [...fieldsOf(text).filter(({ form }) => form === undefined), ...apart];
    const post = of["method"] === "post" || of["hx-post"] !== undefined;
    const isLive = of["hx-post"] !== undefined;
    const sentTo = fields.flatMap((field) => field.sentTo ?? []);
    const actions = new Set([of["action"] ?? base, ...(of["hx-post"] ? [of["hx-post"]] : []), ...sentTo]);
    return [...actions].flatMap((action) => {
      const way = wayOf(action, base);
      return way === undefined
        ? []
        : [{ action: way, method: post ? ("POST" as const) : ("GET" as const), isLive, fields }];
    });
  });
  // what sends itself while somebody types: with the form that it stands in, or with the token that it carries
  const parts = [...html.matchAll(/<[a-z][^>]*\shx-post="[^>]*>/g)].flatMap(({ 0: tag, index }) => {
    const of = attributesOf(tag);
    const way = wayOf(of["hx-post"] ?? "", base);
    if (way === undefined || tag.startsWith("<form")) return [];
    const before = html.slice(0, index);
    const within = before.lastIndexOf("<form") > before.lastIndexOf("</form>");
    const form = within ? html.slice(before.lastIndexOf("<form"), html.indexOf("</form>", index)) : "";
    const token = /"form_token":"([^"]+)"/.exec(of["hx-vals"] ?? "")?.[1];
    const carried = { tag: "input", name: "form_token", type: "hidden", value: token ?? "" } as const;
    const fields = [
      ...(within ? fieldsOf(form) : []),
      ...(token === undefined ? [] : [{ ...carried, checked: false, options: [] }]),
    ];
    return [{ action: way, method: "POST" as const, isLive: true, fields }];
  });
  return [...forms, ...parts];
}

function fieldsOf(html: string): (CrawledField & { form: string | undefined; sentTo: string | undefined })[] {
  const tags = html.matchAll(
    /<(input|button)\b[^>]*>|<(select)\b[^>]*>([\s\S]*?)<\/select>|<(textarea)\b[^>]*>([^<]*)/g,
  );
  return [...tags].flatMap(([text, plain, select, inner = "", area, value = ""]) => {
    const of = attributesOf(/^<[^>]*>/.exec(text)?.[0] ?? "");
    const tag = (plain ?? select ?? area ?? "input") as CrawledField["tag"];
    const options = [...inner.matchAll(/<option\b[^>]*>/g)].map(([option]) => attributesOf(option));
    const chosen = options.find((option) => option["selected"] !== undefined) ?? options[0];
    if ("disabled" in of) return [];
    return [
      {
        tag,
        name: of["name"] ?? "",
        type: of["type"] ?? "",
        checked: "checked" in of,
        value: select ? (chosen?.["value"] ?? "") : area ? unescaped(value).trimStart() : (of["value"] ?? ""),
        options: options.map((option) => option["value"] ?? ""),
        form: of["form"],
        sentTo: of["formaction"],
      },
    ];
  });
}

/** A bound for a crawl that goes wrong. */
const MOST = 3000;

/** Goes through the console like a browser without scripts, in this process. */
export class Crawler {
  readonly #app: AnyElysia;
  #cookie: string;

  private constructor(app: AnyElysia, cookie: string) {
    this.#app = app;
    this.#cookie = cookie;
  }

  /** `account` is `name:password`. */
  static async signedIn(
    { app, ...site }: Pick<ConsoleSite, "db" | "clock"> & { app: AnyElysia },
    account: string,
  ): Promise<Crawler> {
    return new Crawler(app, await consoleSessionOf(site, account));
  }

  async ask(href: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("cookie", this.#cookie);
    const answer: Response = await this.#app.handle(
      new Request(`http://localhost${href}`, { ...init, headers }),
    );
    const [name = ""] = this.#cookie.split("=");
    const set = answer.headers.getSetCookie().find((one) => one.startsWith(`${name}=`));
    if (set !== undefined) this.#cookie = set.split(";")[0] ?? "";
    return answer;
  }

  async page(href: string, from: string): Promise<CrawledPage> {
    let at = href;
    let response = await this.ask(at);
    for (let hops = 0; response.status === 303 && hops < 5; hops++) {
      at = wayOf(response.headers.get("location") ?? "", at) ?? at;
      response = await this.ask(at);
    }
    const type = response.headers.get("content-type") ?? "";
    const text = await response.text();
    const isPage = type.startsWith("text/html");
    return {
      href: at,
      from,
      status: response.status,
      type,
      text,
      links: isPage ? linksOf(text, at) : [],
      forms: isPage ? formsOf(text, at) : [],
    };
  }

  /** Visits every page that links and buttons reach, one for each pattern of address; of what is left out, none. */
  async crawl(start = "/console", leftOut = /^$/): Promise<CrawledPage[]> {
    const known = new Set([likeOf(start)]);
    const found: CrawledPage[] = [];
    const queue: [href: string, from: string][] = [[start, ""]];
    for (let next = queue.shift(); next; next = queue.shift()) {
      if (found.length === MOST) throw new Error(`the links of ${next[1]} lead on without an end`);
      const page = await this.page(...next);
      found.push(page);
      const ways = page.forms.flatMap((form) => (form.method === "GET" ? [searchHref(form)] : []));
      for (const way of [...page.links, ...ways]) {
        if (known.has(likeOf(way)) || leftOut.test(way)) continue;
        known.add(likeOf(way));
        queue.push([way, page.href]);
      }
    }
    return found;
  }
}

/** Parameters that make a page another one; others only change its rows. */
const telling: ReadonlySet<string> = new Set(["state", "view", "kind"]);

/** One name for addresses of which visiting one is enough. */
function likeOf(href: string): string {
  const { pathname, searchParams } = new URL(href, "http://localhost");
  if (pathname.endsWith(".csv")) return pathname; // filters are those of its list, which is visited with each
  const query = [...searchParams].filter(([name]) => !["page", "before", "sort"].includes(name));
  const [first] = query;
  if (first && query.length === 1 && telling.has(first[0])) return `${pathname}?${first.join("=")}`;
  return `${pathname}?${[...new Set(query.map(([name]) => name))].sort().join("&")}`;
}

/** The address of a form of filters, which searches for a user of the tenants. */
function searchHref({ action, fields }: CrawledForm): string {
  const query = new URLSearchParams();
  for (const { name, value, tag, type, checked } of fields)
    if (name !== "" && tag !== "button" && (type !== "checkbox" || checked))
      query.set(name, value === "" && name === "q" ? "user" : value);
  return `${action}?${query}`;
}

/** What a press sends: the form's values, and `fill` for empty fields. */
export function sentBy({ fields }: CrawledForm, fill: (field: CrawledField) => string | undefined): FormData {
  const sent = new FormData();
  const buttons = fields.filter(({ tag }) => tag === "button");
  for (const field of [...fields.filter(({ tag }) => tag !== "button"), ...buttons.slice(0, 1)]) {
    const { name, type, tag, value, checked, options } = field;
    if (name === "") continue;
    if (type === "checkbox" || type === "radio") {
      if (checked || fill(field) === value) sent.append(name, value || "on");
    } else if (type === "file") {
      sent.append(name, new File(["Date;Amount;Text\n2030-01-15;5.00;thanks\n"], "list.csv"));
    } else {
      const filled = value !== "" ? value : (fill(field) ?? "");
      sent.append(name, filled === "" && tag === "select" ? (options.find(Boolean) ?? "") : filled);
    }
  }
  return sent;
}
