import { ptr } from "bun:ffi";
import { libc } from "./libc.ts";

// Linux, <bits/socket.h>
const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const SOCK_CLOEXEC = 0o2000000;
const MSG_NOSIGNAL = 0x4000;

/** The service manager's settings from the environment (sd_notify(3), sd_watchdog_enabled(3)). */
export interface ServiceManager {
  readonly socket: string;
  /** Watchdog interval in seconds; null: no watchdog. */
  readonly watchdog: number | null;
}

/** Reports the service's state to systemd: `READY=1`, `STATUS=...`, `WATCHDOG=1`. Does nothing without a service manager. */
export function notifyServiceManager(manager: ServiceManager | null, state: string): void {
  if (manager) send(manager.socket, state);
}

/** Sends one datagram to a Unix socket, which Bun cannot; a leading @ is the abstract namespace (unix(7)). */
function send(path: string, state: string): void {
  const { socket, sendto, close } = libc();
  const descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return;
  const [address, message] = [unixAddress(path), Buffer.from(state)];
  sendto(descriptor, ptr(message), message.length, MSG_NOSIGNAL, ptr(address), address.length);
  close(descriptor);
}

/** struct sockaddr_un: a path ends with a zero byte, an abstract name begins with one. */
function unixAddress(path: string): Buffer {
  const family = Buffer.alloc(2);
  family.writeUInt16LE(AF_UNIX, 0);
  if (path.startsWith("@")) return Buffer.concat([family, Buffer.of(0), Buffer.from(path.slice(1))]);
  return Buffer.concat([family, Buffer.from(path), Buffer.of(0)]);
}
