import { all, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { DomainError, type Faults, rejectFaults } from "../../core/errors/errors.ts";
import { phrase, type Phrase } from "../../core/errors/phrase.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import type { Subscriber } from "../../goods/subscribers/find.ts";
import { type Chosen, findTemplateFaults, fitsAnybody } from "./by-hand.ts";
import { listServices } from "../../people/push/devices.ts";
import { type AddressKind, isAddress, noAddress } from "./channel-fields.ts";
import { visible } from "./channels.ts";

export interface ByWhich {
  readonly id: number;
  readonly name: string;
  readonly address: AddressKind;
  readonly isSms: number;
  readonly perMinute: number;
  readonly isDown: number;
  readonly isOff: number;
  /** Whether it identifies the person without an address. */
  readonly namesPerson: number;
}

const selectChannels = `SELECT c.id, c.name, c.address, c.is_sms AS isSms, c.per_minute AS perMinute,
    c.down_since IS NOT NULL AS isDown, c.disabled_at IS NOT NULL AS isOff, replace(c.settings, ' ', '') LIKE '%{{username}}%' AS namesPerson
  FROM channels c`;

/** Throws `invalid`, `refused`. */
export function deliverable(
  db: Db,
  subscriber: Subscriber,
  { channelId, chosen }: { channelId: number; chosen: Chosen },
): { to: string; channel: ByWhich } {
  const { id: subscriberId, ispId, archivedAt } = subscriber;
  const channel = db.$client
    .query<ByWhich, [number, number]>(
      `${selectChannels} WHERE c.id = ? AND (c.isp_id = ? OR c.isp_id IS NULL)`,
    )
    .get(channelId, ispId);
  const faults: Faults = {};
  if (!channel) faults["channel_id"] = [phrase`is no channel of this ISP`];
  else if (leadsElsewhere(channel)) faults["channel_id"] = [phrase`leads to one place, and to no subscriber`];
  if (chosen.own === null) findTemplateFaults(db, { ispId, name: chosen.template }, faults);
  rejectFaults(faults);
  if (!channel) throw new Error("a channel that is not there has a fault");
  if (channel.isOff === 1)
    throw new DomainError(
      "refused",
      phrase`the channel ${channel.name} is off; take another, or switch it on`,
      {
        code: "channel_off",
      },
    );
  if (archivedAt !== null)
    throw new DomainError("refused", phrase`the subscriber left; bring it back first`, {
      code: "subscriber_archived",
    });
  const to = {
    email: subscriber.email,
    mobile: subscriber.mobileNumber,
    none: "",
    device: listServices(db, { subscriberId, staffId: null }),
  }[channel.address];
  if (to === null || !isAddress(channel.address, to))
    throw new DomainError("refused", noAddress(channel.address), { code: "no_address" });
  return { to, channel };
}

/** Why somebody gets none by SMS. */
export const NO_SMS = phrase`the subscriber gets no text messages`;

/** Why somebody does not want the message; null: wanted. */
export function unwanted({ messagesOff, smsStatus }: Subscriber, { isSms }: ByWhich): Phrase | null {
  if (messagesOff === 1) return phrase`the subscriber does not want messages`;
  return isSms === 1 && smsStatus === 0 ? NO_SMS : null;
}

const leadsElsewhere = ({ address, namesPerson }: ByWhich) => address === "none" && namesPerson === 0;

/** A channel's name and no more, for who may write. */
export interface ChannelChoice {
  readonly id: number;
  readonly name: string;
  readonly address: AddressKind;
  readonly isSms: boolean;
  readonly perMinute: number;
  readonly isDown: boolean;
}

/** Channels and templates of one ISP, where several are visible. */
export function messageChoices(
  db: Db,
  by: Actor,
  { ispId = by.scope.ispId }: { ispId?: number | null } = {},
): { channels: ChannelChoice[]; templates: string[] } {
  permit(by, "messageChoices");
  const scope = by.scope.ispId === null ? { ...by.scope, ispId } : by.scope;
  const own = all(visible(scope), { text: "c.disabled_at IS NULL", values: [] });
  const channels = db.$client
    .query<ByWhich, Value[]>(`${selectChannels} WHERE ${own.text} ORDER BY c.id`)
    .all(...own.values)
    .filter((channel) => !leadsElsewhere(channel))
    .map(({ id, name, address, isSms, perMinute, isDown }) => {
      return { id, name, address, isSms: isSms === 1, perMinute, isDown: isDown === 1 };
    });
  return { channels, templates: listTemplateNames(db, scope.ispId) };
}

function listTemplateNames({ $client }: Db, ispId: number | null): string[] {
  const { text, values } = all(equal("t.isp_id", ispId));
  const rows = $client
    .query<{ name: string; subject: string; body: string }, Value[]>(
      `SELECT t.name, t.subject, t.body FROM message_templates t WHERE ${text} ORDER BY t.name`,
    )
    .all(...values);
  const unfit = new Set(rows.filter((row) => !fitsAnybody(row)).map(({ name }) => name));
  return [...new Set(rows.map(({ name }) => name))].filter((name) => !unfit.has(name));
}
