import { dlopen, FFIType, type Pointer, toArrayBuffer } from "bun:ffi";
import { closeSync, fdatasyncSync, openSync } from "node:fs";
import { constants } from "node:os";
import { addressOf, systemError } from "./libc.ts";

const { i32, i64, u64, ptr: pointer } = FFIType;

/** Functions for what is done beside by a thread of the C library (POSIX aio). */
const functions = {
  aio_fsync: { args: [i32, pointer], returns: i32 },
  aio_error: { args: [pointer], returns: i32 },
  aio_return: { args: [pointer], returns: i64 },
  aio_suspend: { args: [pointer, i32, pointer], returns: i32 },
} as const;
const memory = { calloc: { args: [u64, u64], returns: pointer } } as const;

// <bits/fcntl-linux.h>, <bits/sigevent-consts.h>
const O_DSYNC = 0o10000;
const SIGEV_NONE = 1;
// struct aiocb, and what stands where in it, in words of 32 bits
const REQUEST = 168;
const FILE_AT = 0;
const NOTICE_AT = 11;

type Library = ReturnType<typeof dlopen<typeof functions>>["symbols"];

let opened: Library | undefined;

/** glibc before 2.34 has them in librt, musl in its only library. */
function library(): Library | undefined {
  for (const name of ["libc.so.6", "librt.so.1", "libc.so"]) {
    try {
      return (opened ??= dlopen(name, functions).symbols);
    } catch {
      // the next
    }
  }
  return undefined;
}

/** Zeroed, and never freed: a thread of the library may write to it when the one that asked has died. */
function lastingMemory(length: number): Pointer {
  for (const name of ["libc.so.6", "libc.so"]) {
    try {
      const at = dlopen(name, memory).symbols.calloc(1, length);
      if (at !== null) return Number(at) as Pointer;
    } catch {
      // the other one
    }
  }
  throw new Error("no memory for a request of the C library");
}

/**
 * Puts on the disk what was written to a file, by whomever, while its caller goes on: one sync at a time, of what was written before it
 * began. Errors of the disk from the opening on are told once, as by fdatasync.
 */
export class FileSync {
  readonly #fd: number;
  readonly #calls = library();
  readonly #request = lastingMemory(REQUEST);
  readonly #requests = new BigUint64Array([BigInt(this.#request)]);
  readonly #patience = new BigInt64Array(2);
  #state: "none" | "under way" | "ended" = "none";
  #failure: Error | undefined;

  /** Throws where there is no such file. */
  constructor(path: string) {
    this.#fd = openSync(path, "r");
    const words = new Int32Array(toArrayBuffer(this.#request, 0, REQUEST));
    words[FILE_AT] = this.#fd;
    words[NOTICE_AT] = SIGEV_NONE;
  }

  /** After `finish` of the one before. */
  begin(): void {
    this.#failure = undefined;
    this.#state = "under way";
    if (this.#calls?.aio_fsync(O_DSYNC, this.#request) === 0) return;
    // no thread is to be had
    this.#state = "ended";
    try {
      fdatasyncSync(this.#fd);
    } catch (error) {
      this.#failure = error as Error;
    }
  }

  /** Whether the sync that was begun has ended, waiting for it for up to so many microseconds. */
  hasEnded(patience = 0): boolean {
    if (this.#state === "under way" && this.#look() === constants.errno.EINPROGRESS && patience > 0) {
      this.#patience[0] = BigInt(Math.floor(patience / 1e6));
      this.#patience[1] = BigInt(Math.floor(patience % 1e6) * 1000);
      this.#calls?.aio_suspend(addressOf(this.#requests), 1, addressOf(this.#patience));
      this.#look();
    }
    return this.#state === "ended";
  }

  /** Its outcome: throws an error with the system's code. */
  finish(): void {
    while (!this.hasEnded(1e6));
    this.#state = "none";
    if (this.#failure) throw this.#failure;
  }

  /** A sync that its caller waits for. Throws an error with the system's code. */
  now(): void {
    fdatasyncSync(this.#fd);
  }

  close(): void {
    if (this.#state !== "none") while (!this.hasEnded(1e6));
    closeSync(this.#fd);
  }

  #look(): number {
    const errno = this.#calls?.aio_error(this.#request) ?? 0;
    if (errno === constants.errno.EINPROGRESS) return errno;
    this.#state = "ended";
    this.#calls?.aio_return(this.#request);
    if (errno !== 0) this.#failure = systemError("fdatasync", errno);
    return errno;
  }
}
