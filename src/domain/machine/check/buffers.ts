import { formatTime, type Seconds } from "../../core/time/time.ts";
import { type Finding, warning } from "./finding.ts";

export interface PortBuffer {
  readonly name: "authentication" | "accounting";
  readonly size: number;
  /** Datagrams dropped by the kernel since the start, and when last; null: never. */
  readonly dropped: number;
  readonly droppedAt: Seconds | null;
}

/** Logins that were dropped since the start because they had waited too long, and when the last was; null: never. */
export interface LateLogins {
  readonly dropped: number;
  readonly droppedAt: Seconds | null;
}

const DAY = 86_400;

/** Ports with drops in the last day; `wanted`: the requested size. */
export function checkBuffers(
  buffers: readonly PortBuffer[],
  { wanted: target, now }: { wanted: number; now: Seconds },
): Finding[] {
  return buffers.flatMap(({ name, size, dropped, droppedAt: at }) => {
    if (at === null || at <= now - DAY) return [];
    const todo =
      size < target
        ? `the system allows no more: echo net.core.rmem_max=${target} >/etc/sysctl.d/90-gatehouse.conf; sysctl --system; systemctl restart gatehouse`
        : "it is as large as it should be, and the machine too slow for what comes: see what else it does (top, iostat), or give some routers an access box";
    return [
      warning(
        "RADIUS",
        `the kernel dropped ${dropped} requests of routers at the ${name} port since the start, the last at ${formatTime(at)}, because its receive buffer of ${size} bytes was full; ${todo}`,
        "radius_dropped",
        { datagrams: dropped, size, at },
      ),
    ];
  });
}

/** Whether within the last day logins came faster than they were answered. */
export function checkLateLogins({ dropped, droppedAt: at }: LateLogins, now: Seconds): Finding[] {
  if (at === null || at <= now - DAY) return [];
  return [
    warning(
      "RADIUS",
      `more logins came at once than this machine answers in time: ${dropped} were left to their routers' repeats since the start, the last at ${formatTime(at)}; see what else it does (top, iostat), or give some routers an access box`,
      "radius_late",
      { logins: dropped, at },
    ),
  ];
}
