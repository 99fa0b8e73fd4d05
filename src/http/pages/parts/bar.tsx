interface ShareProps {
  /** 0 to 1. */
  share: number;
  tone?: "warn" | "bad";
  /** A chart's colour: `s1`. */
  series?: string;
  label: string;
}

/** An SVG, because inline styles are forbidden. */
export function ShareBar({ share, tone, series, label }: ShareProps) {
  const width = Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10;
  return (
    <svg
      class={`share ${series === undefined ? (tone ?? "") : `of-series ${series}`}`}
      viewBox="0 0 100 4"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <rect width="100" height="4" rx="2" />
      <rect width={width} height="4" rx="2" />
    </svg>
  );
}
