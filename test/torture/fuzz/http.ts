import { openTarget, type Target } from "../target.ts";
import { type Dice, mutateBytes } from "../mutate.ts";
import { type Notes, format } from "../notes.ts";
import { RawConnection } from "../raw-http.ts";

/** Each is refused, whatever else the request says. */
const NO_HOSTS = [
  "a/",
  "a:b",
  "[zz]",
  "[::1",
  "256.1.1.1",
  "xn--a",
  "",
  " ",
  "a b",
  "u@h",
  "a?b",
  "a#b",
  "a\\b",
].concat(["é", "a:99999", ":80", "x/portal", "http://isp", "isp/../portal", "a, b"]);
const HOSTS = ["isp.example", "gw", "127.0.0.1:8080", "[::1]:8080", "ISP.example."];
const METHODS = ["GET", "GET", "GET", "HEAD", "POST", "DELETE", "OPTIONS", "CONNECT", "get", "PROPFIND"];
const TARGETS = [
  "/",
  "/healthz",
  "/portal",
  "/portal:xx/healthz",
  "/portal/sign-in?done=everywhere",
  "/portal/invoices/1",
  "/portal/brand/1/logo",
  "/api/v1/users/profile",
  "/api/v1/subscriber/list?limit=1",
  "/mobile-auto-login",
  "http://isp.example/healthz",
  "http://a:b/healthz",
  "//isp/healthz",
  "/%zz/%ff",
  "/:8/healthz",
  "*",
  "isp.example:443",
];
/** Rounds that are made however short the time is, so that every kind of refusal is among them. */
const LEAST = 300;
const VERSIONS = ["1.1", "1.1", "1.1", "1.0"];

/** Request lines and Hosts, to the executable, at each of its listeners: an answer below 500 or none, never its inside. */
export async function fuzzHttp(notes: Notes, dice: Dice, { until }: { until: number }): Promise<void> {
  const share = until - performance.now();
  await using target = await openTarget({ GATEHOUSE_WALLED_LISTEN: "127.0.0.1:0" }, 1);
  const ports = [target.lan, target.public, target.walled];
  const end = performance.now() + share;
  let rounds = 0;
  for (; rounds < LEAST || performance.now() < end; rounds++) {
    const host = dice.below(2) === 0 ? dice.one(NO_HOSTS) : dice.one(HOSTS);
    const line = `${dice.one(METHODS)} ${dice.one(TARGETS)} HTTP/${dice.one(VERSIONS)}`;
    const plain = Buffer.from(`${line}\r\nHost: ${host}\r\n`);
    const isChanged = dice.below(3) === 0;
    const head = isChanged
      ? mutateBytes(plain, Buffer.from(`GET ${host} HTTP/1.1\r\nHost: /:@`), dice)
      : plain;
    const found = await judge(dice.one(ports), head, !isChanged && NO_HOSTS.includes(host));
    if (found !== undefined) notes.fault(`${JSON.stringify(head.toString("latin1"))} ${found}`);
  }
  await judgeEnd(target, notes);
  notes.figure(
    "request lines and Hosts, one of three changed, at three listeners: answered below 500, or not at all",
    format(rounds),
  );
}

const INSIDE = /node_modules|\.tsx?:\d|TypeError|ERR_INVALID|\$bunfs/;

/** What is wrong with the answer to a head, if anything. */
async function judge(port: number, head: Buffer, isRefused: boolean): Promise<string | undefined> {
  using connection = await RawConnection.open({ port, from: "127.7.0.1" });
  connection.socket.write(Buffer.concat([head, Buffer.from("Connection: close\r\n\r\n")]));
  connection.socket.end();
  const method = head.subarray(0, 5).toString() === "HEAD " ? "HEAD" : "GET";
  const answer = await connection.answer(method);
  if (!answer) return undefined;
  const { status, body } = answer;
  if (status >= 500 && status !== 505) return `got ${status}`;
  if (isRefused && status !== 400) return `got ${status} in spite of its Host`;
  return INSIDE.test(body) ? `got something inner: ${body.slice(0, 200)}` : undefined;
}

/** Nothing of it is a line of the log, all of it was counted, and the server ends as it should. */
async function judgeEnd(target: Target, notes: Notes): Promise<void> {
  const { appliance } = target;
  const { body } = await target.ask("127.7.0.2", "lan", {
    target: "/metrics",
    headers: { host: "127.0.0.1" },
  });
  notes.expect(/gatehouse_http_[^\n]*route="none"[^\n]*status="400"/.test(body), "refusals are not counted");
  const code = await appliance.stop();
  notes.expect(code === 0, `the server ended with ${code} after strange requests`);
  for (const line of appliance.log.trimEnd().split("\n")) {
    notes.expect(line.startsWith('{"'), `the server printed ${line.slice(0, 200)}`);
    notes.expect(!line.includes('"level":"error"'), `the log has an error: ${line.slice(0, 300)}`);
  }
}
