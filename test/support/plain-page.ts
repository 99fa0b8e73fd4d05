import { selectAll } from "css-select";
import { type AnyNode, type Document, Element, isTag, isText, Text } from "domhandler";
import { DomUtils, parseDocument } from "htmlparser2";

/*
 * What a browser makes of our pages without a script: links, forms, what is folded. In this process, where Chromium takes a hundred times the
 * work for a page; what needs layout, focus or a script is Chromium's. It has the names that Playwright has, as far as tests use them.
 */

const textOf = (node: AnyNode): string => DomUtils.textContent(node).replaceAll(/\s+/g, " ").trim();
const hasText = (node: AnyNode, text: string | RegExp): boolean =>
  typeof text === "string"
    ? textOf(node).toLowerCase().includes(text.replaceAll(/\s+/g, " ").trim().toLowerCase())
    : text.test(textOf(node));
const unquoted = (text = "") => text.replace(/^(["'])(.*)\1$/, "$2");
const isDeepest = (element: Element, text: string | RegExp) =>
  hasText(element, text) && !element.children.some((child) => isTag(child) && hasText(child, text));

const pseudos = {
  "has-text": (element: Element, text?: string | null) => hasText(element, unquoted(text ?? "")),
  says: (element: Element, text?: string | null) => isDeepest(element, unquoted(text ?? "")),
  "text-is": (element: Element, text?: string | null) => textOf(element) === unquoted(text ?? ""),
  focus: ({ attribs }: Element) => "autofocus" in attribs,
};

/** As Playwright parts them: `css >> text=words >> nth=0`. */
function select(selector: string, within: AnyNode): Element[] {
  const parts = selector
    .split(" >> ")
    .map((part) => part.replace(/^text=(.*)$/, ':says("$1")').replaceAll(":text(", ":says("));
  return parts.reduce<Element[]>((found, part, at) => {
    if (part.startsWith("nth=")) return found.slice(Number(part.slice(4))).slice(0, 1);
    const from: AnyNode[] = at === 0 ? [within] : found;
    return from.flatMap((one) => selectAll<AnyNode, Element>(part, one, { pseudos }));
  }, []);
}

function closest(element: Element, is: (one: Element) => boolean): Element | undefined {
  for (let at: AnyNode | null = element; at; at = at.parent) if (isTag(at) && is(at)) return at;
  return undefined;
}

const isFolded = ({ name, attribs, parent }: Element) =>
  "hidden" in attribs ||
  /^(?:head|script|style|template)$/.test(name) ||
  (/^dialog$/.test(name) && !("open" in attribs)) ||
  "popover" in attribs ||
  (name !== "summary" &&
    parent !== null &&
    isTag(parent) &&
    parent.name === "details" &&
    !("open" in parent.attribs));
const isShown = (element: Element) => closest(element, isFolded) === undefined;

const BLOCKS =
  /^(?:address|article|aside|blockquote|body|caption|dd|details|dialog|div|dl|dt|fieldset|figure|footer|form|h\d|header|hr|legend|li|main|nav|ol|option|p|pre|section|summary|table|tbody|tfoot|thead|tr|ul)$/;

/** A line's end of preformatted text, until blocks are parted. */
const KEPT = "\u0001";

/** As a reader has it: what is folded is left out, blocks stand on lines of their own, cells are parted by tabs. */
function innerText(node: AnyNode): string {
  const said = (one: AnyNode, isKept = false): string => {
    if (isText(one)) return isKept ? one.data.replaceAll("\n", KEPT) : one.data.replaceAll(/[ \n\t]+/g, " ");
    if (!isTag(one) || isFolded(one)) return "";
    if (one.name === "br") return "\n";
    const inner = one.children.map((child) => said(child, isKept || one.name === "pre")).join("");
    if (/^t[dh]$/.test(one.name)) return `${inner.trim()}\t`;
    return BLOCKS.test(one.name) ? `\n${inner.trim()}\n` : inner;
  };
  return said(node)
    .replaceAll(/ *\n[ \n]*/g, "\n")
    .trim()
    .replaceAll(KEPT, "\n");
}

type Wanted = string | RegExp;
interface ByRole {
  readonly name?: Wanted;
  readonly exact?: boolean;
}
const ROLES: Readonly<Record<string, string>> = {
  button: "button, [role=button], input[type=submit]",
  link: "a[href]",
  heading: "h1, h2, h3, h4",
  textbox: "input:not([type]), input[type=text], textarea",
  checkbox: "input[type=checkbox]",
  radio: "input[type=radio]",
  combobox: "select, [role=combobox]",
};

/** Elements that are looked for anew each time; what is done to one is refused where there are more or none. */
class PlainLocator {
  readonly #page: PlainPage;
  readonly #find: () => Element[];

  constructor(page: PlainPage, find: () => Element[]) {
    this.#page = page;
    this.#find = find;
  }

  #one(): Element {
    const found = this.#find();
    const [one] = found;
    if (!one || found.length > 1)
      throw new Error(`${found.length} elements in place of one at ${this.#page.url()}`);
    return one;
  }
  #at = (choose: (found: Element[]) => Element | undefined) =>
    new PlainLocator(this.#page, () => [choose(this.#find())].filter((one) => one !== undefined));

  first = () => this.#at((found) => found[0]);
  last = () => this.#at((found) => found.at(-1));
  nth = (at: number) => this.#at((found) => found.at(at));
  filter = ({ hasText: text }: { hasText: Wanted }) =>
    new PlainLocator(this.#page, () => this.#find().filter((one) => hasText(one, text)));
  locator = (selector: string, { hasText: text = "" }: { hasText?: Wanted } = {}) =>
    new PlainLocator(this.#page, () => this.#find().flatMap((one) => select(selector, one))).filter({
      hasText: text,
    });
  getByText = (text: Wanted) =>
    new PlainLocator(this.#page, () =>
      this.#find().flatMap((one) => select("*", one).filter((inner) => isDeepest(inner, text))),
    );
  getByRole = (role: string, { name = "", exact = false }: ByRole = {}) => {
    const is = (one: Element) => {
      const called = one.attribs["aria-label"] ?? textOf(one);
      return name instanceof RegExp
        ? name.test(called)
        : exact
          ? called === name
          : called.toLowerCase().includes(name.toLowerCase());
    };
    return new PlainLocator(this.#page, () =>
      this.#find()
        .flatMap((one) => select(`${ROLES[role] ?? `[role=${role}]`}`, one))
        .filter((one) => isShown(one) && is(one)),
    );
  };
  getByLabel = (text: Wanted) =>
    new PlainLocator(this.#page, () =>
      this.#find().flatMap((one) =>
        select("input, select, textarea", one).filter((field) =>
          this.#page.labelsOf(field).some((label) => hasText(label, text)),
        ),
      ),
    );

  all = () => Promise.resolve(this.#find().map((one) => new PlainLocator(this.#page, () => [one])));
  count = () => Promise.resolve(this.#find().length);
  innerText = () => Promise.resolve(innerText(this.#one()));
  allInnerTexts = () => Promise.resolve(this.#find().map(innerText));
  getAttribute = (name: string) => Promise.resolve(this.#one().attribs[name] ?? null);
  inputValue = () => Promise.resolve(valueOf(this.#one()));
  isVisible = () => Promise.resolve(this.#find().some(isShown));
  isDisabled = () => Promise.resolve(isOff(this.#one()));
  isChecked = () => Promise.resolve("checked" in this.#one().attribs);
  fill = (text: string) => this.#page.fillIn(this.#one(), text);
  check = () => this.#page.tick(this.#one(), true);
  uncheck = () => this.#page.tick(this.#one(), false);
  selectOption = (choice: Choice) => this.#page.choose(this.#one(), choice);
  click = () => this.#page.clickOn(this.#one());
  press = (key: string) => this.#page.pressAt(this.#one(), key);
  /** Nothing comes later without a script. */
  waitFor = ({ state = "visible" }: { state?: "visible" | "detached" } = {}) => {
    const shown = this.#find().filter(isShown).length;
    if (shown > 0 !== (state === "visible"))
      throw new Error(`${shown} elements are shown at ${this.#page.url()}`);
    return Promise.resolve();
  };
}

type Choice = string | { readonly label: string } | { readonly index: number };
interface PickedFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

const isOff = (element: Element) =>
  "disabled" in element.attribs ||
  closest(element, ({ name, attribs }) => name === "fieldset" && "disabled" in attribs) !== undefined;
const optionsOf = (element: Element) => select("option", element);
const optionValue = (option: Element) => option.attribs["value"] ?? textOf(option);

function valueOf(element: Element): string {
  if (element.name === "textarea") return DomUtils.textContent(element).replace(/^\n/, "");
  if (element.name !== "select") return element.attribs["value"] ?? "";
  const options = optionsOf(element);
  const chosen = options.find(({ attribs }) => "selected" in attribs) ?? options[0];
  return chosen ? optionValue(chosen) : "";
}

function textsOf(body: FormData): URLSearchParams {
  const texts = new URLSearchParams();
  body.forEach((value, name) => texts.append(name, String(value)));
  return texts;
}

/** A page as it was answered, and what has been typed into it. */
export class PlainPage {
  readonly #origin: string;
  readonly #cookies = new Map<string, string>();
  readonly #files = new Map<Element, PickedFile[]>();
  #document: Document = parseDocument("");
  #text = "";
  #status = 0;
  #url = "about:blank";
  #again: () => Promise<unknown> = () => Promise.resolve();

  constructor(origin: string) {
    this.#origin = origin;
  }

  setCookie(name: string, value: string): void {
    this.#cookies.set(name, value);
  }

  url = () => this.#url;
  content = () => Promise.resolve(this.#text);
  reload = () => this.#again();

  goto = async (url: string, init: RequestInit = {}): Promise<{ status: () => number }> => {
    this.#again = () => this.goto(url, init);
    let at = new URL(url, this.#url === "about:blank" ? this.#origin : this.#url);
    let answer = await this.#ask(at, init);
    for (let hops = 0; answer.status >= 300 && answer.status < 400 && hops < 5; hops++) {
      at = new URL(answer.headers.get("location") ?? "", at);
      answer = await this.#ask(at, {});
    }
    if (at.origin !== this.#origin) throw new Error(`${at.href} is not of ${this.#origin}`);
    this.#url = at.href;
    this.#text = await answer.text();
    this.#status = answer.status;
    this.#files.clear();
    this.#document = parseDocument(this.#text);
    const status = this.#status;
    return { status: () => status };
  };

  async #ask(url: URL, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("accept", "text/html,*/*;q=0.8");
    headers.set("accept-language", "en-GB");
    headers.set("cookie", [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    if (init.method === "POST") headers.set("origin", this.#origin);
    const answer = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === "" || /max-age=0\b/i.test(cookie)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return answer;
  }

  #all = new PlainLocator(this, () => select("html", this.#document));
  locator = (selector: string, options: { hasText?: Wanted } = {}) =>
    new PlainLocator(this, () => select(selector, this.#document)).filter({ hasText: options.hasText ?? "" });
  getByText = (text: Wanted) => this.#all.getByText(text);
  getByRole = (role: string, options: ByRole = {}) => this.#all.getByRole(role, options);
  getByLabel = (text: Wanted) => this.#all.getByLabel(text);

  #first = (selector: string) => this.locator(selector).first();
  innerText = (selector: string) => this.#first(selector).innerText();
  inputValue = (selector: string) => this.#first(selector).inputValue();
  getAttribute = (selector: string, name: string) => this.#first(selector).getAttribute(name);
  isVisible = (selector: string) => this.#first(selector).isVisible();
  isChecked = (selector: string) => this.#first(selector).isChecked();
  isDisabled = (selector: string) => this.#first(selector).isDisabled();
  fill = (selector: string, text: string) => this.#first(selector).fill(text);
  check = (selector: string) => this.#first(selector).check();
  uncheck = (selector: string) => this.#first(selector).uncheck();
  selectOption = (selector: string, choice: Choice) => this.#first(selector).selectOption(choice);
  click = (selector: string) => this.#first(selector).click();
  press = (selector: string, key: string) => this.#first(selector).press(key);
  waitForSelector = (selector: string) => this.#first(selector).waitFor();
  waitForLoadState = () => Promise.resolve();
  waitForURL = (url: string | RegExp) => {
    const is =
      typeof url === "string"
        ? new RegExp(`^${url.replaceAll(/[.+?()[\]|\\]/g, "\\$&").replaceAll("**", ".*")}$`)
        : url;
    if (!is.test(this.#url)) throw new Error(`${this.#url} is not ${url}`);
    return Promise.resolve();
  };
  setInputFiles = (selector: string, files: PickedFile | readonly PickedFile[]) => {
    const [field] = select(selector, this.#document);
    if (field) this.#files.set(field, [files].flat());
    return field ? Promise.resolve() : Promise.reject(new Error(`there is no ${selector}`));
  };

  labelsOf(field: Element): Element[] {
    const { id } = field.attribs;
    const of = select("label", this.#document).filter(
      (label) =>
        (id !== undefined && label.attribs["for"] === id) ||
        closest(field, (one) => one === label) !== undefined,
    );
    const own = field.attribs["aria-label"];
    return own === undefined ? of : [...of, new Element("label", {}, [new Text(own)])];
  }

  #reach(element: Element): void {
    if (!isShown(element)) throw new Error(`${element.name} is folded away at ${this.#url}`);
    if (isOff(element)) throw new Error(`${element.name} is disabled at ${this.#url}`);
  }

  async fillIn(field: Element, text: string): Promise<void> {
    this.#reach(field);
    if (field.name === "textarea") field.children = [new Text(text)];
    else field.attribs["value"] = text;
  }

  async tick(box: Element, on: boolean): Promise<void> {
    this.#reach(box);
    if (box.attribs["type"] === "radio") {
      const others = this.#fieldsOf(this.#formOf(box));
      for (const { attribs } of others)
        if (attribs["name"] === box.attribs["name"]) delete attribs["checked"];
    }
    if (on) box.attribs["checked"] = "";
    else delete box.attribs["checked"];
  }

  async choose(field: Element, choice: Choice): Promise<void> {
    this.#reach(field);
    const options = optionsOf(field);
    const chosen = options.find((option, index) =>
      typeof choice === "string"
        ? optionValue(option) === choice || textOf(option) === choice
        : "label" in choice
          ? textOf(option) === choice.label
          : index === choice.index,
    );
    if (!chosen) throw new Error(`${field.attribs["name"]} offers no ${JSON.stringify(choice)}`);
    for (const { attribs } of options) delete attribs["selected"];
    chosen.attribs["selected"] = "";
  }

  async clickOn(element: Element): Promise<void> {
    this.#reach(element);
    const hit = closest(
      element,
      ({ name, attribs }) =>
        /^(?:button|summary|label|input)$/.test(name) || (name === "a" && "href" in attribs),
    );
    if (!hit) throw new Error(`a press on ${element.name} does nothing without a script`);
    this.#reach(hit);
    const { name, attribs, parent } = hit;
    if (name === "a") return void (await this.goto(attribs["href"] ?? ""));
    if (name === "label") {
      const of = select("input", this.#document).find((field) => this.labelsOf(field).includes(hit));
      return of && this.clickOn(of);
    }
    if (name === "summary") {
      if (!parent || !isTag(parent)) throw new Error("a summary stands in details");
      if ("open" in parent.attribs) delete parent.attribs["open"];
      else parent.attribs["open"] = "";
      return;
    }
    const type = attribs["type"] ?? (name === "button" ? "submit" : "text");
    if (type === "checkbox" || type === "radio")
      return this.tick(hit, type === "radio" || !("checked" in attribs));
    if (type === "submit") return this.#send(this.#formOf(hit), hit);
    throw new Error(`a press on ${name} ${type} does nothing without a script`);
  }

  async pressAt(element: Element, key: string): Promise<void> {
    if (key !== "Enter") throw new Error(`nothing follows ${key}`);
    if (/^(?:a|button)$/.test(element.name)) return this.clickOn(element);
    this.#reach(element);
    const form = this.#formOf(element);
    // a form is sent by its first button
    const isButton = ({ name, attribs }: Element) =>
      name === "button" && (attribs["type"] ?? "submit") === "submit";
    return this.#send(form, this.#fieldsOf(form).find(isButton));
  }

  #formOf(field: Element): Element {
    const { form: id } = field.attribs;
    const form =
      id === undefined
        ? closest(field, ({ name }) => name === "form")
        : select("form", this.#document).find(({ attribs }) => attribs["id"] === id);
    if (!form) throw new Error(`${field.attribs["name"]} stands in no form`);
    return form;
  }

  #fieldsOf(form: Element): Element[] {
    return select("input, select, textarea, button", this.#document).filter(
      (field) =>
        !isOff(field) &&
        (field.attribs["form"] === undefined
          ? closest(field, (one) => one === form) !== undefined
          : field.attribs["form"] === form.attribs["id"]),
    );
  }

  /** What a form of texts would send now, by no button. */
  sent(selector: string): URLSearchParams {
    const [form] = select(selector, this.#document);
    if (!form) throw new Error(`there is no ${selector}`);
    return textsOf(this.#valuesOf(form, undefined));
  }

  #valuesOf(form: Element, by: Element | undefined): FormData {
    const body = new FormData();
    const checks = by !== undefined && !("novalidate" in form.attribs) && !("formnovalidate" in by.attribs);
    for (const field of this.#fieldsOf(form)) {
      const { name, type = "" } = field.attribs;
      if (field.name === "button" ? field !== by : type === "submit" && field !== by) continue;
      const isTicked = "checked" in field.attribs;
      if (checks && "required" in field.attribs && !/checkbox|radio|file/.test(type) && valueOf(field) === "")
        throw new Error(`a browser does not send the form: ${name} is empty`);
      if (name === undefined || name === "" || (/^(?:checkbox|radio)$/.test(type) && !isTicked)) continue;
      if (type !== "file")
        body.append(
          name,
          /^(?:checkbox|radio)$/.test(type) ? (field.attribs["value"] ?? "on") : valueOf(field),
        );
      const files = this.#files.get(field) ?? [];
      if (type === "file" && files.length === 0) body.append(name, new File([], ""));
      for (const { name: of, mimeType, buffer } of files)
        body.append(name, new File([buffer], of, { type: mimeType }));
    }
    return body;
  }

  async #send(form: Element, by: Element | undefined): Promise<void> {
    if (by && isOff(by)) throw new Error("the button is disabled");
    const body = this.#valuesOf(form, by);
    const action = by?.attribs["formaction"] ?? form.attribs["action"] ?? this.#url;
    const url = new URL(action, this.#url);
    const texts = textsOf(body);
    if ((by?.attribs["formmethod"] ?? form.attribs["method"] ?? "get").toLowerCase() === "post") {
      const isMultipart = (by?.attribs["formenctype"] ?? form.attribs["enctype"]) === "multipart/form-data";
      await this.goto(url.href, { method: "POST", body: isMultipart ? body : texts });
    } else {
      url.search = texts.toString();
      await this.goto(url.href);
    }
  }
}
