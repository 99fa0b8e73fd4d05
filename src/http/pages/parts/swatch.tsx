interface SwatchProps {
  /** Of a colour that has no class. */
  fill?: string;
  tone?: string;
  /** In pixels. */
  size?: number;
}

/** A colour as itself, outlined so that white is seen on white. */
export function Swatch({ fill = "currentColor", tone = "", size = 10 }: SwatchProps) {
  return (
    <svg class={tone} width={size} height={size} viewBox="0 0 10 10" aria-hidden="true">
      <rect
        x="0.5"
        y="0.5"
        width="9"
        height="9"
        rx="2"
        fill={fill}
        stroke="currentColor"
        stroke-opacity="0.25"
        vector-effect="non-scaling-stroke"
      />
    </svg>
  );
}
