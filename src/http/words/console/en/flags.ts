/** After "will" or "may". */
export const flags = {
  subscriber_view: {
    does: "see subscribers",
    text: "The list, the search, each subscriber’s page with what is the matter, boxes and outages. Without it there is little to see.",
  },
  subscriber_add: {
    does: "sign up subscribers",
    text: "New customers, with a package, a router and a salesperson.",
  },
  subscriber_edit: {
    does: "change subscribers",
    text: "Name, numbers, address, package of the next renewal, router, salesperson, automatic renewal.",
  },
  subscriber_status: {
    does: "disable, freeze and archive subscribers",
    text: "Ends a line, lets it rest, or takes away who left; and brings them back.",
  },
  subscriber_note: {
    does: "write notes about subscribers",
    text: "Notes that everybody who sees the subscriber reads.",
  },
  subscriber_password: {
    does: "set subscribers’ passwords",
    text: "Of the line and of the portal. A new one is shown once; the present one is shown to nobody.",
  },
  subscriber_mac: {
    does: "lock lines to devices",
    text: "Locks, unlocks and changes the MAC address, and takes the new device at a line.",
  },
  subscriber_plant: {
    does: "keep the lines in the street",
    text: "Box, port, fibre colour and signal of a line, and the page of each box.",
  },
  subscriber_bulk: {
    does: "change many subscribers at once",
    text: "Each change needs its own permission too: extending, disabling, moving.",
  },
  subscriber_activate: {
    does: "activate and renew packages",
    text: "Charges the wallet and opens the line, with what the subscriber holds in sight.",
  },
  subscriber_extend: {
    does: "give days for free",
    text: "Extends a line without money. Each time stands in the report of concessions.",
  },
  payment_view: { does: "see payments", text: "What was taken, from whom, by whom, with each receipt." },
  payment_take: {
    does: "take payments",
    text: "Cash and other ways at the counter. What a Reseller takes comes off the Reseller’s wallet.",
  },
  payment_reverse: {
    does: "reverse payments",
    text: "Undoes a payment that was a mistake, within the days that the ISP allows.",
  },
  payment_refund: { does: "hand money back", text: "Money out of a wallet, with a receipt." },
  invoice_view: { does: "see invoices", text: "Every invoice, its paper, and who owes." },
  invoice_void: { does: "void invoices", text: "Takes back what was charged; the sums and the line follow." },
  wallet_view: {
    does: "see wallets",
    text: "Entries and balances of subscribers and Resellers; a Reseller sees the own one.",
  },
  wallet_adjust: {
    does: "correct wallets",
    text: "Moves money by hand, with a reason, and tops up or pays out Resellers.",
  },
  closing_own: { does: "close the own till", text: "Counts what was taken since the last day’s close." },
  closing_manage: {
    does: "confirm day’s closes",
    text: "Sees everybody’s tills and confirms what was handed over.",
  },
  report_view: {
    does: "see reports",
    text: "Sales, collections, what is owed, growth, traffic, and the figures of Today that sum them.",
  },
  package_view: { does: "see packages", text: "What is sold, for how much, to how many." },
  package_manage: {
    does: "make and change packages",
    text: "Prices, rates, data, and what routers are told.",
  },
  session_view: {
    does: "see who is online",
    text: "Sessions, logins as they happen, rates, devices, and addresses that somebody had.",
  },
  subscriber_disconnect: {
    does: "disconnect subscribers",
    text: "Ends sessions at the router: one, some, or all of a router.",
  },
  nas_view: { does: "see routers", text: "Names, addresses, when each was last heard. Never a secret." },
  nas_manage: {
    does: "add and change routers",
    text: "Secrets, the commands to paste, tests, and removing a router.",
  },
  staff_view: {
    does: "see staff",
    text: "Who has an account, of which kind and role, and when they were here.",
  },
  staff_manage: {
    does: "manage staff",
    text: "Adds and changes accounts, sets passwords, ends sessions; never of somebody who may do more.",
  },
  role_view: { does: "see roles", text: "What each role allows." },
  role_manage: {
    does: "manage roles",
    text: "Makes roles and changes what they allow, as far as one may do it oneself.",
  },
  audit_view: { does: "see the trail", text: "Who changed what, when and from where, of the whole ISP." },
  place_view: { does: "see places", text: "Branches, cities, areas and subareas, with how many live there." },
  place_manage: { does: "change places", text: "Adds, renames, moves and removes them." },
  setting_manage: {
    does: "change settings",
    text: "Branding, texts, tax, ways to pay; what is the whole appliance’s stays its operator’s.",
  },
  card_view: { does: "see cards", text: "Batches, their cards and what became of them; never a code." },
  card_make: {
    does: "make cards",
    text: "Makes batches, prints them, and prints one card again; whoever prints a card sees its code.",
  },
  card_sell: { does: "sell cards", text: "Sells a card at the desk, and lets it be used on another device." },
  card_void: {
    does: "make cards void",
    text: "Makes a card or a batch void, which gives back what was paid for it.",
  },
  message_view: { does: "see messages", text: "What was sent to whom, and what waits or failed." },
  message_manage: {
    does: "manage messages",
    text: "Rules, texts and channels; sends again, and cancels.",
  },
  message_send: {
    does: "write to subscribers",
    text: "One message by hand, in words of one’s own or a text that is kept; to many with the permission to change many.",
  },
  webhook_manage: {
    does: "manage webhooks",
    text: "Which programs hear of what happens, with the secret that each call is signed with.",
  },
  api_key_manage: {
    does: "manage API keys",
    text: "Makes keys for programs, which may do what their maker may, or less, and revokes them.",
  },
  payment_match: {
    does: "assign payments that arrived",
    text: "Money of which nobody knew whose it is, and files of a bank.",
  },
  payment_receive: {
    does: "tell of payments by a program",
    text: "For programs: payments that arrived elsewhere are booked as they say. With “change settings” also for whoever sets up where payments come from.",
  },
  data_import: {
    does: "bring data in",
    text: "Imports subscribers from files and other systems, and undoes an import. Balances and paid time come along where one may also correct wallets and activate, codes where one may make cards.",
  },
  api_access: {
    does: "use the API",
    text: "For programs: the same permissions, called over HTTP. The console does not need it.",
  },
  hrm_module: {
    does: "carry hrm_module for other programs",
    text: "Nothing in this appliance follows from it: kept for programs that read it.",
  },
  notice_view: {
    does: "carry notice_view for other programs",
    text: "Nothing in this appliance follows from it: kept for programs that read it.",
  },
  notice_add_new: {
    does: "carry notice_add_new for other programs",
    text: "Nothing in this appliance follows from it: kept for programs that read it.",
  },
} as const satisfies Readonly<Record<string, { readonly does: string; readonly text: string }>>;
