import { Option } from "commander";
import type { Io } from "./io.ts";
import { askSecrets, readSecretFromStdin } from "./secrets.ts";

export function passphraseFromStdin(): Option {
  return new Option("--passphrase-stdin", "read the passphrase from standard input").conflicts("passphrase");
}

/** The passphrase of a backup that exists. */
export async function askPassphrase(io: Io, isInStdin = false): Promise<string> {
  if (isInStdin) return readSecretFromStdin(io, "passphrase");
  const [typed = ""] = await askSecrets(io, ["Passphrase of the backup: "], "--passphrase-stdin");
  return typed;
}
