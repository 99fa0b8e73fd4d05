import type { LateLogins, PortBuffer } from "../domain/machine/check/buffers.ts";

type BufferState = Omit<PortBuffer, "name"> | undefined;
type Port = "auth" | "acct";

const names = { auth: "authentication", acct: "accounting" } as const;

export function toPortBuffers(readBuffer: (port: Port) => BufferState): PortBuffer[] {
  return (["auth", "acct"] as const).flatMap((port) => {
    const buffer = readBuffer(port);
    return buffer ? [{ ...buffer, name: names[port] }] : [];
  });
}

/** Receive buffers as the metrics of a running server tell them; undefined: it has none of the port. */
export function buffersIn(metrics: string): (port: Port) => BufferState {
  const readValue = (metric: string, port: Port) => {
    const [, value] =
      new RegExp(`^gatehouse_radius_buffer_${metric}\\{port="${port}"\\} (\\S+)$`, "m").exec(metrics) ?? [];
    return value === undefined ? null : Number(value);
  };
  return (port) => {
    const [size, dropped] = [readValue("bytes", port), readValue("dropped", port)];
    if (size === null || dropped === null) return undefined;
    return { size, dropped, droppedAt: readValue("dropped_timestamp_seconds", port) };
  };
}

/** Logins that came too late, by the same metrics. */
export function lateLoginsIn(metrics: string): LateLogins {
  const counts = metrics.matchAll(/^gatehouse_radius_dropped_total\{.*reason="late"\} (\S+)$/gm);
  const [, at] = /^gatehouse_radius_late_timestamp_seconds (\S+)$/m.exec(metrics) ?? [];
  return {
    dropped: [...counts].reduce((sum, [, count]) => sum + Number(count), 0),
    droppedAt: at === undefined ? null : Number(at),
  };
}
