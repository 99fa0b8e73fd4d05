import { isIP } from "node:net";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { bundleName } from "./list.ts";

/** How sessions end with RadSec. */
export function endsWords({ name, apiHost }: { name: string; apiHost: string | null }): string {
  return apiHost !== null
    ? `sessions of ${name} are ended by its RouterOS API at ${apiHost}, which this box has to reach; another rate counts from the next login on, for RadSec has no CoA here`
    : `${name} asks by RadSec and has no RouterOS API, so that nobody can end its sessions from here: they end by Session-Timeout; give it routeros_host, routeros_username and routeros_password to change that`;
}

/** RouterOS's import. */
export function importCommand(certificate: { readonly id: number }, password: string): string {
  return `/certificate import file-name=${bundleName(certificate)} passphrase=${password}`;
}

/** Throws `refused`. */
export function requireServerAddress(text: string): string {
  const address = text.trim();
  const isName =
    /^(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$/;
  const isAddress = isIP(address) !== 0 && !address.includes("%"); // a certificate has no interface
  if (isAddress || isName.test(address)) return address;
  throw new DomainError(
    "refused",
    phrase`${text} is no address of this box; it must be an IP address or a name of DNS`,
  );
}
