import { loginOf, PROXY, type Target } from "../target.ts";
import type { Notes } from "../notes.ts";
import { type Answer, form } from "../raw-http.ts";

const SIGN_IN = "/portal/sign-in";
const VICTIM = "127.4.0.1";

/** Cookies and forms of the portal, against whoever writes a page of their own for a subscriber to open. */
export async function attackPages(target: Target, notes: Notes): Promise<void> {
  const page = await target.ask(VICTIM, "public", { target: SIGN_IN });
  guarded(notes, page, SIGN_IN);
  const visit = cookieOf(page, "gatehouse_visit");
  const token = formTokenOf(page);
  const session = await signIn(target, notes, { visit, token, id: 3 });
  const other = await signIn(target, notes, { visit, token, id: 4 });
  const home = await target.ask(VICTIM, "public", {
    target: "/portal/settings",
    headers: { cookie: session },
  });
  guarded(notes, home, "/portal/settings");
  const otherHome = await target.ask(VICTIM, "public", {
    target: "/portal/settings",
    headers: { cookie: other },
  });
  await forgeForms(target, notes, {
    session,
    tokens: ["", "x", token, formTokenOf(otherHome), `${formTokenOf(home)}A`],
  });
  await strangersPages(target, notes, session);
  await secureCookies(target, notes);
  const leave = form("/portal/sign-out", { form_token: formTokenOf(home) }, session);
  const left = await target.ask(VICTIM, "public", leave);
  notes.expect(left.status === 303, `the portal's own sign-out form got ${left.status}`);
  const after = await target.ask(VICTIM, "public", { target: "/portal", headers: { cookie: session } });
  notes.expect(after.status === 303, "a portal session worked after its sign-out");
}

interface Door {
  visit: string;
  token: string;
  id: number;
}

/** The session's cookie as a browser sends it; a session that somebody planted before is not taken over. */
async function signIn(target: Target, notes: Notes, { visit, token, id }: Door): Promise<string> {
  const planted = `gatehouse_portal=${"A".repeat(43)}`;
  const fields = { ...loginOf(id), form_token: token };
  const answer = await target.ask(VICTIM, "public", form(SIGN_IN, fields, `${visit}; ${planted}`));
  const cookie = cookieOf(answer, "gatehouse_portal");
  notes.expect(
    answer.status === 303 && cookie !== "",
    `an honest sign-in to the portal got ${answer.status}`,
  );
  notes.expect(cookie !== planted, "the portal took over a session id that was planted");
  const attributes = answer.headers.get("set-cookie") ?? "";
  for (const attribute of ["HttpOnly", "SameSite=Lax", "Path=/"])
    notes.expect(attributes.includes(attribute), `the session cookie lacks ${attribute}`);
  return cookie;
}

/** Every form of the portal with what another site could know: nothing may happen, and the session lives on. */
async function forgeForms(
  target: Target,
  notes: Notes,
  { session, tokens }: { session: string; tokens: string[] },
) {
  const password = { current: "pw-3", chosen: "chosen-by-another", again: "chosen-by-another" };
  const forms: [path: string, fields: Record<string, string>][] = [
    ["/portal/sign-out", {}],
    ["/portal/sign-out-everywhere", {}],
    ["/portal/settings/password", password],
    ["/portal/settings/messages", { language: "fr" }],
  ];
  let refused = 0;
  for (const [path, fields] of forms) {
    for (const form_token of tokens) {
      const sent = form(path, { ...fields, form_token }, session);
      const { status } = await target.ask(VICTIM, "public", sent);
      if (status === 403) refused += 1;
      else notes.fault(`a form that is not of the session got ${status} at ${path}`);
    }
    const { status } = await target.ask(VICTIM, "public", { target: path, headers: { cookie: session } });
    notes.expect(status === 404 || status === 405, `a link to ${path} got ${status}`);
  }
  const strange = await target.ask(VICTIM, "public", form(SIGN_IN, loginOf(5), "gatehouse_visit=A"));
  notes.expect(strange.status === 403, `a sign-in from another site's form got ${strange.status}`);
  const still = await target.ask(VICTIM, "public", { target: "/portal", headers: { cookie: session } });
  notes.expect(still.status === 200, "the session was lost to a forged form");
  notes.figure(
    "forged forms of the portal (no token, of a visit, of another session) that did something",
    `0 of ${refused}`,
  );
}

/** No other origin reads an answer, and no page of it frames ours. */
async function strangersPages(target: Target, notes: Notes, session: string) {
  const origin = { origin: "https://evil.example", cookie: session };
  for (const listener of ["lan", "public"] as const)
    for (const method of ["GET", "OPTIONS", "POST"])
      for (const path of ["/portal", "/api/v1/subscriber/login", "/api/v1/subscriber/list"]) {
        const requests = {
          "access-control-request-method": "POST",
          "access-control-request-headers": "authorization",
        };
        const answer = await target.ask(VICTIM, listener, {
          method,
          target: path,
          headers: { ...origin, ...requests },
        });
        const isOpen = [...answer.headers.keys()].some((name) => name.startsWith("access-control-"));
        notes.expect(!isOpen, `${method} ${path} lets another origin read its answer`);
      }
}

/** Behind a proxy that speaks TLS the cookies are for TLS only; a stranger cannot claim to be that proxy. */
async function secureCookies(target: Target, notes: Notes) {
  const headers = { "x-forwarded-proto": "https" };
  const proxied = await target.ask(PROXY, "public", { target: SIGN_IN, headers });
  notes.expect(
    (proxied.headers.get("set-cookie") ?? "").includes("Secure"),
    "a cookie sent by TLS lacks Secure",
  );
}

function guarded(notes: Notes, { headers }: Answer, path: string): void {
  const policy = headers.get("content-security-policy") ?? "";
  notes.expect(/frame-ancestors 'none'/.test(policy), `${path} may be framed`);
  notes.expect(
    /default-src 'none'/.test(policy) && !policy.includes("unsafe"),
    `${path} may load from anywhere`,
  );
  notes.expect(headers.get("x-content-type-options") === "nosniff", `${path} may be sniffed`);
  notes.expect(headers.get("cache-control") === "no-store", `${path} may be kept by caches`);
}

function cookieOf({ headers }: Answer, name: string): string {
  return new RegExp(`^${name}=[^;\n]+`, "m").exec(headers.get("set-cookie") ?? "")?.[0] ?? "";
}

function formTokenOf({ body }: Answer): string {
  return /name="form_token" value="([^"]+)"/.exec(body)?.[1] ?? "";
}
