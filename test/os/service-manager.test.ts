import { expect, test } from "bun:test";
import { notifyServiceManager } from "../../src/os/service-manager.ts";
import { NotifySocket } from "../support/notify-socket.ts";

test.each([false, true])("what is notified arrives, on an abstract socket: %p", async (isAbstract) => {
  using socket = new NotifySocket({ isAbstract });
  const manager = { socket: socket.path, watchdog: null };
  notifyServiceManager(manager, "READY=1");
  notifyServiceManager(manager, "STATUS=all is well, señor");
  expect(socket.heard()).toEqual(["READY=1", "STATUS=all is well, señor"]);
});

test("without a service manager, or when it has gone, nothing happens", () => {
  notifyServiceManager(null, "READY=1");
  expect(() => notifyServiceManager({ socket: "/none", watchdog: null }, "READY=1")).not.toThrow();
});
