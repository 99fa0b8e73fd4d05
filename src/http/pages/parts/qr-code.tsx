import { encode } from "uqr";

/** Modules of light around a code, which readers need. */
const QUIET = 4;

/** A text as a square that a camera reads. It is black on white whatever the colours of the page are. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data } = encode(text, { ecc: "M", border: QUIET });
  const size = data.length;
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join("");
  return (
    <svg
      class="qr-code"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
