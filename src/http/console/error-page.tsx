import { refusalTold } from "./attempt.ts";
import type { DomainError, FieldErrors } from "../../domain/core/errors/errors.ts";
import { whoMay } from "../../domain/people/roles/who-may.ts";
import { Icon } from "../pages/icons.tsx";
import { Button } from "../pages/parts/button.tsx";
import { Toast } from "../pages/parts/toast.tsx";
import { page, part } from "./answers.tsx";
import { Frame } from "./frame.tsx";
import { type ConsoleNeeds, findFailedVisit, type StaffVisit } from "./guard.ts";
import { Entry } from "./parts/entry.tsx";
import { flagDoes } from "./parts/flags.ts";
import { sentence } from "./parts/phrases.ts";
import { findPlace } from "./places.ts";
import { type ConsoleView, consoleViewFor } from "./view.ts";

export function isConsole(path: string): boolean {
  return path === "/console" || path.startsWith("/console/");
}

interface Failure {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly fields?: FieldErrors | undefined;
  readonly phrases?: DomainError["phrases"];
  readonly flag?: string | undefined;
  readonly id?: string;
}

interface Explanation {
  readonly title: string;
  readonly lines: readonly string[];
  /** The same page without the wrong parameters. */
  readonly without?: string;
}

/**
 * A failure as a page, or as a message beside the page that asked; `id` is in the log. Whoever is signed in keeps the frame,
 * unless the store itself is in trouble.
 */
export function consoleErrorPage(needs: ConsoleNeeds, request: Request, failure: Failure): Response {
  const { db, clock } = needs;
  const { status, headers = {}, id } = failure;
  const visit = findFailedVisit(needs, request);
  const view = visit?.view ?? consoleViewFor(db, { request, now: clock() });
  const explanation = explain(view, visit, {
    ...failure,
    ...(failure.phrases && refusalTold(view, failure.phrases)),
  });
  if (request.headers.get("hx-request-type") === "partial") {
    const flash = { kind: "bad", title: explanation.title, text: explanation.lines.join(" ") } as const;
    return part({ request }, <Toast flash={flash} close={view.words.frame.dismiss} />, {
      status,
      headers: { ...headers, "hx-retarget": "#toasts", "hx-reswap": "beforeend" },
    });
  }
  const { title } = explanation;
  const body = <Body view={view} explanation={explanation} id={id} />;
  return page(
    { request },
    visit && status !== 503 ? (
      <Frame visit={visit} title={title} place={findPlace(visit.by, visit.path)}>
        {body}
      </Frame>
    ) : (
      <Entry view={view} title={title}>
        {body}
      </Entry>
    ),
    { status, headers },
  );
}

function Body({
  view: { words },
  explanation,
  id,
}: {
  view: ConsoleView;
  explanation: Explanation;
  id: string | undefined;
}) {
  const { errors } = words;
  return (
    <div class="empty">
      <span class="empty-mark">
        <Icon name="alert" />
      </span>
      <h1>{explanation.title}</h1>
      {explanation.lines.map((line) => (
        <p>{line}</p>
      ))}
      {id !== undefined && <p class="mono">{id}</p>}
      <div class="actions">
        {explanation.without !== undefined && (
          <Button href={explanation.without} kind="solid">
            {errors.without}
          </Button>
        )}
        <Button href="/console" {...(explanation.without === undefined && { kind: "solid" })}>
          {errors.home}
        </Button>
      </div>
    </div>
  );
}

function explain(view: ConsoleView, visit: StaffVisit | undefined, failure: Failure): Explanation {
  const { errors } = view.words;
  const { status, message, fields = {}, flag } = failure;
  const { title, text } = errors[knownStatus(status)];
  if (flag !== undefined && visit) return { title, lines: explainLack(visit, flag) };
  if (Object.keys(fields).length > 0) return explainWrong(view, visit, fields);
  const isOurs = [400, 403, 409, 422, 502].includes(status);
  return { title, lines: [isOurs ? sentence(message, view.format) : text] };
}

function explainLack({ db, by, view }: StaffVisit, flag: string): string[] {
  const { errors, team } = view.words;
  const { admins, roles } = whoMay(db, by, flag);
  const named = (names: readonly string[]) => names.map((name) => view.format.name(name));
  return [
    errors.lacks(flagDoes(team, flag)),
    admins.length === 0 ? errors.askAdmin : errors.ask(named(admins)),
    ...(roles.length === 0 ? [] : [errors.rolesThatMay(named(roles))]),
  ];
}

/** Wrong parameters of a list's address, and the link without them; or wrong fields of a form. */
function explainWrong(
  { words, format }: ConsoleView,
  visit: StaffVisit | undefined,
  fields: FieldErrors,
): Explanation {
  const { errors } = words;
  const isList = visit?.request.method === "GET";
  const lines = Object.entries(fields).map(([name, faults]) => {
    const value = isList ? visit.query.get(name) : null;
    return errors.wrong(
      errors.names[name] ?? name.replaceAll("_", " "),
      value && format.name(value),
      faults.join(words.list.comma),
    );
  });
  if (!isList) return { title: errors[400].title, lines };
  const left = [...visit.query].filter(([name]) => !Object.hasOwn(fields, name));
  const without = `${visit.path}${left.length === 0 ? "" : `?${new URLSearchParams(left)}`}`;
  return { title: errors.badFilter, lines, without };
}

function knownStatus(status: number): 400 | 403 | 404 | 429 | 500 | 503 {
  switch (status) {
    case 403:
    case 404:
    case 429:
    case 503:
      return status;
    default:
      return status < 500 ? 400 : 500;
  }
}
