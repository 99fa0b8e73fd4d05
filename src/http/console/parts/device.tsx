import { makerOf } from "../../../domain/goods/devices/maker.ts";

export function Device({ mac }: { mac: string | null }) {
  if (mac === null) return null;
  const maker = makerOf(mac);
  return (
    <span class="device">
      <span class="mono">{mac}</span>
      {maker !== null && <span class="soft-text">{maker}</span>}
    </span>
  );
}
