const MAC = /((?:[0-9A-F]{2}:){5}[0-9A-F]{2})/;

/** A sentence in which the addresses of devices stand as such. */
export function Codes({ text }: { text: string }) {
  return (
    <>{text.split(MAC).map((part, index) => (index % 2 === 1 ? <span class="mono">{part}</span> : part))}</>
  );
}
