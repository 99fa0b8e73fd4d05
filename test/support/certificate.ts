import { rm } from "node:fs/promises";

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const made = new Map<string, Promise<Certificate>>();

export function certificate(name = "localhost"): Promise<Certificate> {
  return made.getOrInsertComputed(name, make);
}

async function make(name: string): Promise<Certificate> {
  const folder = (await Bun.$`mktemp -d`.text()).trim();
  await Bun.$`openssl req -x509 -newkey rsa:2048 -nodes -keyout ${folder}/key.pem -out ${folder}/cert.pem -days 2 -subj ${`/CN=${name}`}`.quiet();
  const [cert, key] = await Promise.all(
    ["cert.pem", "key.pem"].map((name) => Bun.file(`${folder}/${name}`).text()),
  );
  await rm(folder, { recursive: true });
  return { cert: cert ?? "", key: key ?? "" };
}
