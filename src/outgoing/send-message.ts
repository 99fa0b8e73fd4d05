import { connect, type Socket } from "node:net";
import type { Channel } from "../domain/around/messages/channels.ts";
import {
  type HttpSettings,
  parseStatuses,
  type SmtpSettings,
} from "../domain/around/messages/channel-settings.ts";
import { httpMessage, type Outbound } from "../domain/around/messages/http-message.ts";
import type { Came } from "../domain/around/messages/booking.ts";
import { sendPush } from "./send-push.ts";
import { checkedAddress, errorWords, NotSent, outside, type Outside, request } from "./request.ts";

/** Most characters of an answer that are shown. */
const MOST_SHOWN = 300;
/** Longest mail, as a multiple of one timeout. */
const LONGEST_MAIL = 5;

/** Sends a message through a channel and returns the result; throws no error of the other side. */
export async function sendMessage(
  { channel, secrets }: { channel: Channel; secrets: Readonly<Record<string, string>> },
  message: Outbound,
  world: Outside = outside,
): Promise<Came> {
  const { settings, missing } = channel;
  if (missing.length > 0)
    return { kind: "down", reason: `its secret ${missing.join(", ")} is not set; set it first` };
  const allowLocal = channel.allowLocal === 1;
  const sending = { message, allowLocal };
  const came =
    settings.kind === "smtp"
      ? await sendMail(settings, secrets["password"], sending, world)
      : settings.kind === "push"
        ? await sendPush(message, world)
        : await sendRequest(settings, secrets, sending, world);
  // cut only after secrets are removed, which could leave a part of one
  return came.kind === "sent"
    ? came
    : { ...came, reason: withoutSecrets(came.reason, secrets).slice(0, MOST_SHOWN) };
}

/** An answer may repeat the request, so secrets are removed. */
function withoutSecrets(reason: string, secrets: Readonly<Record<string, string>>): string {
  let text = reason;
  for (const secret of Object.values(secrets))
    for (const form of secretForms(secret)) if (form !== "") text = text.replaceAll(form, "***");
  return text;
}

/** A secret as it occurs in a body, URL or header, and the part of its base64 that does not depend on its position, as in `user:password`. */
function secretForms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const within = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
    return text.slice(shift === 0 ? 0 : 4, Math.floor(((shift + bytes.length) * 8) / 24) * 4);
  });
  return [
    ...[secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)],
    // shorter parts are not specific
    ...within.filter((form) => form.length >= 8),
  ];
}

interface Sending {
  readonly message: Outbound;
  readonly allowLocal: boolean;
}

async function sendRequest(
  settings: HttpSettings,
  secrets: Readonly<Record<string, string>>,
  { message, allowLocal }: Sending,
  world: Outside,
): Promise<Came> {
  try {
    const answer = await request({ ...httpMessage(settings, secrets, message), allowLocal }, world);
    const { status, body, retryAfter } = answer;
    const reason = body.trim() === "" ? `it answered ${status}` : `it answered ${status}: ${body.trim()}`;
    if (parseStatuses(settings.success)?.(status))
      return matches(body, settings.match) ? { kind: "sent" } : { kind: "failed", reason };
    if (status === 429 || status === 503) return { kind: "down", reason, retryAfter };
    if (status === 401 || status === 403 || status === 407) return { kind: "down", reason };
    // a gateway may have passed it on
    if (status === 502 || status === 504) return { kind: "unknown", reason };
    if (status >= 400 && status < 500 && status !== 408) return { kind: "refused", reason };
    return { kind: "failed", reason };
  } catch (error) {
    if (!(error instanceof NotSent)) throw error;
    return { kind: error.isCertain ? "down" : "unknown", reason: error.message };
  }
}

/** Ignores whitespace between JSON tokens. */
function matches(body: string, match: string): boolean {
  const dense = (text: string) => text.replaceAll(/\s+/g, "");
  return match === "" || dense(body).includes(dense(match));
}

async function sendMail(
  settings: SmtpSettings,
  password: string | undefined,
  { message, allowLocal }: Sending,
  world: Outside,
): Promise<Came> {
  const { host, port, tls, user, from, replyTo } = settings;
  const until = AbortSignal.timeout(world.milliseconds);
  let address: string;
  try {
    address = await checkedAddress(host, allowLocal, world, until);
  } catch (error) {
    if (error instanceof NotSent) return { kind: "down", reason: error.message };
    throw error;
  }
  const { createTransport } = await import("nodemailer"); // who sends no mail need not load it
  let connection: Socket | undefined;
  const transport = createTransport({
    // the library's own socket could not be aborted
    getSocket: (_options: unknown, done: (error: Error | null, socket?: { connection: Socket }) => void) => {
      const socket = connect({ host: address, port, timeout: world.milliseconds });
      connection = socket;
      socket.once("timeout", () => socket.destroy(new Error("it did not answer in time")));
      socket.once("error", done);
      socket.once("connect", () => {
        socket.off("error", done);
        socket.setTimeout(0);
        done(null, { connection: socket });
      });
    },
    host: address,
    port,
    secure: tls === "implicit",
    requireTLS: tls === "starttls",
    ignoreTLS: tls === "none",
    tls: { servername: host, ...(world.ca !== undefined && { ca: world.ca }) },
    ...(user !== "" && { auth: { user, pass: password ?? "" } }),
    connectionTimeout: world.milliseconds,
    greetingTimeout: world.milliseconds,
    socketTimeout: world.milliseconds,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = /@([^>]+)>?$/.exec(from)?.[1] ?? "localhost";
  // each step has a timeout, and all together have one
  const inTime = AbortSignal.timeout(world.milliseconds * LONGEST_MAIL);
  const end = world.end ? AbortSignal.any([inTime, world.end]) : inTime;
  const late = new Promise<never>((_, reject) => {
    end.addEventListener("abort", () => reject(new Error("it was broken off")), { once: true });
  });
  try {
    const sent = transport.sendMail({
      from,
      ...(replyTo !== "" && { replyTo }),
      // an object, so that it is never parsed as a list
      to: { name: "", address: message.to },
      subject: message.subject,
      text: message.body,
      messageId: `<${message.id}@${domain}>`,
      headers: { "Auto-Submitted": "auto-generated", "Content-Language": message.language },
    });
    await Promise.race([sent, late]);
    return { kind: "sent" };
  } catch (error) {
    return end.aborted ? { kind: "unknown", reason: `${host}: it took too long` } : mailFailed(host, error);
  } finally {
    transport.close();
    connection?.destroy();
  }
}

/** The result of a refused mail: 5xx about the recipient is final, 4xx temporary, earlier errors are the server's; unknown once connected. */
function mailFailed(host: string, error: unknown): Came {
  const failure = error instanceof Error ? error : new Error(String(error));
  const text = (name: string) => String(Reflect.get(failure, name) ?? "");
  const status = Number(text("responseCode"));
  const answer = text("response");
  const reason = `${host}: ${answer === "" ? errorWords(failure, text("originalCode")) : answer}`;
  const isAboutMessage = /^(RCPT TO|DATA|API)/.test(text("command"));
  if (status === 421 || (status >= 400 && !isAboutMessage)) return { kind: "down", reason };
  if (status >= 500) return { kind: "refused", reason };
  if (status >= 400) return { kind: "failed", reason };
  const isCut = text("code") === "ECONNECTION" || text("timeoutType") === "SOCKET_TIMEOUT";
  return { kind: isAboutMessage || isCut ? "unknown" : "down", reason };
}
