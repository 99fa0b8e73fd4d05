import { dlopen, FFIType, ptr } from "bun:ffi";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Linux, <bits/socket.h>
const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const MSG_DONTWAIT = 0x40;
const { i32, i64, u32, u64, ptr: pointer } = FFIType;
const symbols = {
  socket: { args: [i32, i32, i32], returns: i32 },
  bind: { args: [i32, pointer, u32], returns: i32 },
  recv: { args: [i32, pointer, u64, i32], returns: i64 },
  close: { args: [i32], returns: i32 },
} as const;

/** The socket of a service manager, with the messages of a program in order. */
export class NotifySocket implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "gatehouse-notify-"));
  readonly path: string;
  readonly #libc = dlopen("libc.so.6", symbols);
  readonly #socket: number;
  readonly #heard: string[] = [];

  constructor({ isAbstract = false } = {}) {
    this.path = isAbstract ? `@${this.folder}` : join(this.folder, "notify");
    const { socket, bind } = this.#libc.symbols;
    this.#socket = socket(AF_UNIX, SOCK_DGRAM, 0);
    const family = Buffer.alloc(2);
    family.writeUInt16LE(AF_UNIX, 0);
    const name = Buffer.from(isAbstract ? `\0${this.folder}` : `${this.path}\0`);
    const address = Buffer.concat([family, name]);
    if (bind(this.#socket, ptr(address), address.length) !== 0) throw new Error(`cannot bind ${this.path}`);
  }

  heard(): readonly string[] {
    const buffer = Buffer.alloc(4096);
    for (;;) {
      const length = Number(this.#libc.symbols.recv(this.#socket, ptr(buffer), buffer.length, MSG_DONTWAIT));
      if (length <= 0) return this.#heard;
      this.#heard.push(buffer.toString("utf8", 0, length));
    }
  }

  /** Waits for a message that begins so; undefined after `patience` milliseconds. */
  async hears(beginning: string, patience = 30_000): Promise<string | undefined> {
    for (const end = performance.now() + patience; performance.now() < end; await Bun.sleep(10)) {
      const found = this.heard().find((state) => state.startsWith(beginning));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  [Symbol.dispose](): void {
    this.#libc.symbols.close(this.#socket);
    this.#libc.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
