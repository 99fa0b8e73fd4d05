/** Pages that run a statement twice with the same values, and why; take a mended one out. */
const reasons: readonly (readonly [pages: RegExp, why: string])[] = [
  [
    /\/subscribers\/1$/,
    "decisions are read as far as four runs by what is the matter, and as far as a page by the timeline",
  ],
  [/\/money\/(invoices\/1\/void|payments\/1\/reverse)$/, "what would be void is tried as it would be done"],
  [/\/asked\/1$/, "what would change is tried as it would be done"],
  [/\/money\/arrived\/1\/assign\?to=1$/, "what would be booked is tried as it would be done"],
  [/\/subscribers\/bulk\?operation=extend/, "a job is tried before it is asked about"],
  [/\/console$/, "its cards are asked each by itself"],
  [
    /console\/online(\?|$)/,
    "rows and counts are lists of their own, each of the widest scope that sees the same and of what is stale",
  ],
  [
    /\/routers\/(1|77)\/(setup|mend)/,
    "a router is read as it is once the way to it is known, which takes a look at the network",
  ],
  [
    /\/reports\/(sales|collections|renewals)(\.csv)?$/,
    "what is kept of past days looks first whether something of them was booked since",
  ],
  [
    /\/reports\/resellers(\.csv)?$/,
    "who they are, and what their wallets hold now, is part of each time that is read",
  ],
];

/** Why a page asks again; undefined: it does not. */
export const asksAgain = (path: string): string | undefined =>
  reasons.find(([pages]) => pages.test(path))?.[1];
