import { beforeAll, expect, test } from "bun:test";
import { consoleRoutes } from "../../src/http/console/routes.ts";
import {
  type CrawledField,
  type CrawledForm,
  type CrawledPage,
  type Crawler,
  formsOf,
  sentBy,
} from "../support/console-crawl.ts";
import { elsewhere, values, valuesOf } from "../support/console-forms.ts";
import type { TestApp } from "../support/http.ts";

/* What holds of every form that stands on a page: how its fields are called, and that nothing that was typed is lost by a fault. It is of the
   pages that ways.test.ts has gone through, because to go through them takes longer than all of this. */

/** A form, and what it was answered with where nothing in it is right. */
interface Refused {
  readonly route: string;
  /** As it stood on its page, and with nonsense in it. */
  readonly found: CrawledForm;
  readonly form: CrawledForm;
  readonly page: string;
  readonly status: number;
  readonly answer: string;
  readonly sent: URLSearchParams;
  /** Who sent it. */
  readonly crawler: Crawler;
}

const routes = consoleRoutes
  .filter(({ method }) => method === "POST")
  .map(({ path }) => ({
    path,
    open: path.split(":").length,
    is: new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]+")}$`),
  }))
  .sort((a, b) => a.open - b.open);
const routeOf = (href: string) => routes.find(({ is }) => is.test(href.split("?")[0] ?? ""))?.path ?? href;

interface Visited {
  readonly crawler: Crawler;
  readonly pages: readonly CrawledPage[];
}

let app: TestApp;
const pages: { href: string; text: string }[] = [];
const refused: Refused[] = [];

async function refuseAll(visitors: readonly Visited[]): Promise<void> {
  const known = new Set<string>();
  for (const { crawler, pages: visited } of visitors)
    for (const { href, text, forms } of visited) {
      if (forms.length === 0) continue;
      pages.push({ href, text });
      for (const form of forms) {
        const route = routeOf(form.action);
        if (form.method === "GET" || known.has(route) || route in elsewhere) continue;
        known.add(route);
        refused.push(await sendWrong({ crawler, route, form, found: form, page: text }));
      }
    }
}

const isFilled = ({ tag, type }: CrawledField) =>
  tag === "textarea" || (tag === "input" && /^(?:text|number|tel|email)?$/.test(type));

/** Sends a form with nonsense in all that is typed, in a transaction that is taken back. */
async function sendWrong(
  sent: Pick<Refused, "crawler" | "route" | "form" | "found" | "page">,
): Promise<Refused> {
  const { $client } = app.db;
  const nonsense = sent.form.fields.map((field) =>
    isFilled(field) ? { ...field, value: "-no!such" } : field,
  );
  const form = { ...sent.form, fields: nonsense };
  const typedInto = ({ name }: CrawledField) => valuesOf[sent.route]?.[name] ?? values[name];
  const body = new URLSearchParams();
  sentBy(form, typedInto).forEach((value, name) => body.append(name, String(value)));
  $client.run("BEGIN IMMEDIATE");
  try {
    const answer = await sent.crawler.ask(form.action, { method: "POST", body });
    return { ...sent, form, status: answer.status, answer: await answer.text(), sent: body };
  } finally {
    if ($client.inTransaction) $client.run("ROLLBACK");
  }
}

const CONTROL = /<(input|select|textarea)\b([^>]*)>/g;
const valueOf = (attributes: string, name: string) =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1];

/** The fields of a page that somebody fills in. */
function controlsOf(
  html: string,
): { readonly tag: string; readonly of: string; readonly inLabel: boolean }[] {
  return [...html.matchAll(CONTROL)]
    .filter(([, , of = ""]) => !/\stype="(?:hidden|submit|button)"/.test(of))
    .map(({ 1: tag = "", 2: of = "", index }) => {
      const before = html.slice(0, index);
      return { tag, of, inLabel: before.lastIndexOf("<label") > before.lastIndexOf("</label>") };
    });
}

/** Of pages of one world, each as somebody has it. */
export function formRules(
  visited: () => { readonly app: TestApp; readonly visitors: readonly Visited[] },
): void {
  beforeAll(async () => {
    ({ app } = visited());
    await refuseAll(visited().visitors);
  });

  test("every field has a label", () => {
    const bare = pages.flatMap(({ href, text }) =>
      controlsOf(text)
        .filter(({ of, inLabel }) => {
          const id = valueOf(of, "id");
          const isCalled = valueOf(of, "aria-label") ?? valueOf(of, "aria-labelledby");
          return !inLabel && isCalled === undefined && !(id !== undefined && text.includes(`for="${id}"`));
        })
        .map(({ of }) => `${valueOf(of, "name")} on ${href}`),
    );
    expect([...new Set(bare)]).toEqual([]);
  });

  test("every fault stands at a field, which says so, or above them, where it is read out", () => {
    const silent = refused.flatMap(({ route, answer }) => {
      const wrong = [...answer.matchAll(/<p id="([^"]+)-fault" class="fault">/g)].map(([, id = ""]) => id);
      const unsaid = wrong.filter((id) => !answer.includes(`aria-describedby="${id}-fault"`));
      const isStated = wrong.length > 0 || /role="alert"|class="[^"]*\bfault\b/.test(answer);
      return unsaid.length > 0
        ? [`${route}: ${unsaid.join(", ")}`]
        : isRefused(answer) && !isStated
          ? [route]
          : [];
    });
    expect(silent).toEqual([]);
  });

  const isRefused = (answer: string) => /aria-invalid="true"|class="note bad"/.test(answer);

  test("the first fault has the focus", () => {
    const lost = refused.filter(({ answer }) => {
      const [first] = /<(?:input|select|textarea)\b[^>]*aria-invalid="true"[^>]*>/.exec(answer) ?? [];
      return first !== undefined && !first.includes("autofocus");
    });
    expect(lost.map(({ route }) => route)).toEqual([]);
  });

  test("a form that is refused is a page of status 422", () => {
    const others = refused.filter(
      ({ answer, status }) => /aria-invalid="true"/.test(answer) && status !== 422,
    );
    expect(others.map(({ route, status }) => `${route}: ${status}`)).toEqual([]);
  });

  /** What is typed anew each time, and why. */
  const anew: Readonly<Record<string, string>> = {
    "/console/settings/import/moves/:id/undo: confirm": "to type it is to mean it",
    "/console/me/second-factor: code": "a code is of half a minute",
  };

  test("what was typed stands in the form that was refused", () => {
    const lost = refused
      .filter(({ status }) => status === 422)
      .flatMap(({ route, form, answer, sent }) => {
        const again = formsOf(answer, form.action).find(
          ({ method, action }) => method === "POST" && routeOf(action) === route,
        );
        return form.fields
          .filter((field) => isFilled(field) && field.name !== "key")
          .filter(({ name }) => again?.fields.find((field) => field.name === name)?.value !== sent.get(name))
          .map(({ name }) => `${route}: ${name}`);
      })
      .filter((field) => !(field in anew));
    expect(lost).toEqual([]);
  });

  /** Boxes that are ticked anew, and why. */
  const tickedAnew: Readonly<Record<string, string>> = {
    "/console/money/arrived/guessed":
      "is refused where none is ticked alone, and asks again about all of them",
  };

  const isBox = ({ tag, type }: CrawledField) => tag === "input" && type === "checkbox";

  test("boxes stand in the form that was refused as they were ticked", async () => {
    const lost: string[] = [];
    for (const { form, ...requested } of refused.filter(
      (one) => !(one.route in tickedAnew) && one.form.fields.some(isBox),
    )) {
      const turned = form.fields.map((field) =>
        isBox(field) ? { ...field, checked: !field.checked } : field,
      );
      const { route, status, answer, sent } = await sendWrong({
        ...requested,
        form: { ...form, fields: turned },
      });
      if (status !== 422) continue;
      const again = formsOf(answer, form.action).find(
        ({ method, action }) => method === "POST" && routeOf(action) === route,
      );
      for (const { name, value } of form.fields.filter(isBox)) {
        const isSame = (field: CrawledField) => isBox(field) && field.name === name && field.value === value;
        if (again?.fields.find(isSame)?.checked !== sent.getAll(name).includes(value || "on"))
          lost.push(`${route}: ${name} ${value}`);
      }
    }
    expect(lost).toEqual([]);
  });

  /** Forms of which a second press writes something more than that it was pressed, and why that is right. */
  const twice: Readonly<Record<string, string>> = {
    "/console/routers/:id/radsec: radsec_certificates":
      "its keys are made before anything is written, and both count",
    "/console/subscribers/:id/device: events": "a device is locked to once more",
    "/console/subscribers/:id/password: events": "each is another password",
    "/console/settings/webhooks/:id/test: events, webhook_deliveries": "each is a test of its own",
  };

  /** How many rows each table has, but those that say that something was done. */
  function rowsOf(): ReadonlyMap<string, number> {
    const { $client } = app.db;
    const tables = $client
      .query<{ name: string }, []>(
        `SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'
       AND name NOT IN ('audit_entries', 'book_changes')`,
      )
      .all();
    return new Map(
      tables.map(({ name }) => {
        const count = $client.query<{ rows: number }, []>(`SELECT count(*) AS rows FROM "${name}"`).get();
        return [name, count?.rows ?? 0];
      }),
    );
  }

  test("a double press does nothing twice", async () => {
    const { $client } = app.db;
    const more: string[] = [];
    for (const { crawler, route, found: form } of refused) {
      const typedInto = ({ name, type }: CrawledField) =>
        valuesOf[route]?.[name] ?? values[name] ?? (type === "number" ? "1" : undefined);
      const body = new URLSearchParams();
      sentBy(form, typedInto).forEach((value, name) => body.append(name, String(value)));
      const press = async () => (await crawler.ask(form.action, { method: "POST", body })).text();
      $client.run("BEGIN IMMEDIATE");
      try {
        await press();
        const before = rowsOf();
        await press();
        const grown = [...rowsOf()].flatMap(([name, rows]) => (rows > (before.get(name) ?? 0) ? [name] : []));
        if (grown.length > 0) more.push(`${route}: ${grown.join(", ")}`);
      } finally {
        if ($client.inTransaction) $client.run("ROLLBACK");
      }
    }
    expect(more.sort()).toEqual(Object.keys(twice).sort());
  });
}
