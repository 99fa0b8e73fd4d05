import { RadiusClient } from "../../support/radius-client.ts";
import { ADMIN, loginOf, SECRET, type Target } from "../target.ts";
import { median, type Notes } from "../notes.ts";
import { basic, form, json, RawConnection, type Sent } from "../raw-http.ts";
import { drawing } from "../trial.ts";

/** Milliseconds of difference that a stranger could hear over a network. */
const AUDIBLE = 2;

/** Milliseconds; that an answer comes at all is what counts here. */
const PATIENCE = 20_000;

/**
 * How long a refusal takes for a name that nobody has, and for a wrong password: the one must not tell the other. Of a door that seems to tell
 * it is asked again, `tries` times in all: what is longer because the machine does other things is so by chance.
 */
export async function measureTiming(
  target: Target,
  notes: Notes,
  { rounds, gross, tries, seed }: { rounds: number; gross: number; tries: number; seed: number },
): Promise<void> {
  const draw = drawing(seed);
  const visit = await visitOf(target);
  const doors: Record<string, { listener: "lan" | "public"; sent: (name: string) => Sent }> = {
    "HTTP Basic": {
      listener: "lan",
      sent: (name) => ({ target: "/api/v1/role/list", headers: basic(name, "wrong") }),
    },
    "staff login": {
      listener: "lan",
      sent: (email) => json("/api/v1/users/login", { email, password: "wrong" }),
    },
    "subscriber login": {
      listener: "public",
      sent: (username) => json("/api/v1/subscriber/login", { username, password: "wrong" }),
    },
    portal: {
      listener: "public",
      sent: (username) =>
        form("/portal/sign-in", { username, password: "wrong", form_token: visit.token }, visit.cookie),
    },
  };
  let source = 0;
  for (const [door, { listener, sent }] of Object.entries(doors)) {
    const known = listener === "lan" ? ADMIN.username : loginOf(1).username;
    const measure = async (): Promise<Times> => {
      const times: Times = { known: [], unknown: [] };
      for (let round = 0; round < rounds; round++)
        for (const who of turns(draw)) {
          source += 1; // each from an address of its own, for the limit of attempts counts by it
          const from = `127.120.${source >> 8}.${source & 255}`;
          using connection = await RawConnection.open({ from, port: target[listener] });
          const request = sent(who === "known" ? known : `nobody-${Math.floor(draw() * 1e9)}`);
          const began = performance.now();
          const answer = await connection.ask(request);
          times[who].push(performance.now() - began);
          notes.expect(answer?.status === 401, `a wrong password at ${door} got ${answer?.status}`);
        }
      return times;
    };
    await judge(notes, measure, { door, gross, tries });
  }
  const measure = () => radius(target, notes, { rounds: rounds * 10, draw });
  await judge(notes, measure, { door: "RADIUS PAP", gross, tries });
}

type Who = "known" | "unknown";
type Times = Record<Who, number[]>;

function turns(draw: () => number): Who[] {
  return draw() < 0.5 ? ["known", "unknown"] : ["unknown", "known"];
}

async function radius(
  target: Target,
  notes: Notes,
  { rounds, draw }: { rounds: number; draw: () => number },
): Promise<Times> {
  const client = new RadiusClient({
    host: "127.0.0.1",
    port: target.auth,
    acctPort: target.acct,
    secret: SECRET,
  });
  const times: Times = { known: [], unknown: [] };
  for (let round = 0; round < rounds; round++)
    for (const who of turns(draw)) {
      const name = who === "known" ? loginOf(1).username : `nobody-${round}`;
      const began = performance.now();
      const reply = await client.access({ name, password: "wrong" }, PATIENCE);
      times[who].push(performance.now() - began);
      notes.expect(
        reply?.code === "Access-Reject",
        `a wrong password by RADIUS got ${reply?.code ?? "no answer"}`,
      );
    }
  await client.close();
  return times;
}

/** `gross`: how many times longer one of the two is when that is no accident. */
async function judge(
  notes: Notes,
  measure: () => Promise<Times>,
  { door, gross, tries }: { door: string; gross: number; tries: number },
): Promise<void> {
  let times = await measure();
  for (let nth = 1; nth < tries && isTold(times, gross); nth++) times = await measure();
  const figures = `${median(times.known).toFixed(2)} and ${median(times.unknown).toFixed(2)} ms`;
  notes.expect(!isTold(times, gross), `${door} tells by its time whether a name exists: ${figures}`);
  notes.figure(
    `${door}: wrong password and unknown name, medians of ${times.known.length} each in turns`,
    figures,
  );
}

function isTold(times: Times, gross: number): boolean {
  const [known, unknown] = [median(times.known), median(times.unknown)];
  const ratio = Math.max(known, unknown) / Math.max(0.001, Math.min(known, unknown));
  return ratio > gross && Math.abs(known - unknown) > AUDIBLE;
}

async function visitOf(target: Target): Promise<{ cookie: string; token: string }> {
  const { headers, body } = await target.ask("127.121.0.1", "public", { target: "/portal/sign-in" });
  return {
    cookie: /^[^;]+/.exec(headers.get("set-cookie") ?? "")?.[0] ?? "",
    token: /name="form_token" value="([^"]+)"/.exec(body)?.[1] ?? "",
  };
}
