import { totpCode } from "../../../src/domain/people/staff/totp.ts";
import type { Notes } from "../notes.ts";
import { PROXY } from "../target.ts";
import { formPaths, LIVE, pagePaths } from "./paths.ts";
import { askOnce } from "../raw-http.ts";
import { tokenOf, Visitor } from "./visitor.ts";
import { accounts, NEWCOMER, routes, type World } from "./world.ts";
import type { Extent } from "../trial.ts";

const COOKIE = "gatehouse_console";
const seconds = () => Math.floor(Date.now() / 1000);

/** Sessions that were planted, cookies that others could read or set, and what is left of a session that has ended. */
export async function attackSessions(world: World, notes: Notes): Promise<void> {
  const planted = "A".repeat(43);
  const visitor = new Visitor(world);
  visitor.cookies.set(COOKIE, planted);
  const { headers } = await visitor.signIn(accounts.otherBranch);
  const cookie = headers.getSetCookie().find((line) => line.startsWith(`${COOKIE}=`)) ?? "";
  notes.expect(!cookie.includes(planted), "the console took over a session id that was planted");
  for (const attribute of ["HttpOnly", "SameSite=Strict", "Path=/"])
    notes.expect(cookie.includes(attribute), `the cookie of the console lacks ${attribute}`);
  const key = visitor.cookies.get(COOKIE) ?? "";
  const token = await visitor.token();
  await visitor.post("/console/sign-out", { form_token: token });
  const stale = new Visitor(world);
  stale.cookies.set(COOKIE, key);
  notes.expect((await stale.get("/console/me")).status === 303, "a session worked after its sign-out");
  await secureCookies(world, notes, accounts.otherBranch);
}

/** Behind a proxy that speaks TLS the cookie has the prefix that no neighbour can plant, and one without it counts for nothing. */
async function secureCookies(world: World, notes: Notes, username: string): Promise<void> {
  const known = await Visitor.signedIn(world, username);
  const port = Number(new URL(world.origin).port);
  const proxied = (headers: Record<string, string>) =>
    askOnce(
      { from: PROXY, port },
      { target: "/console/me", headers: { "x-forwarded-proto": "https", ...headers } },
    );
  const page = await askOnce(
    { from: PROXY, port },
    { target: "/console/sign-in", headers: { "x-forwarded-proto": "https" } },
  );
  const cookie = page?.headers.get("set-cookie") ?? "";
  notes.expect(cookie.startsWith("__Host-") && cookie.includes("Secure"), `a cookie over TLS is ${cookie}`);
  const bare = await proxied({ cookie: `${COOKIE}=${known.cookies.get(COOKIE)}` });
  notes.expect(bare?.status === 303, "over TLS a cookie without its prefix signs somebody in");
  const whole = await proxied({ cookie: `__Host-${COOKIE}=${known.cookies.get(COOKIE)}` });
  notes.expect(whole?.status === 200, "over TLS a cookie with its prefix does not sign somebody in");
}

/** Codes that were used, codes that are guessed from many addresses, and pages beside the code. */
export async function attackCodes(
  world: World,
  notes: Notes,
  { isShort }: Pick<Extent, "isShort">,
): Promise<void> {
  const owner = await Visitor.signedIn(world, accounts.Clerk);
  const { secret, id } = await enrol(owner);
  const [one, two] = [
    await Visitor.signedIn(world, accounts.Clerk),
    await Visitor.signedIn(world, accounts.Clerk),
  ];
  await heldBack(one, notes, { step: "/console/sign-in/code", every: isShort ? 4 : 1 });
  await heldBack(await Visitor.signedIn(world, NEWCOMER), notes, {
    step: "/console/me/second-factor",
    every: isShort ? 3 : 1,
  });
  const held = one.cookies.get(COOKIE) ?? "";
  const form_token = tokenOf(await one.get("/console/sign-in/code"));
  const code = totpCode(secret, seconds() + 30); // the next one, which no page has taken yet
  const right = await one.post("/console/sign-in/code", { code, form_token });
  notes.expect(right.status === 303, `a right code got ${right.status}`);
  notes.expect(one.cookies.get(COOKIE) !== held, "a code leaves the session its id");
  const before = new Visitor(world);
  before.cookies.set(COOKIE, held);
  notes.expect((await before.get("/console/me")).status === 303, "the id from before the code still works");
  const replayed = await guess(two, code);
  notes.expect(replayed === 401, `a code that was used got ${replayed}`);
  await guessAll(world, notes, id);
}

/** Somebody who lacks a code, or a second factor, gets to the step that mends it and to nothing else: no page, no part, no stream, no form. */
async function heldBack(
  visitor: Visitor,
  notes: Notes,
  { step, every }: { step: string; every: number },
): Promise<void> {
  const form_token = tokenOf(await visitor.get(step));
  notes.expect(form_token !== "", `${step} has no form for who is led there`);
  const part = { "hx-request": "true", "hx-request-type": "partial" };
  const isBehind = (path: string, at: number) =>
    at % every === 0 && path !== step && !path.startsWith("/console/sign-");
  for (const path of [...pagePaths, LIVE].filter(isBehind)) {
    const { status, headers } = await visitor.get(path);
    const leads = headers.get("location") ?? "";
    notes.expect(status === 303 && leads.startsWith(step), `${path} got ${status} before ${step}`);
    const asPart = await visitor.get(path, part);
    notes.expect(asPart.status === 401, `${path} as a part got ${asPart.status} before ${step}`);
  }
  for (const path of formPaths.filter(isBehind)) {
    const { status, headers } = await visitor.post(path, { form_token });
    const leads = headers.get("location") ?? "";
    notes.expect(status === 303 && leads.startsWith(step), `the form ${path} got ${status} before ${step}`);
  }
}

async function enrol(visitor: Visitor): Promise<{ secret: string; id: string }> {
  const page = await visitor.get("/console/me/second-factor");
  const secret = (/class="mono secret">([^<]+)</.exec(page.text)?.[1] ?? "").replaceAll(" ", "");
  const sealed = /name="sealed" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
  const fields = { sealed, code: totpCode(secret, seconds()), form_token: tokenOf(page) };
  const { status } = await visitor.post("/console/me/second-factor", fields);
  if (status !== 200) throw new Error(`the second factor was answered ${status}`);
  return { secret, id: accounts.Clerk };
}

async function guess(visitor: Visitor, code: string): Promise<number> {
  const form_token = tokenOf(await visitor.get("/console/sign-in/code"));
  return (await visitor.post("/console/sign-in/code", { code, form_token })).status;
}

/** From a new address each time, as somebody with many would: it is the account that has so many wrong codes an hour. */
async function guessAll(world: World, notes: Notes, username: string): Promise<void> {
  const port = Number(new URL(world.origin).port);
  const visitor = await Visitor.signedIn(world, username);
  const token = tokenOf(await visitor.get("/console/sign-in/code"));
  const statuses: number[] = [];
  for (let i = 0; i < 40; i++) {
    const answer = await askOnce(
      { from: PROXY, port },
      {
        method: "POST",
        target: "/console/sign-in/code",
        headers: {
          "x-forwarded-for": `203.0.113.${i + 1}`,
          cookie: visitor.cookie,
          "content-type": "application/x-www-form-urlencoded",
        },
        body: new URLSearchParams({ code: String(100_000 + i), form_token: token }).toString(),
      },
    );
    statuses.push(answer?.status ?? 0);
  }
  const tried = statuses.filter((status) => status === 401).length;
  notes.expect(tried <= 20 && statuses.at(-1) === 429, `${tried} of 40 guesses at a code were tried`);
  notes.figure(
    "guesses at a code, each from another address, before the account is closed to codes for an hour",
    String(tried),
  );
}

/** The stream of what is live ends with the session, and nobody gets one without. */
export async function attackStream(world: World, notes: Notes): Promise<void> {
  if (!routes.some(({ path }) => path === LIVE)) return;
  const open = (cookie: string, signal?: AbortSignal) =>
    fetch(world.origin + LIVE, {
      headers: { cookie, accept: "text/event-stream" },
      redirect: "manual",
      ...(signal && { signal }),
    });
  const refused = await open("");
  notes.expect([303, 401].includes(refused.status), `a stream got ${refused.status} for nobody`);
  await refused.arrayBuffer();
  const visitor = await Visitor.signedIn(world, accounts.Manager);
  const stop = new AbortController();
  const stream = await open(visitor.cookie, stop.signal);
  await visitor.post("/console/sign-out", { form_token: await visitor.token() });
  const drained = stream.text().then(() => true);
  const ended = await Promise.race([drained, Bun.sleep(20_000).then(() => false)]);
  notes.expect(ended, "a stream goes on after its session has ended");
  if (!ended) stop.abort();
  await drained.catch(() => {});
}
