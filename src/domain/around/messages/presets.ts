import type { Input } from "../../core/fields/fields.ts";

export interface Preset {
  readonly key: PresetKey;
  readonly name: string;
  /** A sentence or two. */
  readonly says: string;
  readonly secrets: Readonly<Record<string, string>>;
  readonly channel: Input;
}

export type PresetKey =
  "push" | "sms_get" | "sms_post" | "twilio" | "africastalking" | "whatsapp" | "telegram" | "ntfy";

const json = { kind: "http", method: "POST", body_kind: "json", success: "2xx" } as const;

export const presets: readonly Preset[] = [
  {
    key: "push",
    name: "Notifications in the app",
    says: "Shown by the phone or computer of whoever asked for it: subscribers in the portal’s settings, staff under My account. It costs nothing and needs the portal’s certificate.",
    secrets: {},
    channel: { name: "Notifications", kind: "push", address: "device", is_sms: 0, per_minute: 600 },
  },
  {
    key: "sms_get",
    name: "SMS gateway, GET",
    says: "For gateways that take everything in the address. The names of the parameters stand in its documentation.",
    secrets: { key: "The key or the password of the gateway" },
    channel: {
      name: "SMS",
      kind: "http",
      address: "mobile",
      is_sms: 1,
      per_minute: 60,
      method: "GET",
      url: "https://GATEWAY.example/send?key={{secret.key}}&from=SENDER&to={{digits}}&text={{body}}",
      body_kind: "none",
      success: "200",
    },
  },
  {
    key: "sms_post",
    name: "SMS gateway, POST",
    says: "For gateways that take a form. The names of the fields stand in its documentation.",
    secrets: { key: "The key or the password of the gateway" },
    channel: {
      name: "SMS",
      kind: "http",
      address: "mobile",
      is_sms: 1,
      per_minute: 60,
      method: "POST",
      url: "https://GATEWAY.example/send",
      headers: "Authorization: Bearer {{secret.key}}",
      body_kind: "form",
      body: "from=SENDER\nto={{digits}}\ntext={{body}}",
      success: "2xx",
    },
  },
  {
    key: "twilio",
    name: "Twilio",
    says: "Numbers have to be stored with + and the code of the country. Without a number of its own, From is the name that Twilio gave you.",
    secrets: { token: "The Auth Token of the account, in Twilio’s console" },
    channel: {
      name: "Twilio",
      kind: "http",
      address: "mobile",
      is_sms: 1,
      per_minute: 60,
      method: "POST",
      url: "https://api.twilio.com/2010-04-01/Accounts/ACCOUNT_SID/Messages.json",
      headers: "Authorization: Basic ACCOUNT_SID:{{secret.token}}",
      body_kind: "form",
      body: "From=NUMBER\nTo={{to}}\nBody={{body}}",
      success: "201",
      match: '"sid"',
    },
  },
  {
    key: "africastalking",
    name: "Africa’s Talking",
    says: "Numbers have to be stored with + and the code of the country. The answer says of each number whether it was taken: 100 to 102.",
    secrets: { api_key: "The API key of the app, in its settings" },
    channel: {
      name: "Africa’s Talking",
      kind: "http",
      address: "mobile",
      is_sms: 1,
      per_minute: 60,
      method: "POST",
      url: "https://api.africastalking.com/version1/messaging",
      headers: "apiKey: {{secret.api_key}}\nAccept: application/json",
      body_kind: "form",
      body: "username=USERNAME\nto={{to}}\nmessage={{body}}",
      success: "200, 201",
      match: '"statusCode":10',
    },
  },
  {
    key: "whatsapp",
    name: "WhatsApp Cloud API",
    says: "WhatsApp lets a business begin with approved templates alone: have one approved of the category Utility with the single parameter {{1}} in its body, and give its name and language here.",
    secrets: { token: "The permanent access token of a system user, with whatsapp_business_messaging" },
    channel: {
      ...json,
      name: "WhatsApp",
      address: "mobile",
      is_sms: 0,
      per_minute: 60,
      url: "https://graph.facebook.com/v23.0/PHONE_NUMBER_ID/messages",
      headers: "Authorization: Bearer {{secret.token}}",
      body: JSON.stringify(
        {
          messaging_product: "whatsapp",
          recipient_type: "individual",
          to: "{{digits}}",
          type: "template",
          template: {
            name: "TEMPLATE",
            language: { code: "en" },
            components: [{ type: "body", parameters: [{ type: "text", text: "{{line}}" }] }],
          },
        },
        null,
        2,
      ),
      match: '"wamid.',
    },
  },
  {
    key: "telegram",
    name: "Telegram",
    says: "For staff: one message to a chat or a group that the bot is in. A subscriber’s number is no chat, so that a bot cannot write to it.",
    secrets: { token: "What @BotFather answered when the bot was made" },
    channel: {
      ...json,
      name: "Telegram",
      address: "none",
      is_sms: 0,
      per_minute: 20,
      url: "https://api.telegram.org/bot{{secret.token}}/sendMessage",
      body: JSON.stringify({ chat_id: "CHAT_ID", text: "{{body}}" }, null, 2),
      success: "200",
      match: '"ok":true',
    },
  },
  {
    key: "ntfy",
    name: "ntfy",
    says: "For staff: whoever knows the topic hears of it, so choose one that nobody guesses, or one that needs a token.",
    secrets: { token: "An access token that may write to the topic" },
    channel: {
      name: "ntfy",
      kind: "http",
      address: "none",
      is_sms: 0,
      per_minute: 20,
      method: "POST",
      url: "https://ntfy.sh/TOPIC",
      headers: "Authorization: Bearer {{secret.token}}\nTitle: {{subject}}",
      body_kind: "text",
      body: "{{body}}",
      success: "200",
      match: '"event":"message"',
    },
  },
];
