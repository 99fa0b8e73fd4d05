import type { AccessEvent } from "../auth/access.ts";

/*
 * Decisions posted from the access thread to main as one text: structured clone copies objects property by property, which took
 * milliseconds at a time in a storm. Without property names, which are half of it.
 */

type Packed = [
  at: AccessEvent["at"],
  nasId: AccessEvent["nasId"],
  nasAddress: AccessEvent["nasAddress"],
  username: AccessEvent["username"],
  subscriberId: AccessEvent["subscriberId"],
  cardId: AccessEvent["cardId"],
  isCardUse: AccessEvent["isCardUse"],
  accepted: AccessEvent["accepted"],
  reason: AccessEvent["reason"],
  detail: AccessEvent["detail"],
  method: AccessEvent["method"],
  mac: AccessEvent["mac"],
  classHex: string | null,
];

export function packEvents(events: readonly AccessEvent[]): string {
  return JSON.stringify(events.map(packed));
}

export function unpackEvents(text: string): AccessEvent[] {
  const all: Packed[] = JSON.parse(text);
  return all.map(unpacked);
}

// pushed one by one: spreading and joining objects costs more than all the rest
function packed(event: AccessEvent): Packed {
  return [
    event.at,
    event.nasId,
    event.nasAddress,
    event.username,
    event.subscriberId,
    event.cardId,
    event.isCardUse,
    event.accepted,
    event.reason,
    event.detail,
    event.method,
    event.mac,
    event.class === null ? null : event.class.toHex(),
  ];
}

function unpacked(packed: Packed): AccessEvent {
  return {
    at: packed[0],
    nasId: packed[1],
    nasAddress: packed[2],
    username: packed[3],
    subscriberId: packed[4],
    cardId: packed[5],
    isCardUse: packed[6],
    accepted: packed[7],
    reason: packed[8],
    detail: packed[9],
    method: packed[10],
    mac: packed[11],
    class: packed[12] === null ? null : Buffer.from(packed[12], "hex"),
  };
}
