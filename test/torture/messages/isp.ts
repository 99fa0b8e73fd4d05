import { authorization, dataSet } from "../../../scripts/bench.d/data-set.ts";
import type { Addresses } from "../../support/appliance.ts";
import { aSubscriber, DAY } from "../../support/isp.ts";
import { formatTime } from "../../../src/domain/core/time/time.ts";

export const SUBSCRIBERS = 60;
/** They want no text messages. */
export const NO_SMS = 3;
/** Seconds before the end of a service at which the reminder of it is due, and after which nobody wants to hear that it has ended. */
export const BEFORE = 3600;
export const LATE_BY = 600;

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Undefined: the server is gone. */
export async function call(
  { http }: Pick<Addresses, "http">,
  method: string,
  path: string,
  fields?: Record<string, string>,
): Promise<Answer | undefined> {
  try {
    const response = await fetch(`http://${http}/api/v1/${path}`, {
      method,
      headers: { authorization },
      ...(fields && { body: new URLSearchParams(fields) }),
    });
    return { status: response.status, body: await response.json() };
  } catch {
    return undefined;
  }
}

/** When the service of a subscriber ends: one after the other, from an hour after the start on. */
export const endOf = (id: number, { start, span }: { start: number; span: number }): number =>
  start + BEFORE + Math.floor((id * span) / SUBSCRIBERS);

/** In the import format: people who can be reached, whose services end within `span` seconds. */
export function anIsp(times: { start: number; span: number }): string {
  const data = JSON.parse(dataSet(0));
  data.subscribers = Array.from({ length: SUBSCRIBERS }, (_, index) => {
    const id = index + 1;
    return aSubscriber(id, {
      email: `user${id}@example.com`,
      mobile_number: `+447700${900_000 + id}`,
      sms_status: id <= NO_SMS ? 0 : 1,
      current_expiration_date: formatTime(endOf(id, times)),
    });
  });
  return JSON.stringify(data);
}

/** Channels, texts and rules: of each payment by mail, text message and push; of each service before its end and after it. */
export async function setUp(
  at: Addresses,
  { mail, web, perMinute = 6000 }: { mail: number; web: number; perMinute?: number },
): Promise<void> {
  const make = async (path: string, fields: Record<string, string>) => {
    const answer = await call(at, "POST", path, { isp_id: "1", ...fields });
    if (answer?.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  };
  const common = { allow_local: "1", per_minute: String(perMinute) };
  await make("channel/create", {
    ...common,
    name: "mail",
    kind: "smtp",
    address: "email",
    host: "127.0.0.1",
    port: String(mail),
    tls: "none",
    from: "Northlink <office@isp.example>",
  });
  for (const [name, more] of [
    ["sms", { is_sms: "1" }],
    ["push", { passes_id: "1" }],
  ] as const)
    await make("channel/create", {
      ...common,
      ...more,
      name,
      kind: "http",
      address: "mobile",
      url: `http://127.0.0.1:${web}/${name}`,
      body_kind: "json",
      body: '{"id": "{{id}}", "to": "{{to}}", "text": "{{body}}"}',
    });
  const texts = {
    receipt: "receipt {{number}} of {{username}}",
    ends: "ends {{username}}",
    ended: "ended {{username}}",
  };
  for (const [name, body] of Object.entries(texts))
    await make("message_template/save", { name, language: "en", subject: "Your line", body });
  for (const [index, name] of ["mail", "sms", "push"].entries())
    await make("message_rule/create", {
      name: `receipts by ${name}`,
      on: "event",
      event_type: "payment.received",
      audience: "subscriber",
      channel_id: String(index + 1),
      template: "receipt",
      late_by: String(30 * DAY),
    });
  await make("message_rule/create", {
    name: "ends",
    on: "expiry",
    offset: String(-BEFORE),
    audience: "subscriber",
    channel_id: "2",
    template: "ends",
    late_by: String(30 * DAY),
  });
  await make("message_rule/create", {
    name: "ended",
    on: "expiry",
    offset: "0",
    audience: "subscriber",
    channel_id: "1",
    template: "ended",
    late_by: String(LATE_BY),
  });
}
