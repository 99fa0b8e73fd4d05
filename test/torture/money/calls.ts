import { type Clerk, PACKAGES, sellerOf, SUBSCRIBERS } from "./office.ts";

export type Kind =
  | "take"
  | "refund"
  | "reverse"
  | "adjust"
  | "activate"
  | "extend"
  | "void"
  | "close"
  | "confirm"
  | "freeze"
  | "thaw"
  | "update";

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** One thing that somebody wants done, however often it has to be sent. */
export interface Call {
  readonly kind: Kind;
  readonly by: Clerk;
  /** Its Idempotency-Key, and what it is found by in the books: note, reason or reference. */
  readonly tag: string;
  /** Whether it is sent with a key: calls that move no money have none. */
  readonly isKeyed: boolean;
  readonly path: string;
  readonly body: Readonly<Record<string, string>>;
  /** The life of the server in which it was sent first. */
  readonly life: number;
  /** Undefined as long as none has come. */
  answer: Answer | undefined;
}

const paths: Record<Kind, string> = {
  take: "payment/take",
  refund: "payment/refund",
  reverse: "payment/reverse",
  adjust: "wallet/adjust",
  activate: "activation/activate",
  extend: "activation/extend",
  void: "invoice/void",
  close: "closing/close",
  confirm: "closing/confirm",
  freeze: "subscriber/freeze",
  thaw: "subscriber/thaw",
  update: "subscriber/update",
};
const unkeyed = new Set<Kind>(["confirm", "freeze", "thaw", "update"]);

/** How often each is done. */
const weights: readonly (readonly [Kind, number])[] = [
  ["take", 34],
  ["reverse", 10],
  ["activate", 20],
  ["refund", 6],
  ["adjust", 10],
  ["void", 8],
  ["extend", 8],
  ["close", 4],
  ["confirm", 3],
  ["freeze", 4],
  ["thaw", 8],
  ["update", 2],
];
const managing = new Set<Kind>(["adjust", "extend", "confirm", "freeze", "thaw", "update"]);

function mayDo({ profileType, role }: Clerk, kind: Kind): boolean {
  if (profileType === 1 || role === 2) return true;
  return !managing.has(kind) && (kind === "void" ? role === 1 : kind !== "close" || role === 3);
}

/** The highest ids, as far as they are known. */
export interface Newest {
  payments: number;
  invoices: number;
  closings: number;
}

interface Drawn {
  readonly tag: string;
  readonly by: Clerk;
  readonly newest: Newest;
  readonly draw: () => number;
}

/** What somebody does next. */
export function aCall(at: Drawn, life: number): Call {
  const { tag, by, draw } = at;
  // now and then what is refused
  const kinds = draw() < 0.05 ? weights : weights.filter(([kind]) => mayDo(by, kind));
  const kind = kindOf(draw, kinds);
  return {
    kind,
    by,
    tag,
    life,
    answer: undefined,
    path: `/api/v1/${paths[kind]}`,
    isKeyed: !unkeyed.has(kind),
    body: bodies[kind](at),
  };
}

function kindOf(draw: () => number, kinds: typeof weights): Kind {
  let left = draw() * kinds.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [kind, weight] of kinds) {
    left -= weight;
    if (left < 0) return kind;
  }
  return "take";
}

const below = (draw: () => number, count: number) => Math.floor(draw() * count);
const one = <T>(draw: () => number, of: readonly T[]) => of[below(draw, of.length)] as T;
const flag = (draw: () => number, chance: number) => (draw() < chance ? "1" : "0");
const everybody = Array.from({ length: SUBSCRIBERS }, (_, index) => index + 1);

/** A Reseller's own, most often. */
function aSubscriber({ by, draw }: Drawn): { user_id: string } {
  const own = everybody.filter((id) => by.profileType !== 3 || sellerOf(id) === by.id);
  return { user_id: String(one(draw, draw() < 0.05 ? everybody : own)) };
}

const aPackage = ({ draw }: Drawn) => ({ package_id: String(one(draw, PACKAGES)) });

/** Often what something costs, so that it is settled as a whole. */
function anAmount({ draw }: Drawn): { amount: string } {
  const minor = draw() < 0.5 ? one(draw, [2200, 2000, 3000, 333]) : 1 + below(draw, 5000);
  return { amount: (minor / 100).toFixed(2) };
}

const aMethod = ({ draw }: Drawn) => ({ method: one(draw, ["cash", "cash", "bank", "mobile"]) });

/** One of the newest rows, which may not be there yet. */
function recent({ newest, draw }: Drawn, of: keyof Newest): string {
  return String(Math.max(1, newest[of] - Math.floor(draw() ** 2 * 25)));
}

/** A reference is new, was taken perhaps, or is none. */
function aReference({ draw, tag }: Drawn): Record<string, string> {
  if (draw() < 0.3) return {};
  return { reference: draw() < 0.1 ? `Again ${below(draw, 5)}` : `T-${tag}` };
}

/** Whose wallet: a Reseller's now and then, where the caller may. */
function aWallet(drawn: Drawn): Record<string, string> {
  const { by, draw } = drawn;
  const mayTopUp = by.profileType === 1 || by.role === 2;
  return mayTopUp && draw() < 0.35 ? { staff_id: one(draw, ["2", "3"]) } : aSubscriber(drawn);
}

const bodies: Record<Kind, (drawn: Drawn) => Record<string, string>> = {
  take: (drawn) => {
    const wallet = aWallet(drawn);
    const taken = { ...wallet, ...anAmount(drawn), ...aMethod(drawn), ...aReference(drawn), note: drawn.tag };
    if ("staff_id" in wallet || drawn.draw() < 0.4) return taken;
    const choice = drawn.draw() < 0.5 ? aPackage(drawn) : {};
    return { ...taken, activate: "1", keep: flag(drawn.draw, 0.5), ...choice };
  },
  refund: (drawn) => ({
    ...aWallet(drawn),
    ...anAmount(drawn),
    ...aMethod(drawn),
    ...aReference(drawn),
    note: drawn.tag,
  }),
  reverse: (drawn) => ({ id: recent(drawn, "payments"), reason: drawn.tag, void: flag(drawn.draw, 0.4) }),
  adjust: (drawn) => ({
    ...aWallet(drawn),
    ...anAmount(drawn),
    direction: drawn.draw() < 0.5 ? "up" : "down",
    reason: drawn.tag,
  }),
  activate: (drawn) => ({
    ...aSubscriber(drawn),
    ...aPackage(drawn),
    ...(drawn.draw() < 0.6 && { credit_unused: "1" }),
  }),
  extend: (drawn) => ({
    ...aSubscriber(drawn),
    hours: String(1 + below(drawn.draw, 30)),
    reason: drawn.tag,
    trust: flag(drawn.draw, 0.4),
  }),
  void: (drawn) => ({
    invoice_id: recent(drawn, "invoices"),
    reason: drawn.tag,
    end_service: flag(drawn.draw, 0.6),
  }),
  close: (drawn) => ({ counted: (below(drawn.draw, 50_000) / 100).toFixed(2), note: drawn.tag }),
  confirm: (drawn) => ({ id: recent(drawn, "closings") }),
  freeze: aSubscriber,
  thaw: aSubscriber,
  update: (drawn) => ({
    username: `user${1 + below(drawn.draw, SUBSCRIBERS)}`,
    auto_renew: flag(drawn.draw, 0.7),
  }),
};
