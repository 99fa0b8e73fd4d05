import { loginOf, type Target } from "../target.ts";
import type { Notes } from "../notes.ts";
import { basic, json } from "../raw-http.ts";

const VICTIM = 10;
const BRUTE = "127.7.0.1";
const ITS_HOME = "127.7.0.2";
const LOGIN = "/api/v1/subscriber/login";

/**
 * One source is stopped after its attempts, whatever it says about itself; the subscriber gets in from elsewhere meanwhile.
 * Returns the moment from which on the stopped source may try again.
 */
export async function attackLimits(target: Target, notes: Notes): Promise<number> {
  const guess = (password: string, extra: Record<string, string> = {}) => {
    const sent = json(LOGIN, { ...loginOf(VICTIM), password });
    return target.ask(BRUTE, "public", { ...sent, headers: { ...sent.headers, ...extra } });
  };
  const statuses: number[] = [];
  for (let i = 0; i < 8; i++)
    statuses.push(
      (await guess(`guess-${i}`, { "x-forwarded-for": `203.0.113.${i}`, forwarded: `for=203.0.113.${i}` }))
        .status,
    );
  notes.expect(
    statuses.slice(0, 5).every((status) => status === 401),
    `five guesses got ${statuses.slice(0, 5).join()}`,
  );
  notes.expect(
    statuses.slice(5).every((status) => status === 429),
    `the sixth guess of a minute got ${statuses.slice(5).join()}`,
  );
  const right = await guess(loginOf(VICTIM).password);
  const wait = Number(right.headers.get("retry-after"));
  notes.expect(
    right.status === 429 && wait >= 1 && wait <= 60,
    `a stopped source got ${right.status}, to wait ${wait} s`,
  );
  const elsewhere = await target.ask(ITS_HOME, "public", json(LOGIN, loginOf(VICTIM)));
  notes.expect(
    elsewhere.status === 200,
    `the right subscriber got ${elsewhere.status} while another guessed at its name`,
  );
  await basicFailures(target, notes);
  notes.figure(
    "guesses at one name from one source before it is stopped for a minute, with forged X-Forwarded-For",
    `${statuses.filter((status) => status === 401).length}`,
  );
  return performance.now() + wait * 1000;
}

/** Ten failures a minute at HTTP Basic. */
async function basicFailures(target: Target, notes: Notes): Promise<void> {
  const statuses: number[] = [];
  for (let i = 0; i < 12; i++) {
    const headers = basic("staff5", `guess-${i}`);
    statuses.push((await target.ask(BRUTE, "lan", { target: "/api/v1/role/list", headers })).status);
  }
  const isStopped =
    statuses.slice(0, 10).every((status) => status === 401) &&
    statuses.slice(10).every((status) => status === 429);
  notes.expect(isStopped, `twelve failures at HTTP Basic got ${statuses.join()}`);
}

/** A minute later the right password is enough at the source that was stopped. */
export async function expectForgiven(target: Target, notes: Notes, from: number): Promise<void> {
  await Bun.sleep(Math.max(0, from - performance.now()) + 500);
  const { status } = await target.ask(BRUTE, "public", json(LOGIN, loginOf(VICTIM)));
  notes.expect(status === 200, `the right password got ${status} a minute after the guesses`);
}
