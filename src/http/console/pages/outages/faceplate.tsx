import type { BoxLine, PortState } from "../../../../domain/service/boxes/box.ts";
import { Dot, type LineState } from "../../../pages/parts/chip.tsx";
import type { StaffVisit } from "../../guard.ts";
import { fibreColor } from "../../parts/fibre.ts";

/** A bound, so that a wrong number makes no huge page. */
const MOST = 64;
/** Ports side by side. */
const WIDE = 4;

/** How a line's state is drawn. */
export const dots: Record<PortState, LineState> = {
  online: "online",
  refused: "refused",
  dark: "offline",
  off: "half",
};

/** Ports with states and fibre colours, as on the box. */
export function Faceplate({ visit, lines }: { visit: StaffVisit; lines: readonly BoxLine[] }) {
  const { boxes } = visit.view.words;
  const { format } = visit.view;
  const ports = listPorts(lines);
  const states = (["online", "refused", "dark", "off"] as const)
    .map((state) => [state, lines.filter((line) => line.state === state).length] as const)
    .filter(([, count]) => count > 0);
  return (
    <section class="card faceplate" aria-label={boxes.faceplate}>
      {ports.length > 0 && (
        <ol class="ports">
          {ports.map(({ port, line }) => (
            <Port
              port={port}
              line={line}
              label={boxes.portState(port, line ? boxes.states[line.state] : boxes.free)}
            />
          ))}
        </ol>
      )}
      <ul class="row hint">
        {states.map(([state, count]) => (
          <li class="dotted">
            <Dot state={dots[state]} />
            {boxes.counts[state](format.number(count))}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Port({ port, line, label }: { port: string; line: BoxLine | undefined; label: string }) {
  const state: PortState | "free" = line?.state ?? "free";
  return (
    <li class={`port ${state}`}>
      <span class="unseen">{label}</span>
      <span aria-hidden="true">{line && <Dot state={dots[line.state]} />}</span>
      <span aria-hidden="true">{port}</span>
      <Fibre color={line?.fiberColor ?? null} />
    </li>
  );
}

function Fibre({ color }: { color: string | null }) {
  const fill = fibreColor(color);
  return (
    <svg viewBox="0 0 32 6" aria-hidden="true">
      {fill && <rect x="0.5" y="0.5" width="31" height="5" rx="2.5" fill={fill} />}
    </svg>
  );
}

function listPorts(lines: readonly BoxLine[]): { port: string; line: BoxLine | undefined }[] {
  const byPort = new Map<string, BoxLine>();
  for (const line of lines) if (line.port !== null && !byPort.has(line.port)) byPort.set(line.port, line);
  const highest = Math.max(0, ...[...byPort.keys()].map(Number));
  if (!Number.isInteger(highest) || highest > MOST)
    return [...byPort].map(([port, line]) => ({ port, line }));
  const count = Math.ceil(highest / WIDE) * WIDE;
  return Array.from({ length: count }, (_, index) => ({
    port: String(index + 1),
    line: byPort.get(String(index + 1)),
  }));
}
