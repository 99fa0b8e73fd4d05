import { linePath, type Tone } from "./plot.tsx";
import { largest } from "./stacked-areas.tsx";

interface SparklineProps {
  description: string;
  values: readonly (number | null)[];
  tone?: Tone;
}

export function Sparkline({ description, values, tone = "s1" }: SparklineProps) {
  const most = largest(values) || 1;
  const steps = Math.max(1, values.length - 1);
  const points = values.map((value, index): [number, number] | undefined =>
    value === null ? undefined : [(index / steps) * 1000, 960 - (value / most) * 920],
  );
  return (
    <svg
      class={`plot-spark ${tone}`}
      viewBox="0 0 1000 1000"
      preserveAspectRatio="none"
      role="img"
      aria-label={description}
    >
      <path class="plot-line" d={linePath(points)} />
    </svg>
  );
}
