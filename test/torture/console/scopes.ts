import { type Notes, format } from "../notes.ts";
import { crawl, LIVE, pagePaths } from "./paths.ts";
import { INJECTED } from "./poison.ts";
import { type Answer, Visitor } from "./visitor.ts";
import { type Account, accounts, type World } from "./world.ts";
import type { Extent } from "../trial.ts";

const PART = { "hx-request": "true", "hx-request-type": "partial" };

/** Rows that an account must not see, by what they say of themselves; branches and resellers see subscribers of their own. */
const HIDDEN: Readonly<Partial<Record<Account, RegExp>>> = {
  otherTenant: /data-evil=(?:s1\.|i1\b)/,
  otherBranch: /data-evil=s(?:2\.|1\.(?!12\.))/,
  branch: /data-evil=s(?:2\.|1\.(?!11\.))/,
  otherReseller: /data-evil=s(?!1\.\d+\.3\b)/,
  reseller: /data-evil=s(?!1\.\d+\.2\b)/,
  admin: /data-evil=(?:s2\.|i2\b)/,
  noFlag: /data-evil=s/,
};

/** In the short form those who must not see something: some read every page, others read them by turns, each so many. */
const SHORT: Readonly<Partial<Record<Account, { every: number; from: number }>>> = {
  otherTenant: { every: 1, from: 0 },
  admin: { every: 4, from: 0 }, // and the next one as a part
  noFlag: { every: 2, from: 1 },
  otherBranch: { every: 4, from: 0 },
  branch: { every: 4, from: 1 },
  otherReseller: { every: 4, from: 2 },
  reseller: { every: 4, from: 3 },
};

/**
 * Every page as it is and as a part, by every kind of account: what is stored is text, and each sees their own. Answers those that a browser
 * shows.
 */
export async function readPages(
  world: World,
  notes: Notes,
  { isShort }: Pick<Extent, "isShort">,
): Promise<string[]> {
  let requests = 0;
  let texts = 0;
  const documents = new Set<string>();
  const judge = (account: Account, path: string, answer: Answer) => {
    const { status, text, headers } = answer;
    requests += 1;
    texts += text.split("data-evil").length - 1;
    notes.expect(
      [200, 204, 303, 400, 401, 403, 404].includes(status),
      `${path} got ${status} for ${account}`,
    );
    const isPage = isDocument(headers);
    notes.expect(
      !isPage || !text.includes(INJECTED),
      `${path} makes an element of a stored text, for ${account}`,
    );
    notes.expect(isPage || isFile(answer), `${path} may be taken for a page, for ${account}`);
    notes.expect(
      !isPage || !/(?:href|src|action)="(?:javascript|data):/i.test(text),
      `${path} links to a script`,
    );
    const plain = text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">");
    notes.expect(!HIDDEN[account]?.test(plain), `${path} shows ${account} what is not theirs`);
    if (status !== 200 || !isPage) return;
    guarded(notes, headers, path);
    documents.add(path);
  };
  const operator = await Visitor.signedIn(world, accounts.operator);
  const paths = await crawl(operator, notes, {
    each: isShort ? 1 : 20,
    look: (path, answer) => judge("operator", path, answer),
  });
  for (const account of Object.keys(accounts) as Account[]) {
    if (isShort && !(account in SHORT)) continue;
    const isRead = account === "operator"; // by who has found them
    const ways = isRead ? [PART] : isShort && account !== "admin" ? [{}] : [{}, PART];
    const visitor = isRead ? operator : await Visitor.signedIn(world, accounts[account]);
    for (const [at, path] of paths.entries())
      for (const [way, headers] of ways.entries()) {
        const { every, from } = (isShort && SHORT[account]) || { every: 1, from: 0 };
        if ((at + way) % every === from) judge(account, path, await visitor.get(path, headers));
      }
  }
  notes.expect(texts > 0, "no page shows a stored text: nothing was tried");
  notes.figure(
    `pages of the console by ${Object.keys(accounts).length} kinds of account, with ${world.columns} hostile columns of text`,
    `${format(requests)} asked for, ${format(texts)} texts shown as text`,
  );
  return [...documents];
}

/** Nobody who is not signed in sees a page, and the listener that faces the internet has none. */
export async function readAsNobody(world: World, notes: Notes): Promise<void> {
  const nobody = new Visitor(world);
  for (const path of pagePaths) {
    const { status, text } = await nobody.get(path);
    const isOpen = path.startsWith("/console/sign-in");
    notes.expect(isOpen || status === 303, `${path} got ${status} for nobody`);
    notes.expect(!text.includes("data-evil=s"), `${path} shows a subscriber to nobody`);
    const part = await nobody.get(path, PART);
    notes.expect(isOpen || part.status === 401, `${path} as a part got ${part.status} for nobody`);
  }
  for (const path of ["/console", "/console/", ...pagePaths, LIVE, "/console/assets/x.js"])
    for (const method of ["GET", "POST"]) {
      const response = await fetch(world.publicOrigin + path, { method, redirect: "manual" });
      notes.expect(
        response.status === 404,
        `${method} ${path} got ${response.status} on the public listener`,
      );
      await response.arrayBuffer();
    }
}

function isDocument(headers: Headers): boolean {
  return (headers.get("content-type") ?? "").startsWith("text/html");
}

/** Nothing at all, or a file, a text, a stylesheet or figures that no browser shows as a page. */
function isFile({ status, headers, text }: Answer): boolean {
  const type = headers.get("content-type") ?? "";
  const isNone =
    headers.has("content-disposition") || /^(?:application\/json|text\/css|text\/plain)\b/.test(type);
  const isKept = headers.get("x-content-type-options") === "nosniff" && isNone;
  return text === "" || (status === 200 && isKept);
}

function guarded(notes: Notes, headers: Headers, path: string): void {
  const policy = headers.get("content-security-policy") ?? "";
  // a page on which no script runs, no form is sent and no link leads anywhere may be framed by our own
  const isStill = policy.endsWith("; sandbox allow-same-origin") && /form-action 'none'/.test(policy);
  const ancestors = isStill ? /frame-ancestors '(?:none|self)'/ : /frame-ancestors 'none'/;
  notes.expect(ancestors.test(policy), `${path} may be framed`);
  const isClosed = /default-src 'none'/.test(policy) && !policy.includes("unsafe");
  notes.expect(isClosed, `${path} may load from anywhere`);
  notes.expect(/form-action '(?:self|none)'/.test(policy), `${path} may send forms elsewhere`);
  const framing = headers.get("x-frame-options") ?? "";
  notes.expect(
    framing === "DENY" || (isStill && framing === "SAMEORIGIN"),
    `${path} may be framed by an old browser`,
  );
  notes.expect(headers.get("x-content-type-options") === "nosniff", `${path} may be sniffed`);
  notes.expect(headers.get("referrer-policy") === "no-referrer", `${path} tells others where it was`);
  notes.expect(/no-store/.test(headers.get("cache-control") ?? ""), `${path} may be kept by caches`);
}
