import { randomBytes } from "node:crypto";
import { insert } from "../../../../db/insert.ts";
import { type Db, type Tx, write } from "../../../../db/open.ts";
import { messages } from "../../../../db/schema.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError, type Faults, rejectFaults } from "../../core/errors/errors.ts";
import { type Input, readFields } from "../../core/fields/fields.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { subscriberById } from "../../goods/subscribers/find.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type Chosen, periodByHand, readChosen, sealWords, wordsForm, writeForm } from "./by-hand.ts";
import { deliverable, unwanted } from "./by-which.ts";
import { renderedFor, type Rendered } from "./render.ts";
import { smsParts } from "./sms-length.ts";

interface At {
  readonly now: Seconds;
}

export interface Written {
  readonly messageId: number;
  readonly channel: string;
  readonly perMinute: number;
  readonly ahead: number;
  readonly dueAt: Seconds;
  /** The channel is failing. */
  readonly isDown: boolean;
}

export interface Preview extends Rendered {
  readonly to: string;
  readonly isSms: boolean;
  readonly characters: number;
  readonly parts: number;
  /** null: wanted. */
  readonly unwanted: string | null;
}

/**
 * Fields are filled in when it leaves. Throws `not_found`, `invalid` with every fault, `refused` without address, by a disabled
 * channel, or for an opt-out (but `anyway`).
 */
export function writeMessage(db: Db, by: Actor, { input }: { input: Input }, { now }: At): Written {
  permit(by, "writeMessage");
  const { subscriberId, ...letter } = readLetter(input, now);
  return write(db, (tx) => {
    const { id, channel, dueAt } = post(tx, by, { ...letter, subscriberId }, { now });
    const { count } = tx.$client
      .query<{ count: number }, [number, Seconds, number]>(
        "SELECT count(*) AS count FROM messages WHERE channel_id = ? AND state = 'waiting' AND next_at <= ? AND id <> ?",
      )
      .get(channel.id, dueAt, id) ?? { count: 0 };
    const { name, perMinute, isDown } = channel;
    return { messageId: id, channel: name, perMinute, ahead: count, dueAt, isDown: isDown === 1 };
  });
}

/** Writes nothing. Throws as `writeMessage`, but for opt-outs. */
export function previewMessage(db: Db, by: Actor, { input }: { input: Input }, { now }: At): Preview {
  permit(by, "previewMessage");
  const letter = readLetter(input, now);
  const subscriber = subscriberById(db, by.scope, letter.subscriberId);
  const { to, channel } = deliverable(db, subscriber, letter);
  const { ispId, id: subscriberId } = subscriber;
  const rendered = renderedFor(db, letter.chosen, { ispId, subscriberId }, now);
  if (!rendered) throw new Error("a text is gone that was there");
  return {
    ...rendered,
    to,
    isSms: channel.isSms === 1,
    characters: [...rendered.body].length,
    parts: smsParts(rendered.body),
    unwanted: unwanted(subscriber, channel)?.toString() ?? null,
  };
}

export function requireWords(input: Input, { now }: At): void {
  const faults: Faults = {};
  readChosen(readFields(wordsForm, input, faults), faults, { now });
  rejectFaults(faults);
}

/** Skips opt-outs. `nth` spreads them at the channel's rate, so that others do not wait. */
export function writeAmongMany(
  tx: Tx,
  by: Actor,
  { subscriberId, values: input }: { subscriberId: number; values: Input },
  { now, startedAt, nth }: At & { startedAt: Seconds; nth: number },
): { to: string } {
  permit(by, "writeMessage");
  const faults: Faults = {};
  const sent = readFields(wordsForm, input, faults, { required: ["channel_id"] });
  // a past time means now
  const chosen = readChosen({ ...sent, send_at: null }, faults, { now });
  rejectFaults(faults);
  const letter = {
    subscriberId,
    channelId: sent.channel_id ?? 0,
    chosen,
    isAnyway: false,
    sendAt: Math.max(sent.send_at ?? startedAt, startedAt),
  };
  return post(tx, by, letter, { now, nth });
}

interface Letter {
  readonly subscriberId: number;
  readonly channelId: number;
  readonly chosen: Chosen;
  readonly sendAt: Seconds;
  readonly isAnyway: boolean;
}

function readLetter(input: Input, now: Seconds): Letter {
  const faults: Faults = {};
  const sent = readFields(writeForm, input, faults, { required: ["user_id", "channel_id"] });
  const chosen = readChosen(sent, faults, { now });
  rejectFaults(faults);
  return {
    subscriberId: sent.user_id ?? 0,
    channelId: sent.channel_id ?? 0,
    chosen,
    sendAt: sent.send_at ?? now,
    isAnyway: sent.anyway === 1,
  };
}

function post(tx: Tx, by: Actor, letter: Letter, { now, nth = 0 }: At & { nth?: number }) {
  const { chosen, isAnyway } = letter;
  const subscriber = subscriberById(tx, by.scope, letter.subscriberId);
  const { to, channel } = deliverable(tx, subscriber, letter);
  const why = unwanted(subscriber, channel);
  if (why !== null && !isAnyway) throw new DomainError("refused", why, { code: "unwanted" });
  const { ispId, id: subscriberId } = subscriber;
  const uid = `msg_${randomBytes(16).toString("hex")}`;
  const dueAt = letter.sendAt + Math.floor((nth * 60) / channel.perMinute);
  const id = insert(tx, messages, {
    uid,
    ispId,
    channelId: channel.id,
    subscriberId,
    period: periodByHand(uid, why !== null),
    state: "waiting" as const,
    dueAt,
    nextAt: dueAt,
    createdAt: now,
    writtenBy: by.staffId,
    template: chosen.template,
    ...(chosen.own && { wordsSealed: sealWords(tx, chosen.own) }),
  });
  audit(tx, by, now, {
    action: "message.write",
    entity: "message",
    entityId: id,
    ispId,
    after: {
      user_id: subscriberId,
      channel_id: channel.id,
      template: chosen.template || null,
      ...(why !== null && { anyway: 1 }),
    },
  });
  return { id, to, channel, dueAt };
}
