import { type Channel, channelById } from "../../../../domain/around/messages/channels.ts";
import { type Preset, presets } from "../../../../domain/around/messages/presets.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { phrase } from "../../../../domain/core/errors/phrase.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { pathId } from "../../../form.ts";
import type { StaffVisit } from "../../guard.ts";
import { messagePages } from "../../parts/messages-frame.tsx";

export const CHANNELS = messagePages.channels;
export const channelHref = ({ id }: Pick<Channel, "id">) => `${CHANNELS}/${id}`;

export function readChannel({ db, by, params }: StaffVisit): Channel {
  return channelById(db, by, { id: pathId("channel", params["id"] ?? null) });
}

/** A preset, or one of the two that are filled in by hand. */
export type Start = Omit<Preset, "key"> & { readonly key: string };

export function listPresets({ view }: StaffVisit): readonly Start[] {
  const { smtp, own } = view.words.messageChannels;
  const { channels } = view.words.told;
  const base = { per_minute: 60, is_sms: 0 };
  return [
    {
      key: "smtp",
      ...smtp,
      secrets: {},
      channel: { ...base, name: "Mail", kind: "smtp", address: "email", tls: "starttls", port: 587 },
    },
    ...presets.map((preset) => Object.assign({ ...preset }, channels[preset.key])),
    {
      key: "own",
      ...own,
      secrets: {},
      channel: {
        ...base,
        kind: "http",
        address: "mobile",
        method: "POST",
        body_kind: "json",
        success: "2xx",
        body: '{\n  "to": "{{digits}}",\n  "text": "{{body}}"\n}',
      },
    },
  ];
}

export function readPreset(visit: StaffVisit): Start {
  const key = visit.params["preset"];
  const start = listPresets(visit).find((one) => one.key === key);
  if (!start) throw new DomainError("not_found", phrase`there is no such service to begin with`);
  return start;
}

const places = ["url", "headers", "body"] as const;

/** Placeholders in capitals, which have labels. */
export function findPlaceholders({ channel }: Start, words: Readonly<Record<string, string>>): string[] {
  const all = places.map((name) => String(channel[name] ?? "")).join("\n");
  return Object.keys(words).filter((fill) => wholeWord(fill).test(all));
}

const wholeWord = (fill: string) => new RegExp(`(?<![A-Z_])${fill}(?![A-Z_])`, "g");

/** The fields with placeholders replaced, escaped for their place. */
export function filledIn(input: Input, fills: readonly (readonly [name: string, value: string])[]): Input {
  const filled: Record<string, Input[string]> = { ...input };
  for (const place of places) {
    const before = filled[place];
    if (typeof before !== "string") continue;
    filled[place] = fills.reduce((text, [name, value]) => {
      if (value === "") return text;
      const escaped =
        place === "url"
          ? encodeURIComponent(value)
          : place === "body" && input["body_kind"] === "json"
            ? JSON.stringify(value).slice(1, -1)
            : value;
      return text.replaceAll(wholeWord(name), () => escaped);
    }, before);
  }
  return filled;
}
