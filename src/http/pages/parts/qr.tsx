import { encode } from "uqr";

/** Modules around a code that readers want white. */
const QUIET = 4;

/** A text as a QR code: black on white in every scheme, because readers want it so. */
export function Qr({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 0, ecc: "M" });
  const modules = data.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : "")),
  );
  const width = size + 2 * QUIET;
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${width} ${width}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <rect width={width} height={width} fill="#fff" />
      <path d={modules.join("")} fill="#000" />
    </svg>
  );
}
