/**
 * Pages that run a statement again with the same values, and why. All others hand over what they have read; who mends one of these takes it
 * out here.
 */
const reasons: readonly (readonly [pages: RegExp, why: string])[] = [
  [
    /\/subscribers\/1$/,
    "decisions are read as far as four runs by what is the matter, and as far as a page by the timeline",
  ],
  [
    /\/subscribers\/1\/sessions$/,
    "the head has the newest sessions, and the list of a line with few is the same ones",
  ],
  [
    /\/subscribers\/1\/(package|renew|pay|statement)$/,
    "a quote and a desk are operations of their own, beside the head",
  ],
  [/\/money\/(invoices\/1\/void|payments\/1\/reverse)$/, "what would be void is tried as it would be done"],
  [
    /\/money\/(invoices\/1(\/paper)?|payments\/1(\/receipt)?)$/,
    "a paper is of the domain, and asks for its issuer itself",
  ],
  [
    /\/money\/arrived(\?view=all|\/1\?q=user1|\/1\/assign\?to=1)?$/,
    "whom a payment may be of is an operation of its own",
  ],
  [/\/search\?q=/, "who is there and who has left are two searches"],
  [/\/subscribers(\?(branch|status)=.*)?$/, "the columns and the count are two lists of the same filter"],
  [/\/subscribers\/(bulk\?operation=(extend|message)|jobs\/1$)/, "a job is tried before it is asked about"],
  [/\/console$/, "its cards are asked each by itself"],
  [
    /console\/(online|logins)(\?|$)/,
    "rows and counts are lists of their own, each of the widest scope that sees the same and of what is stale",
  ],
  [
    /console\/routers(\?|$|\/1$|\/1\?|\/1\/remove$)/,
    "the sidebar counts the lines that are online, as the page does by router",
  ],
  [
    /\/routers\/(1|77)\/(setup|api-setup|radsec)/,
    "the steps, the script and the certificate of a router are each of its own operation",
  ],
  [/\/routers\/(pools\/1$|1\/hotspot)/, "what is in use, and the files as they are written, find their own"],
  [/\/packages\/1(\?.*)?$/, "what it sold this month, and by months, are two reports"],
  [
    /\/reports\/(cards|collections|renewals|resellers|sales|tax)(\.csv)?(\?|$)/,
    "the rows, the sums and what is beside them are reports, each of its ISP",
  ],
  [/\/cards\/\d+(\/(sell|sessions|void))?$/, "what became of a card finds the card within the scope itself"],
  [/\/cards\/batches\/1\/sell/, "the strip is put together from the batch as a sale does"],
  [
    /\/messages\/(\d+|texts\/1|again\?channel=1|channels\/1(\/delete)?|rules\/1\/edit)$/,
    "what it comes to is an operation of its own, which finds the rule, the channel or the ISP",
  ],
  [
    /\/settings\/(backups(\/download\?.*)?|webhooks\/1(\?.*)?|staff\/\d+|branding\/preview.*|places\/.*\/remove)$/,
    "two operations of one page",
  ],
  [/\/settings$/, "the tabs and the list both say what is the whole box's"],
  [/\/start(\/heard)?$/, "each step looks whether it is done"],
  [/\/me$/, "sessions, second factor and keys are read for the account itself, and the keys by the frame"],
  [/\/sign-up$/, "what is proposed is chosen from what the form lists"],
  [/\/trail\?entity/, "the filter is named as the entries are"],
];

/** Why a page asks again; undefined: it does not. */
export const asksAgain = (path: string): string | undefined =>
  reasons.find(([pages]) => pages.test(path))?.[1];
