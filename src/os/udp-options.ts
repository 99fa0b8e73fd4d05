import { growBuffers, setOption, SOL_IP, SOL_IPV6 } from "./libc.ts";

// <bits/in.h>
const IP_RECVERR = 11;
const IPV6_RECVERR = 25;

/** Sets socket options that Bun does not offer; does nothing outside Linux. */
export function tune(socket: Bun.udp.Socket<"buffer">): void {
  const fd: unknown = Reflect.get(socket, "fd");
  if (process.platform !== "linux" || typeof fd !== "number" || fd < 0) return;
  // ICMP errors of one router must not make sends to another one fail
  if (socket.address.family === "IPv6") setOption(fd, SOL_IPV6, IPV6_RECVERR, 0);
  else setOption(fd, SOL_IP, IP_RECVERR, 0);
  growBuffers(fd);
}
