import { expect, test } from "bun:test";
import { closePair, openPair, PacketReceiver, PacketSender, Waiting } from "../../src/os/packet-pair.ts";

test("packets come out whole and in order, and a full pair says so instead of waiting", () => {
  const pair = openPair();
  try {
    const sender = new PacketSender(pair.sender);
    const receiver = new PacketReceiver(pair.receiver, 4096);
    expect(receiver.receive()).toBeUndefined();
    const bytes = Buffer.from(new ArrayBuffer(4096));
    let sent = 0;
    for (; sent < 100_000; sent++) {
      bytes.writeUInt32LE(sent, 0);
      if (!sender.send(bytes, 4 + (sent % 4000))) break;
    }
    expect(sent).toBeGreaterThan(50);
    expect(sent).toBeLessThan(100_000);
    for (let i = 0; i < sent; i++) {
      const got = receiver.receive();
      expect([got?.readUInt32LE(0), got?.length]).toEqual([i, 4 + (i % 4000)]);
    }
    expect(receiver.receive()).toBeUndefined();
    expect(sender.send(bytes, 100)).toBe(true); // there is room again
  } finally {
    closePair(pair);
  }
});

test("a wait ends when either end has something", () => {
  const [one, two] = [openPair(), openPair()];
  try {
    const waiting = new Waiting(one.receiver, two.receiver);
    const before = performance.now();
    waiting.wait(20);
    expect(performance.now() - before).toBeGreaterThan(15);
    new PacketSender(two.sender).send(Buffer.from(new ArrayBuffer(8)), 8);
    waiting.wait(60_000);
    expect(performance.now() - before).toBeLessThan(30_000);
  } finally {
    for (const pair of [one, two]) closePair(pair);
  }
});
