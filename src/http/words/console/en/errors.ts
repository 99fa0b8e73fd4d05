const either = new Intl.ListFormat("en", { type: "disjunction" });

export const errors = {
  400: { title: "That was not done", text: "Go back and try once more." },
  403: {
    title: "This is not for you to do",
    text: "Your role does not let you. Ask an Admin for it.",
  },
  404: {
    title: "There is nothing here",
    text: "It was moved, or it is not among what you may see. Search for it above.",
  },
  429: { title: "Too much at once", text: "Wait a moment, then try again." },
  503: { title: "The appliance is busy", text: "Nothing was changed. Try again in a moment." },
  500: {
    title: "Something went wrong here",
    text: "It is in the log under this number; give it to whoever looks after the appliance.",
  },
  stale: "This form was open for too long, or is from another session. Nothing was changed; send it again.",
  home: "To Today",
  /** `does` follows "may". */
  lacks: (does: string | undefined) => `Your role does not let you ${does ?? "do this"}.`,
  askAdmin: "Ask an Admin for it.",
  ask: (admins: readonly string[]) => `Ask ${either.format(admins)}: an Admin can let your role do it.`,
  rolesThatMay: (roles: readonly string[]) => `Who has the role ${either.format(roles)} may do it, too.`,
  badFilter: "The list cannot be narrowed like that",
  without: "Show the list without it",
  wrong: (name: string, value: string | null, fault: string) =>
    `${name}${value ? `, “${value}”` : ""}: it ${fault}.`,
  /** By parameter; others without underscores. */
  names: {
    no_login_for: "Time without a login",
    expires_from: "Expires from",
    expires_to: "Expires until",
    owes: "Owes at least",
    box: "Box",
    from: "From",
    to: "Until",
    page: "Page",
    before: "Older than",
    entity: "What was changed",
    entity_id: "Which one was changed",
    status: "Status",
    line: "Line",
    package: "Package",
    area: "Area",
    router: "Router",
    sort: "Order",
    reason: "Reason",
    outcome: "Outcome",
    isp_id: "ISP",
  } as Readonly<Record<string, string>>,
};
