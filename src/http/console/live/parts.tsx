import { Icon } from "../../pages/icons.tsx";
import { Dot } from "../../pages/parts/chip.tsx";
import { Key } from "../../pages/parts/key.tsx";

/** Says that the page follows what happens, or that it waits. */
export function LiveChip({ live, paused }: { live: string; paused: string }) {
  return (
    <span class="chip good live-chip" data-live-chip="live" role="status">
      <Dot state="online" />
      <span class="when-live">{live}</span>
      <span class="when-paused">{paused}</span>
    </span>
  );
}

/** Holds what is live; without a script there is nothing to hold. */
export function PauseButton({ label }: { label: string }) {
  return (
    <button type="button" class="button quiet" data-pause data-key="space" aria-pressed="false" hidden>
      <Icon name="pause" />
      <span>{label}</span>
      <Key>Space</Key>
    </button>
  );
}

/** Stands in place of new rows while somebody reads, and leads to them. */
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
