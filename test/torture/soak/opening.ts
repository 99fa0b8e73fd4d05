import { settle } from "./settle.ts";
import { credit, isFair, topUp } from "./staff.ts";
import { logIn } from "./traffic.ts";
import { type Device, leave, note, type World } from "./world.ts";

/** Every run begins with what a short one would hardly come upon by the draw. */
export async function begin(world: World): Promise<void> {
  const { devices, box } = world;
  // before they are sold anything
  for (const device of devices)
    if ((device.subscriber?.service?.until ?? Infinity) <= box.now) await logIn(world, device);
  for (const device of devices)
    if (device.subscriber && isFair(device.subscriber)) return topUpAfterwards(world, device);
}

/** Top-ups of a line whose session has vanished at its router: which is asked where it does not know the end, and not where it does. */
async function topUpAfterwards(world: World, device: Device): Promise<void> {
  const { subscriber } = device;
  const [octets, others, days] = world.topUps;
  if (!subscriber || !octets || !others || !days) throw new Error("there is nothing to top up, or with");
  await credit(world, subscriber, 1000);
  await comeOnline(world, device);
  vanish(world, device);
  await topUp(world, subscriber, octets);
  await settle(world);
  await comeOnline(world, device);
  await topUp(world, subscriber, days);
  await settle(world);
  vanish(world, device);
  await topUp(world, subscriber, others);
  await settle(world);
}

/** Tries until the books have the session: a login may be wrong, and a Start lost. */
async function comeOnline(world: World, device: Device): Promise<void> {
  const { box, model } = world;
  const isOpen = () => [...model.open].some(({ session }) => session === device.live?.session);
  for (let tries = 0; tries < 20 && !isOpen(); tries++) {
    if (device.live) vanish(world, device);
    await box.pass(60);
    await settle(world);
    await logIn(world, device);
    await settle(world);
  }
}

function vanish(world: World, { live }: Device): void {
  if (!live) return;
  note(world, live.session.holder, `session ${live.session.id} vanished`);
  leave(live);
}
