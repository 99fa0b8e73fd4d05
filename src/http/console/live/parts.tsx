import { Icon } from "../../pages/icons.tsx";
import { Dot, Key } from "../../pages/parts/chip.tsx";

export function LiveChip({ live, paused }: { live: string; paused: string }) {
  return (
    <span class="chip good" data-live-chip="live" role="status">
      <Dot state="online" />
      <span>{live}</span>
      <span>{paused}</span>
    </span>
  );
}

/** Pauses the live rows; hidden without a script. `space`: the name of the key. */
export function PauseButton({ label, space }: { label: string; space: string }) {
  return (
    <button type="button" class="button quiet" data-pause data-key="space" aria-pressed="false" hidden>
      <Icon name="pause" />
      <span>{label}</span>
      <Key>{space}</Key>
    </button>
  );
}

/** Announces new rows while somebody reads, and leads to them. */
export function NewsButton({ part, text }: { part: string; text: string }) {
  return (
    <button type="button" class="news" data-news={part} hidden>
      <Icon name="up" />
      <span>
        <span data-count>0</span> {text}
      </span>
    </button>
  );
}
