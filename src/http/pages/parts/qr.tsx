import { encode } from "uqr";

/** Modules around a code that readers want white. */
const QUIET = 4;

/** A text as a QR code: black on white in every scheme, because readers want it so. */
export function Qr({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 0, ecc: "M" });
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
      <path d={data.map(rowPath).join("")} fill="#000" />
    </svg>
  );
}

/** The dark modules of a row, those side by side as one: a sheet has dozens of codes. */
function rowPath(row: readonly boolean[], y: number): string {
  let path = "";
  for (let x = 0; x < row.length; x++) {
    if (!row[x]) continue;
    const from = x;
    while (row[x + 1]) x++;
    path += `M${from + QUIET} ${y + QUIET}h${x - from + 1}v1h-${x - from + 1}z`;
  }
  return path;
}
