import { basic, json, RawConnection, type Sent } from "../raw-http.ts";
import { drawing } from "../trial.ts";

export interface LoginOrder {
  readonly lan: number;
  readonly public: number;
  readonly attempts: number;
  /** At once, each from an address of its own. */
  readonly sources: number;
  /** After which it ends, however many there were. */
  readonly seconds: number;
  readonly seed: number;
  /** Names that exist. */
  readonly subscribers: readonly string[];
  readonly staff: readonly string[];
}

export interface LoginOutcome {
  readonly attempts: number;
  readonly seconds: number;
  /** Answers by status; "none" where the connection ended. */
  readonly statuses: Readonly<Record<string, number>>;
}

/** Guesses at passwords from many addresses, as fast as they are refused. */
export async function hostileLogins(order: LoginOrder): Promise<LoginOutcome> {
  const draw = drawing(order.seed);
  const statuses: Record<string, number> = {};
  const began = performance.now();
  let attempts = 0;
  const guessOn = async (source: number) => {
    const from = `127.1.${source >> 8}.${source & 255 || 1}`;
    const open = new Map<number, RawConnection>();
    while (attempts < order.attempts && performance.now() - began < order.seconds * 1000) {
      attempts += 1;
      const { port, sent } = guess(order, draw);
      const connection = open.get(port) ?? (await RawConnection.open({ port, from }));
      open.set(port, connection);
      const answer = await connection.ask(sent);
      const status = String(answer?.status ?? "none");
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (answer) continue;
      connection[Symbol.dispose]();
      open.delete(port);
    }
    for (const connection of open.values()) connection[Symbol.dispose]();
  };
  await Promise.all(Array.from({ length: order.sources }, (_, source) => guessOn(source)));
  return { attempts, seconds: (performance.now() - began) / 1000, statuses };
}

function guess(
  { lan, public: open, subscribers, staff }: LoginOrder,
  draw: () => number,
): { port: number; sent: Sent } {
  const one = <T>(of: readonly T[]) => of[Math.floor(draw() * of.length)];
  const password = `guess-${Math.floor(draw() * 1e9)}`;
  const dice = draw();
  if (dice < 0.4)
    return { port: open, sent: json("/api/v1/subscriber/login", { username: one(subscribers), password }) };
  if (dice < 0.6) {
    const username = `name-${Math.floor(draw() * 1e6)}`;
    return { port: open, sent: json("/api/v1/subscriber/login", { username, password }) };
  }
  if (dice < 0.8) {
    const path = dice < 0.7 ? "/api/v1/users/login" : "/api/auth-login";
    return { port: lan, sent: json(path, { email: one(staff), password }) };
  }
  return {
    port: lan,
    sent: { target: "/api/v1/subscriber/list", headers: basic(one(staff) ?? "", password) },
  };
}
