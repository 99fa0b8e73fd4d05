import type { Came } from "../domain/around/messages/booking.ts";
import type { Outbound, PushPart } from "../domain/around/messages/http-message.ts";
import type { PushTarget } from "../domain/people/push/devices.ts";
import { NotSent, type Outside, request } from "./request.ts";

/** Seconds that a push service keeps it for a device that is off. */
const TTL = 86_400;
/** Most characters. */
const LONGEST_TITLE = 100;
const LONGEST_BODY = 900;
/** Bytes of either at the most: with all else they fit into the 3993 that 4096 sealed ones hold, as every push service takes (RFC 8291, 4). */
const MOST_BYTES = 3200;

type Outcome = Exclude<Came, { kind: "down" }>;

/** Shows a message in the browsers of whom it is for: it is sent once one of them has it. The library encrypts and signs, and sends nothing. */
export async function sendPush(message: Outbound, world: Outside): Promise<Came> {
  const { push } = message;
  if (!push || push.targets.length === 0)
    return { kind: "refused", reason: "no device takes notifications any more" };
  const outcomes = await Promise.all(push.targets.map((target) => sendTo(target, push, message, world)));
  const gone = outcomes.flatMap((one) => one.gone ?? []);
  const byKind = (kind: Outcome["kind"]) => outcomes.find((one) => one.kind === kind && !one.gone);
  const best = byKind("sent") ?? byKind("failed") ?? byKind("unknown") ?? byKind("refused") ?? outcomes[0];
  return { ...(best ?? { kind: "sent" }), gone };
}

async function sendTo(
  { id, endpoint, site, p256dh, auth }: PushTarget,
  { keys, opens }: PushPart,
  message: Outbound,
  world: Outside,
): Promise<Outcome> {
  const { buildPushPayload } = await import("@block65/webcrypto-web-push"); // who sends none need not load it
  const subscription = { endpoint, expirationTime: null, keys: { p256dh, auth } };
  const topic = message.id.replace(/^msg_/, "").slice(0, 32); // one that waits is replaced, not shown twice
  const { headers, body } = await buildPushPayload(
    { data: shown(message, opens), options: { ttl: TTL, urgency: "normal", topic } },
    subscription,
    { ...keys, subject: site },
  );
  try {
    const call = { method: "POST", url: endpoint, headers, body, allowLocal: false };
    const { status, body: answer } = await request(call, world);
    if (status >= 200 && status < 300) return { kind: "sent" };
    const said = answer.trim();
    const reason = `${new URL(endpoint).host} answered ${status}${said === "" ? "" : `: ${said}`}`;
    if (status === 404 || status === 410) return { kind: "refused", reason, gone: [id] };
    return { kind: status >= 400 && status < 500 && status !== 429 ? "refused" : "failed", reason };
  } catch (error) {
    if (!(error instanceof NotSent)) throw error;
    return { kind: error.isCertain ? "failed" : "unknown", reason: error.message };
  }
}

/** What the worker of a page shows; an app of the ISP's reads the same. */
function shown({ id, subject, body, language }: Outbound, opens: string) {
  const [first = "", ...rest] = body.split("\n");
  const [title, text] = subject === "" ? [first, rest.join("\n")] : [subject, body];
  return { id, title: cut(title, LONGEST_TITLE), body: cut(text, LONGEST_BODY), language, opens };
}

function cut(text: string, most: number): string {
  const signs = [...text];
  let bytes = 0;
  const end = signs.findIndex((sign, at) => {
    bytes += Buffer.byteLength(JSON.stringify(sign)) - '""'.length;
    return at >= most || bytes > MOST_BYTES;
  });
  return end === -1 ? text : `${signs.slice(0, end - 1).join("")}…`;
}
