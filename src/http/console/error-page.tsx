import { consoleSession } from "../../domain/staff/console-sessions.ts";
import type { Clock } from "../../domain/time.ts";
import type { Db } from "../../../db/open.ts";
import { Icon } from "../pages/icons.tsx";
import { Button } from "../pages/parts/button.tsx";
import { Toast } from "../pages/parts/toast.tsx";
import { page, part } from "./answers.tsx";
import { Entry } from "./pages/sign-in/sign-in.tsx";
import { sentence } from "./pages/subscriber/say.ts";
import { consoleCookie } from "./session-cookie.ts";
import { consoleViewFor } from "./view.ts";

/** Whether errors of a path are shown to staff. */
export function isConsole(path: string): boolean {
  return path === "/console" || path.startsWith("/console/");
}

interface Failure {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly id?: string;
}

/** What says that a request failed: a page, or a message beside the page that asked; `id` is in the log. */
export function consoleErrorPage(
  { db, clock }: { db: Db; clock: Clock },
  request: Request,
  { status, message, headers = {}, id }: Failure,
): Response {
  const now = clock();
  // it only chooses the brand, so that it does not matter how the cookie came
  const cookie = consoleCookie.read(request, true) || consoleCookie.read(request, false);
  const ispId =
    cookie === ""
      ? null
      : (consoleSession(db, cookie, { now, source: "", quiet: true })?.account.ispId ?? null);
  const view = consoleViewFor(db, { request, now, ispId });
  const { errors } = view.words;
  const { title, text } = errors[knownStatus(status)];
  const isOurs = [400, 403, 409, 422, 502].includes(status);
  const said = isOurs
    ? { title: sentence(message), text: "" }
    : { title, text: id === undefined ? text : `${text} ${id}` };
  if (request.headers.get("hx-request-type") === "partial")
    return part({ request }, <Toast said={{ kind: "bad", ...said }} close={view.words.frame.dismiss} />, {
      status,
      headers: { ...headers, "hx-retarget": "#toasts", "hx-reswap": "beforeend" },
    });
  return page(
    { request },
    <Entry view={view} title={title}>
      <div class="empty">
        <span class="empty-mark">
          <Icon name="alert" />
        </span>
        <h1>{title}</h1>
        <p>{isOurs ? sentence(message) : text}</p>
        {id !== undefined && <p class="mono">{id}</p>}
        <div class="actions">
          <Button href="/console" kind="solid">
            {errors.home}
          </Button>
        </div>
      </div>
    </Entry>,
    { status, headers },
  );
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
