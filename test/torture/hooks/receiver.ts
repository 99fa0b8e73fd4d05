import { Webhook } from "standardwebhooks";
import { drawing } from "../trial.ts";

/*
 * A program that hears of events, as somebody else would write it: it verifies, remembers ids, and tells what it took by standard output. Told on
 * standard input which secret it has and how it behaves.
 */

export interface Order {
  readonly secret?: string;
  /** `away`: nothing listens; `moody`: some calls are refused, cut or late; `calm`: each is taken. */
  readonly mode: "away" | "moody" | "calm";
}

/** One call, as it came. `taken`: it was answered 2xx. */
export interface Call {
  readonly id: string;
  readonly type: string;
  readonly subscriber: number | null;
  readonly seq: number | null;
  readonly taken: boolean;
  readonly fault?: string;
}

const LATE = 60;

if (import.meta.main) serve(Number(process.argv[2]), Number(process.argv[3]));

function serve(port: number, seed: number): void {
  const draw = drawing(seed);
  let order: Order = { mode: "calm" };
  let webhook: Webhook | undefined;
  const send = (what: object) => void process.stdout.write(`${JSON.stringify(what)}\n`);
  const answer = async (request: Request): Promise<Response> => {
    const text = await request.text();
    const headers = Object.fromEntries(request.headers);
    const { type, data } = JSON.parse(text);
    const call = {
      id: headers["webhook-id"] ?? "",
      type,
      subscriber: data.subscriber?.id ?? null,
      seq: data.seq ?? null,
    };
    try {
      webhook?.verify(text, headers);
    } catch (error) {
      send({ ...call, taken: false, fault: String(error) });
      return new Response("", { status: 401 });
    }
    const mood = order.mode === "moody" ? draw() : 1;
    if (mood < 0.05) {
      send({ ...call, taken: false });
      return new Response("", { status: 500 });
    }
    if (mood < 0.2) await Bun.sleep(draw() * LATE);
    send({ ...call, taken: true });
    // whoever called may be gone before it hears of it
    if (mood > 0.6 && mood < 1) await Bun.sleep(draw() * LATE);
    return new Response("ok");
  };
  const listen = (at: number) => Bun.serve({ hostname: "127.0.0.1", port: at, fetch: answer });
  let server: ReturnType<typeof listen> | undefined = listen(port);
  const own = server.port ?? 0;
  send({ port: own });
  const follow = async () => {
    for await (const line of console) {
      if (line === "") continue;
      order = JSON.parse(line);
      if (order.secret !== undefined) webhook = new Webhook(order.secret);
      if (order.mode === "away") {
        await server?.stop(true);
        server = undefined;
      } else server ??= listen(own);
      send({ did: order.mode });
    }
    process.exit(0);
  };
  void follow();
}
