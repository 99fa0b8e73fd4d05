import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { CannotBoot } from "../debian.ts";
import { API_PORT, BOOKS, COA_PORT, HOUSE, HOUSE_MAC } from "./place.ts";

/** What a lab is of: a router that answers at BOOKS, and perhaps one that dials in to it, which answers at HOUSE. */
export interface Machine extends AsyncDisposable {
  /** A real RouterOS; else rows that only one can decide say so. */
  readonly isReal: boolean;
  /** Milliseconds until its API is missed. */
  readonly patience: number;
  /** Why it will not answer any more. */
  readonly ended: () => string | undefined;
  /** Starts the machine at the other end of the cable. */
  readonly startHouse: () => void;
}

/** The cable between both: a TCP connection of the two qemu, over which frames go. */
const CABLE = "127.0.0.1:7700";
/** The network of qemu in which ether1 gets its address by DHCP, as every CHR asks for one at first. */
const ETHER1 = "10.0.2.0/24";
/** Megabytes. */
const MEMORY = 384;
/** Milliseconds: without KVM every instruction is translated. */
const BOOT = { kvm: 120_000, tcg: 600_000 };

/** Two machines of an image, of which neither writes into it. Throws CannotBoot for a file that is no image. */
export function imageMachine(image: string, { isTranslated }: { isTranslated: boolean }): Machine {
  const format = readFormat(image);
  const isKvm = !isTranslated && existsSync("/dev/kvm");
  const running: { name: string; process: Bun.Subprocess<"ignore", "ignore", "pipe">; said: string }[] = [];
  const start = (name: string, nets: readonly string[]) => {
    const process = Bun.spawn(
      [
        ...["qemu-system-x86_64", "-name", name, "-machine", "pc", "-m", String(MEMORY), "-smp", "1"],
        ...[
          ...(isKvm ? ["-accel", "kvm"] : ["-cpu", "max"]),
          "-accel",
          "tcg",
          "-display",
          "none",
          "-monitor",
          "none",
        ],
        ...["-serial", "none", "-parallel", "none", "-rtc", "base=utc"],
        // what it writes goes into a file that nobody sees, and is gone with it
        ...["-drive", `file=${image.replaceAll(",", ",,")},format=${format},if=ide,snapshot=on`],
        ...nets,
      ],
      { stdin: "ignore", stdout: "ignore", stderr: "pipe" },
    );
    const one = { name, process, said: "" };
    running.push(one);
    void listen(process.stderr, (text) => (one.said += text));
  };
  const nic = (id: string, netdev: string, mac: string) => [
    ...["-netdev", netdev, "-device", `virtio-net-pci,netdev=${id},mac=${mac}`],
  ];
  const outside = (...forwards: string[]) =>
    `user,id=out,ipv6=off,net=${ETHER1},${forwards.map((one) => `hostfwd=${one}`).join(",")}`;
  start("router", [
    ...nic("out", outside(tcp(BOOKS), `udp:${BOOKS}:${COA_PORT}-:${COA_PORT}`), "02:77:00:00:01:01"),
    ...nic("lines", `socket,id=lines,listen=${CABLE}`, "02:77:00:00:01:02"),
  ]);
  return {
    isReal: true,
    patience: isKvm ? BOOT.kvm : BOOT.tcg,
    ended: () => {
      if (running.some(({ said }) => said.includes("KVM internal error")))
        return "KVM of this machine cannot run it; try once more with --no-kvm, which takes its time";
      const gone = running.find(({ process }) => process.exitCode !== null || process.signalCode !== null);
      if (!gone) return undefined;
      const { exitCode, signalCode } = gone.process;
      return `qemu of the ${gone.name} ended with ${signalCode ?? exitCode}: ${gone.said.trim()}`;
    },
    startHouse: () =>
      start("house", [
        ...nic("out", outside(tcp(HOUSE)), "02:77:00:00:03:01"),
        ...nic("lines", `socket,id=lines,connect=${CABLE}`, HOUSE_MAC),
      ]),
    [Symbol.asyncDispose]: async () => {
      for (const { process } of running) process.kill("SIGKILL");
      await Promise.all(running.map(({ process }) => process.exited));
    },
  };
}

async function listen(stream: ReadableStream<Uint8Array>, hear: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of stream) hear(decoder.decode(chunk, { stream: true }));
}

const tcp = (address: string) => `tcp:${address}:${API_PORT}-:${API_PORT}`;

function readFormat(image: string): "qcow2" | "raw" {
  if (!existsSync(image)) throw new CannotBoot(`there is no ${image}`);
  const head = Buffer.alloc(4);
  const file = openSync(image, "r");
  readSync(file, head, 0, head.length, 0);
  closeSync(file);
  if (head.toString("latin1").startsWith("PK"))
    throw new CannotBoot(`${image} is packed: unpack it, and name the .img or .qcow2 that was in it`);
  return head.equals(Buffer.from("QFI\xfb", "latin1")) ? "qcow2" : "raw";
}

/** A process that answers as the router of the tests does, in this version. */
export function standIn(version: string): Machine {
  const process = Bun.spawn([globalThis.process.execPath, join(import.meta.dir, "stand-in.ts"), version], {
    stdin: "pipe",
    stdout: "inherit",
    stderr: "inherit",
  });
  return {
    isReal: false,
    patience: 20_000,
    ended: () => (process.exitCode === null ? undefined : `the stand-in ended with ${process.exitCode}`),
    startHouse: () => {},
    [Symbol.asyncDispose]: async () => {
      await process.stdin.end(); // it ends with it, as it does when this one is killed
      await process.exited;
    },
  };
}
