import { type Notes, format } from "../notes.ts";
import { formPaths } from "./paths.ts";
import { tokenOf, Visitor } from "./visitor.ts";
import { accounts, stateOf, type World } from "./world.ts";
import { openReader } from "../../../db/open.ts";
import type { Extent } from "../trial.ts";

/** What a form could be sent with: ids of what is there, of the ISP 1, and words that are accepted. */
const FIELDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["id", "user_id", "subscriber", "subscriber_id", "session", "nas", "nas_id", "package", "package_id"].map(
      (name) => [name, "1"],
    ),
  ),
  payment: "1",
  payment_id: "1",
  invoice: "1",
  ids: "1",
  staff: "4",
  staff_id: "4",
  key: "K1",
  name: "Mallory",
  username: "mallory",
  password: "mallory-1",
  amount: "1",
  method: "cash",
  note: "hello",
  reason: "because",
  days: "1",
  status: "0",
  value: "1",
  confirm: "yes",
  keys: "off",
};
/** What everybody does with the own account alone. */
const OWN = /^\/console\/(sign-|me(\/|$))/;

/** Every form, sent by a page of somebody else: nothing may come of it, and the session lives on. */
export async function forgeForms(
  world: World,
  notes: Notes,
  { isShort }: Pick<Extent, "isShort">,
): Promise<void> {
  const victim = await Visitor.signedIn(world, accounts.operator);
  const other = await Visitor.signedIn(world, accounts.admin);
  const [own, others] = [await victim.token(), await other.token()];
  notes.expect(own !== "" && own !== others, "two sessions have the same form token");
  const before = stateOf(world.dataFolder);
  let refused = 0;
  const forgeries: [what: string, token: string, headers: Record<string, string>][] = [
    ["without a token", "", {}],
    ["with a made-up token", `${own.slice(1)}A`, {}],
    ["with the token of another session", others, {}],
    ["from another origin", own, { origin: "https://evil.example" }],
    ["from a page without an origin", own, { origin: "null" }],
    ["from another site", own, { "sec-fetch-site": "cross-site" }],
    ["from a neighbour's site", own, { "sec-fetch-site": "same-site" }],
    ["as JSON", "", { "content-type": "application/json" }],
    ["as text", "", { "content-type": "text/plain" }],
  ];
  for (const [at, path] of formPaths.entries())
    for (const [nth, [what, form_token, headers]] of forgeries.entries()) {
      if (isShort && (at + nth) % 9 !== 0) continue; // each form by one of them, each of them at many forms
      const { status } = await victim.post(path, { ...FIELDS, form_token }, headers);
      if (status >= 400 && status < 500) refused += 1;
      else notes.fault(`a form ${what} got ${status} at ${path}`);
    }
  for (const path of formPaths) {
    const { status } = await new Visitor(world).post(path, { ...FIELDS, form_token: own });
    notes.expect([303, 401, 403].includes(status), `${path} answered ${status} to somebody who is nobody`);
  }
  notes.expect((await victim.get("/console/me")).status === 200, "a session was lost to a forged form");
  notes.expect(stateOf(world.dataFolder) === before, "a forged form changed something");
  notes.figure("forged forms of the console that did something", `0 of ${format(refused)}`);
}

/** Every form with its right token, by who has no permission, and by who is of another ISP: what is not theirs stays as it is. */
export async function sendWithout(world: World, notes: Notes): Promise<void> {
  let sent = 0;
  let before = theirsIn(world);
  const reader = openReader(world.dataFolder);
  const version = () => reader.$client.query("PRAGMA data_version").values()[0]?.[0];
  let written = version();
  for (const account of ["noFlag", "otherTenant"] as const) {
    const visitor = await Visitor.signedIn(world, accounts[account]);
    const form_token = await visitor.token();
    for (const path of formPaths.filter((one) => !OWN.test(one))) {
      const { status } = await visitor.post(path, { ...FIELDS, form_token });
      notes.expect(status < 500, `${path} broke for ${account}: ${status}`);
      sent += 1;
      if (version() === written) continue; // nobody has written anything
      const after = theirsIn(world);
      const whose = account === "noFlag" ? "without a permission" : "of another ISP";
      notes.expect(after === before, `${path} changed what is not theirs to change, ${whose}`);
      before = after;
      written = version();
    }
  }
  reader.$client.close();
  notes.figure(
    "forms sent without the permission, or for another ISP, that did something",
    `0 of ${format(sent)}`,
  );
}

interface Row {
  readonly isp_id?: number;
  readonly staff_id?: number;
  readonly key?: string;
}
/** `nil` and `sue`, who like the console in a way of their own. */
const SENDERS: ReadonlySet<number | undefined> = new Set([6, 8]);

/** The books of ISP 1. */
function theirsIn({ dataFolder }: World): string {
  const isTheirs = ({ isp_id, staff_id, key }: Row) =>
    (isp_id === undefined || isp_id === 1) && !(key !== undefined && SENDERS.has(staff_id));
  return stateOf(dataFolder)
    .split("\n")
    .map((rows) => JSON.stringify(JSON.parse(rows).filter(isTheirs)))
    .join("\n");
}

/** The sign-in form from a page of another site, and where it leads to afterwards. */
export async function forgeSignIn(world: World, notes: Notes): Promise<void> {
  const visitor = new Visitor(world);
  const form_token = tokenOf(await visitor.get("/console/sign-in"));
  const fields = { username: accounts.branch, password: "secret-1", form_token };
  const forged = [
    await visitor.post("/console/sign-in", { ...fields, form_token: "" }),
    await new Visitor(world).post("/console/sign-in", fields),
    await visitor.post("/console/sign-in", fields, { origin: "https://evil.example" }),
    await visitor.post("/console/sign-in", fields, { "sec-fetch-site": "cross-site" }),
  ];
  for (const { status } of forged) notes.expect(status === 403, `a forged sign-in got ${status}`);
  const wishes = [
    ...[
      "https://evil.example",
      "//evil.example",
      "/\\evil.example",
      "\\\\evil.example",
      "javascript:alert(1)",
    ],
    ...[
      "/console//evil.example",
      "/console/\\evil.example",
      "/consoleevil",
      "/console@evil.example",
      "/portal",
    ],
    ...[
      "/console/../../evil",
      "/console\r\nlocation: https://evil.example",
      "data:text/html,x",
      "/console\t/x",
    ],
  ];
  const strange = new Visitor(world);
  for (const wish of wishes) {
    const page = await strange.get(`/console/sign-in?then=${encodeURIComponent(wish)}`);
    const field = /name="then" value="([^"]*)"/.exec(page.text)?.[1] ?? "";
    notes.expect(isLocal(field), `the sign-in page leads on to ${JSON.stringify(field)}`);
  }
  for (const wish of wishes.slice(0, 4)) {
    const token = tokenOf(await strange.get("/console/sign-in"));
    const sent = new URLSearchParams({ ...fields, form_token: token });
    sent.set("then", wish);
    const { headers } = await strange.post("/console/sign-in", sent);
    const location = headers.get("location") ?? "";
    notes.expect(isLocal(location), `a sign-in leads to ${JSON.stringify(location)}`);
    strange.cookies.delete("gatehouse_console");
  }
}

/** Whether a browser that follows it stays within the console. */
function isLocal(location: string): boolean {
  const url = URL.parse(location, "http://console.example/");
  return location === "" || (url?.host === "console.example" && /^\/console(\/|$)/.test(url.pathname));
}
