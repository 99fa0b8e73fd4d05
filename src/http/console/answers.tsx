import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { encoded } from "../pages/assets.ts";
import { Drawer } from "../pages/parts/dialog.tsx";
import { Toast } from "../pages/parts/toast.tsx";
import { pageHeaders, seeOther } from "../pages/respond.tsx";
import { Frame, type Place } from "./frame.tsx";
import type { StaffVisit } from "./guard.ts";
import type { Flash } from "./notes.ts";

interface Options {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `changed`: parts of the open page load themselves again. */
type PageEvent = "changed";

export function page({ request }: Pick<StaffVisit, "request">, element: JSX.Element, options: Options = {}) {
  return html(request, `<!doctype html>${String(element)}`, options);
}

export function part(
  { request }: Pick<StaffVisit, "request">,
  element: JSX.Element,
  { tell, ...options }: Options & { tell?: PageEvent } = {},
): Response {
  const headers = { ...options.headers, ...(tell && { "hx-trigger": tell }) };
  return html(request, String(element), { ...options, headers });
}

interface DrawerOptions extends Options {
  readonly title: string;
  /** The line under the title. */
  readonly lead?: Child;
  readonly place: Place;
  /** Where closing leads without a script. */
  readonly back: string;
  /** Parts of the page beneath load themselves again. */
  readonly changed?: boolean;
  readonly children: Child;
}

/** Opens beside the page; without a script a page of its own, under the same URL. */
export function drawer(
  visit: StaffVisit,
  { title, lead, place, back, changed, children, ...options }: DrawerOptions,
) {
  const { words } = visit.view;
  const body = (
    <Drawer title={title} lead={lead} back={back} close={words.frame.close} isPage={!visit.isPart}>
      {children}
    </Drawer>
  );
  if (visit.isPart) return part(visit, body, { ...options, ...(changed && { tell: "changed" as const }) });
  return page(
    visit,
    <Frame visit={visit} title={title} place={place}>
      <div class="drawer-page">{body}</div>
    </Frame>,
    options,
  );
}

export function flash(visit: StaffVisit, what: Flash, back: string, { leaves = false } = {}): Response {
  if (visit.isPart && leaves) {
    visit.needs.notes.add(visit.sessionKey, what);
    return new Response(null, { headers: { "hx-redirect": back, "cache-control": "no-store" } });
  }
  if (visit.isPart) {
    const toast = <Toast flash={what} close={visit.view.words.frame.dismiss} />;
    return part(visit, toast, {
      tell: "changed",
      headers: { "hx-retarget": "#toasts", "hx-reswap": "beforeend" },
    });
  }
  visit.needs.notes.add(visit.sessionKey, what);
  return seeOther(back);
}

function html(request: Request, text: string, { status = 200, headers = {} }: Options): Response {
  const { body, headers: encoding } = encoded(text, request);
  return new Response(body, { status, headers: { ...pageHeaders, ...encoding, ...headers } });
}
