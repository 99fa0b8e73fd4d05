import { DomainError } from "../domain/core/errors/errors.ts";
import { phrase } from "../domain/core/errors/phrase.ts";
import type { Nas } from "../domain/goods/nas/find.ts";

/** The address that we listen on, or the one that the system would use towards the router. */
export async function ownAddressTowards({ address }: Pick<Nas, "address">, listen: string): Promise<string> {
  if (listen !== "0.0.0.0" && listen !== "::") return listen;
  const hostname = address.split("/")[0] ?? address;
  try {
    // connecting a UDP socket sends nothing
    const socket = await Bun.udpSocket({ connect: { hostname, port: 9 } });
    const own = socket.address.address;
    socket.close();
    return own;
  } catch {
    throw new DomainError(
      "refused",
      phrase`this machine has no way to ${hostname}; name our address with --server ADDRESS`,
    );
  }
}
