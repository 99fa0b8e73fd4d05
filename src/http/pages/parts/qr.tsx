import { encode } from "uqr";

/** Quiet zone, in modules. */
const QUIET = 4;

/** Black on white in every scheme, for readers. */
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

/** Adjacent modules merged, because sheets have dozens of codes. */
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
