import { expect, test } from "bun:test";
import { ServiceNotifier } from "../../src/os/service-manager.ts";
import { NotifySocket } from "../support/notify-socket.ts";

test.each([false, true])("what is notified arrives, on an abstract socket: %p", async (isAbstract) => {
  using manager = new NotifySocket({ isAbstract });
  const notifier = new ServiceNotifier({ socket: manager.path, watchdog: null });
  notifier.notify("READY=1");
  notifier.watch(() => true);
  notifier.notify("STATUS=all is well, señor");
  expect(manager.heard()).toEqual(["READY=1", "STATUS=all is well, señor"]);
});

test("the watchdog is fed at a third of its time while there is life, and not a moment longer", async () => {
  using manager = new NotifySocket();
  const notifier = new ServiceNotifier({ socket: manager.path, watchdog: 0.15 });
  let isAlive = true;
  notifier.watch(() => isAlive);
  await Bun.sleep(400);
  const fed = manager.heard().length;
  expect(fed).toBeWithin(3, 12);
  isAlive = false;
  await Bun.sleep(200);
  expect(manager.heard().length).toBeLessThanOrEqual(fed + 1);
  notifier.stop();
  expect(manager.heard().at(-1)).toBe("STOPPING=1");
});

test("without a service manager, or when it has gone, nothing happens", () => {
  const notifier = new ServiceNotifier(null);
  notifier.notify("READY=1");
  notifier.watch(() => true);
  notifier.stop();
  expect(() => new ServiceNotifier({ socket: "/none", watchdog: null }).notify("READY=1")).not.toThrow();
});
