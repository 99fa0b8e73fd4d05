import { Option } from "commander";
import type { Io } from "./io.ts";
import { askSecrets, readSecretFromStdin } from "./secrets.ts";

export function passphraseFromStdin(): Option {
  return new Option("--passphrase-stdin", "read the passphrase from standard input").conflicts("passphrase");
}

export async function askPassphrase(io: Io, isInStdin = false): Promise<string> {
  if (isInStdin) return readSecretFromStdin(io, "passphrase");
  const [passphrase = ""] = await askSecrets(io, ["Passphrase of the backup: "], "--passphrase-stdin");
  return passphrase;
}
